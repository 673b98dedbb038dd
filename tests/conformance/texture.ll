; Threads of a quad sample a texture together; the result is used on one side of a branch.
target triple = "spirv-unknown-vulkan1.3-pixel"
declare <4 x float> @textureSample(ptr, float) convergent

define spir_func <4 x float> @shade(ptr %texture, float %at, i1 %c) convergent {
start:
  %color = call <4 x float> @textureSample(ptr %texture, float %at)
  br i1 %c, label %then, label %end
then:
  br label %end
end:
  %result = phi <4 x float> [ %color, %then ], [ zeroinitializer, %start ]
  ret <4 x float> %result
}
