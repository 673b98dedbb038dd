// A program that threads enter one by one.
[[clang::convergent]] void together(int);

int main() {
  together(1);
  return 0;
}
