
define  void @binary(i32 %a, i32 %b, <4 x i16> %v)  {
b.0:
  %v.1 = add i32 %a, %b
  %v.2 = add nuw i32 %a, %b
  %v.3 = add nsw i32 %a, %b
  %v.4 = add nuw nsw i32 %a, %b
  %v.5 = add nuw nsw i32 %a, -1
  %v.6 = sub i32 0, %b
  %v.7 = sub nuw nsw i32 %a, %b
  %v.8 = mul i32 %a, %b
  %v.9 = mul nuw nsw i32 %a, 3
  %v.10 = udiv i32 %a, %b
  %v.11 = udiv exact i32 %a, %b
  %v.12 = sdiv i32 %a, %b
  %v.13 = sdiv exact i32 %a, %b
  %v.14 = urem i32 %a, %b
  %v.15 = srem i32 %a, %b
  %v.16 = shl i32 %a, %b
  %v.17 = shl nuw nsw i32 %a, %b
  %v.18 = lshr i32 %a, %b
  %v.19 = lshr exact i32 %a, %b
  %v.20 = ashr i32 %a, %b
  %v.21 = ashr exact i32 %a, %b
  %v.22 = and i32 %a, %b
  %v.23 = or i32 %a, %b
  %v.24 = or disjoint i32 %a, %b
  %v.25 = xor i32 %a, -1
  %v.26 = add <4 x i16> %v, <i16 1, i16 2, i16 3, i16 4>
  %v.27 = shl nuw <4 x i16> %v, splat ( i16 2)
  %v.28 = or disjoint <4 x i16> %v, zeroinitializer
  ret void
}

define  void @floating(float %a, float %b, <2 x double> %v, half %h)  {
b.0:
  %neg = fneg float %a
  %neg.fast = fneg fast float %a
  %add = fadd float %a, %b
  %add.fast = fadd fast float %a, %b
  %add.each = fadd reassoc nnan ninf nsz arcp contract afn float %a, %b
  %sub = fsub nnan float %a, %b
  %mul = fmul ninf float %a, %b
  %div = fdiv nsz arcp float %a, %b
  %rem = frem contract <2 x double> %v, %v
  %half = fadd afn half %h, 0xH3C00
  %reassoc = fmul reassoc float %a, 2.0
  ret void
}

define  void @compare(i32 %a, i32 %b, ptr %p, float %f, <4 x i32> %v, <4 x ptr> %q)  {
b.0:
  %eq = icmp eq i32 %a, %b
  %ne = icmp ne i32 %a, 0
  %ugt = icmp ugt i32 %a, %b
  %uge = icmp uge i32 %a, %b
  %ult = icmp ult i32 %a, %b
  %ule = icmp ule i32 %a, %b
  %sgt = icmp sgt i32 %a, %b
  %sge = icmp sge i32 %a, %b
  %slt = icmp slt i32 %a, %b
  %sle = icmp sle i32 %a, %b
  %same = icmp samesign ult i32 %a, %b
  %pointer = icmp eq ptr %p, null
  %vector = icmp slt <4 x i32> %v, zeroinitializer
  %pointers = icmp ne <4 x ptr> %q, zeroinitializer
  %ffalse = fcmp false float %f, %f
  %oeq = fcmp oeq float %f, 0.0
  %ogt = fcmp ogt float %f, 1.0
  %oge = fcmp oge float %f, 1.0
  %olt = fcmp olt float %f, 1.0
  %ole = fcmp ole float %f, 1.0
  %one = fcmp one float %f, 1.0
  %ord = fcmp ord float %f, %f
  %ueq = fcmp ueq float %f, 1.0
  %twice.new.2.53 = fcmp ueq float %f, 1.0
  %fugt = fcmp ugt float %f, 1.0
  %fuge = fcmp uge float %f, 1.0
  %fult = fcmp ult float %f, 1.0
  %fule = fcmp ule float %f, 1.0
  %une = fcmp une float %f, 1.0
  %uno = fcmp uno float %f, %f
  %ftrue = fcmp true float %f, %f
  %ffast = fcmp fast olt float %f, 1.0
  %fflags = fcmp nnan ninf nsz oeq float %f, 1.0
  ret void
}

