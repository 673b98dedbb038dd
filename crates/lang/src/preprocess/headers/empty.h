// Everything that kernels use of this header is built in.
