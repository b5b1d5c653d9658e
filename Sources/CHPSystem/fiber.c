#define _GNU_SOURCE
#include "hp_fiber.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

struct hp_fiber {
  ucontext_t own;
  ucontext_t caller;
  void (*body)(void *context);
  void *context;
  char *memory;
  size_t size;
  bool done;
};

/* makecontext hands over ints only: the pointer goes in two halves. */
static void begin(unsigned high, unsigned low) {
  hp_fiber *fiber = (hp_fiber *)(((uintptr_t)high << 32) | low);
  fiber->body(fiber->context);
  fiber->done = true;
  swapcontext(&fiber->own, &fiber->caller);
}

hp_fiber *hp_fiber_new(size_t size, void (*body)(void *context), void *context) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size = (size + page - 1) / page * page + page;
  hp_fiber *fiber = calloc(1, sizeof *fiber);
  if (fiber == NULL) return NULL;
  fiber->memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (fiber->memory == MAP_FAILED) {
    free(fiber);
    return NULL;
  }
  fiber->size = size;
  fiber->body = body;
  fiber->context = context;
  if (mprotect(fiber->memory, page, PROT_NONE) != 0 || getcontext(&fiber->own) != 0) {
    hp_fiber_free(fiber);
    return NULL;
  }
  fiber->own.uc_stack.ss_sp = fiber->memory + page;
  fiber->own.uc_stack.ss_size = size - page;
  fiber->own.uc_link = NULL;
  uintptr_t self = (uintptr_t)fiber;
  makecontext(&fiber->own, (void (*)(void))begin, 2, (unsigned)((uint64_t)self >> 32),
              (unsigned)self);
  return fiber;
}

bool hp_fiber_resume(hp_fiber *fiber) {
  if (!fiber->done) swapcontext(&fiber->caller, &fiber->own);
  return !fiber->done;
}

void hp_fiber_pause(hp_fiber *fiber) { swapcontext(&fiber->own, &fiber->caller); }

void hp_fiber_free(hp_fiber *fiber) {
  munmap(fiber->memory, fiber->size);
  free(fiber);
}
