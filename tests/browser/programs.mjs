// Programs that are made up for their size.

/** A function of many blocks: branches in a row, every tenth of them in a cycle. @param {number} count */
export function large(count) {
  const lines = ["declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()", "define void @large(i32 %n) {", "entry:", "  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()", "  br label %b0"];
  const parts = Math.floor(count / 4);
  for (let part = 0; part < parts; part += 1) {
    const [next, back] = [part + 1 === parts ? "end" : `b${part + 1}`, part % 10 === 0 ? `b${part}` : null];
    lines.push(`b${part}:`, `  %c${part} = icmp ult i32 ${part % 3 === 0 ? "%tid" : "%n"}, ${part}`, `  br i1 %c${part}, label %t${part}, label %f${part}`,
      `t${part}:`, `  br label %j${part}`, `f${part}:`, `  br label %j${part}`, `j${part}:`,
      back ? `  br i1 %c${part}, label %${back}, label %${next}` : `  br label %${next}`);
  }
  return [...lines, "end:", "  ret void", "}", ""].join("\n");
}

/** A step of a kernel: a loop that threads leave in different iterations, and a reduction. */
const phase = (number) => `    for (int at = i + ${number}; at < n; at += gridDim.x * blockDim.x) {
        float value = in[at];
        if (value > ${number}.0f)
            sum += value;
    }
    scratch[t] = sum;
    __syncthreads();
    for (int width = blockDim.x / 2; width > 0; width /= 2) {
        if (t < width)
            scratch[t] += scratch[t + width];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x + ${number}] = scratch[0];
    __syncthreads();
`;

const kernel = (name, phases) => `__global__ void ${name}(const float *in, float *out, int n) {
    __shared__ float scratch[256];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    float sum = 0.0f;
${Array.from({ length: phases }, (_, number) => phase(number)).join("")}}
`;

/** One kernel with so many lines, in CUDA. @param {number} lines */
export const oneKernel = (lines) => kernel("phases", Math.ceil(lines / 15));

/** Kernels with so many lines together, in CUDA. @param {number} lines */
export const manyKernels = (lines) => Array.from({ length: Math.ceil(lines / 21) }, (_, number) => kernel(`phase${number}`, 1)).join("\n");
