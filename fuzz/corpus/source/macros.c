#define A0(x) ((x) + 1)
#define A1(x) A0(A0(x))
#define PASTE(a, b) a##b
#define TEXT(x) #x
#if defined(A0) && (1 << 3) == 8
__attribute__((convergent)) int op(int);
#else
#error no
#endif
int f(int PASTE(n, 1)) {
  const char *name = TEXT(a "b\n");
  return op(A1(A1(n1))) + name[0];
}