define  void @convert(i32 %i, i64 %l, float %f, double %d, ptr %p, <4 x i8> %v, ptr addrspace(1) %g)  {
b.0:
  %trunc = trunc i32 %i to i8
  %trunc.nuw = trunc nuw i32 %i to i8
  %trunc.nsw = trunc nsw i32 %i to i8
  %trunc.both = trunc nuw nsw i32 %i to i8
  %zext = zext i32 %i to i64
  %zext.nneg = zext nneg i32 %i to i64
  %sext = sext i32 %i to i64
  %fptrunc = fptrunc double %d to float
  %fptrunc.fast = fptrunc fast double %d to float
  %fpext = fpext float %f to double
  %fpext.nnan = fpext nnan float %f to double
  %fptoui = fptoui float %f to i32
  %fptosi = fptosi float %f to i32
  %uitofp = uitofp i32 %i to float
  %uitofp.nneg = uitofp nneg i32 %i to float
  %sitofp = sitofp i32 %i to double
  %ptrtoint = ptrtoint ptr %p to i64
  %ptrtoaddr = ptrtoaddr ptr %p to i64
  %inttoptr = inttoptr i64 %l to ptr
  %bitcast = bitcast i32 %i to float
  %bitcast.vector = bitcast <4 x i8> %v to i32
  %addrspacecast = addrspacecast ptr addrspace(1) %g to ptr
  %extended = zext <4 x i8> %v to <4 x i32>
  ret void
}

define  <4 x i32> @vectors(<4 x i32> %v, <4 x i32> %w, i32 %i, <vscale x 4 x i32> %s)  {
b.0:
  %extract = extractelement <4 x i32> %v, i32 2
  %extract.variable = extractelement <4 x i32> %v, i32 %i
  %extract.wide = extractelement <vscale x 4 x i32> %s, i64 0
  %insert = insertelement <4 x i32> %v, i32 %i, i64 3
  %shuffle = shufflevector <4 x i32> %v, <4 x i32> %w, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
  %shuffle.wide = shufflevector <4 x i32> %v, <4 x i32> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 poison, i32 undef, i32 0, i32 0>
  %shuffle.zero = shufflevector <4 x i32> %v, <4 x i32> undef, <4 x i32> zeroinitializer
  %shuffle.poison = shufflevector <4 x i32> %v, <4 x i32> undef, <2 x i32> poison
  %shuffle.splat = shufflevector <4 x i32> %v, <4 x i32> undef, <2 x i32> splat ( i32 1)
  %shuffle.scalable = shufflevector <vscale x 4 x i32> %s, <vscale x 4 x i32> poison, <vscale x 4 x i32> zeroinitializer
  %twice.new.1.30 = shufflevector <vscale x 4 x i32> %s, <vscale x 4 x i32> poison, <vscale x 4 x i32> zeroinitializer
  ret <4 x i32> %shuffle
}

define  { i32, [2 x float] } @aggregates({ i32, [2 x float] } %s, i32 %i)  {
b.0:
  %extract = extractvalue { i32, [2 x float] } %s, 1, 0
  %insert = insertvalue { i32, [2 x float] } %s, i32 %i, 0
  %deep = insertvalue { i32, [2 x float] } %insert, float %extract, 1, 1
  %fresh = insertvalue { i32, [2 x float] } poison, i32 7, 0
  ret { i32, [2 x float] } %deep
}

define  i32 @choose(i1 %c, i32 %a, i32 %b, <4 x i1> %m, <4 x float> %v, { i8, ptr } %s)  {
entry:
  %select = select i1 %c, i32 %a, i32 %b
  %vector = select <4 x i1> %m, <4 x float> %v, <4 x float> zeroinitializer
  %fast = select nnan nsz i1 %c, float 1.0, float -1.0
  %whole = select i1 %c, { i8, ptr } %s, { i8, ptr } zeroinitializer
  %freeze = freeze i32 %select
  %freeze.poison = freeze <4 x i32> poison
  %freeze.struct = freeze { i8, ptr } %s
  br i1 %c, label %left, label %right
left:
  br label %right
right:
  %phi = phi i32 [ %a, %entry ], [ 3, %left ]
  %phi.fast = phi fast float [ 0.0, %entry ], [ 1.0, %left ]
  %phi.pointer = phi ptr [ null, %left ], [ @choose, %entry ]
  %phi.struct = phi { i8, ptr } [ %s, %entry ], [ {i8 63, ptr undef}, %left ]
  ret i32 %phi
}
