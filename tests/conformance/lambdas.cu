// Operations in lambdas: captured by copy and by reference, given to a template, called at once, generic.
template <typename F> __device__ unsigned apply(bool ask, F f) {
  if (ask) return f(1u);
  return 0;
}
struct Holder {
  unsigned factor;
  __device__ unsigned scaled(bool ask) {
    auto inner = [=](bool now) { return now ? factor * __activemask() : 0u; };
    return inner(ask);
  }
};
__global__ void k(unsigned *out) {
  unsigned id = threadIdx.x, seen = 0;
  auto note = [&seen, id](unsigned bit) mutable {
    if (id & bit) seen += __activemask();
    id = 0;
  };
  note(1);
  note(2);
  unsigned given = apply(id < 2, [=](auto weight) { return weight * 100u * __activemask(); });
  unsigned once = [&] { return id == 2 ? 1000u * __activemask() : 0u; }();
  Holder holder{10000};
  out[id] = seen + given + once + holder.scaled(id != 0);
}
