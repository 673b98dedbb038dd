// Lists in private memory whose nodes point at each other: built, reversed, walked.
// RUN: --grid 2 --block 32 --arg in=u32[64]{random:28} --arg out=u32[128]
typedef struct node {
  uint value;
  private struct node *next;
} node;

kernel void lists(global const uint *in, global uint *out) {
  node pool[20];
  int i = get_global_id(0), length = in[i] % 19 + 1;
  private node *head = 0;
  uint x = in[i];
  for (int k = 0; k < length; ++k) {
    x = x * 69069 + 1;
    private node *fresh = &pool[k];
    fresh->value = x >> 16;
    private node *private *link = &head;
    while (*link && (*link)->value < fresh->value)
      link = &(*link)->next;
    fresh->next = *link;
    *link = fresh;
  }
  uint ordered = 1, sum = 0;
  for (private node *n = head; n; n = n->next) {
    ordered &= !n->next || n->value <= n->next->value;
    sum = sum * 33 + n->value;
  }
  private node *back = 0;
  while (head) {
    private node *next = head->next;
    head->next = back;
    back = head;
    head = next;
  }
  for (; back; back = back->next)
    sum = sum * 33 + back->value;
  out[2 * i] = ordered;
  out[2 * i + 1] = sum;
}
