#include <stdlib.h>

#include "test.h"

static void *allocate(void *context, size_t size) {
  failing *state = context;
  state->calls += 1;
  if (state->fail_at != 0 &&
      (state->calls == state->fail_at || (state->for_good && state->calls > state->fail_at))) {
    return NULL;
  }
  void *memory = malloc(size);
  if (memory == NULL) abort();
  memset(memory, 0xa5, size);
  state->living += 1;
  return memory;
}

static void release(void *context, void *memory) {
  failing *state = context;
  if (memory == NULL) abort();
  state->living -= 1;
  free(memory);
}

hp_allocator failing_allocator(failing *state) {
  hp_allocator allocator = {allocate, release, state};
  return allocator;
}
