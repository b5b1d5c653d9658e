#define _GNU_SOURCE
#include "hp_pages.h"

#include <stdint.h>
#include <sys/mman.h>

enum { PAGE = 4096, LARGE = 2 << 20, REGION = 32 << 20 };

/* What is left of the thread's newest region. Addresses are not used again: there are enough of
 * them. */
static _Thread_local unsigned char *next, *end;

static size_t whole_pages(size_t size) { return (size + PAGE - 1) & ~(size_t)(PAGE - 1); }

static int add_region(void) {
  unsigned char *memory = mmap(NULL, REGION + LARGE, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return 0;
  size_t before = (size_t)(-(uintptr_t)memory & (LARGE - 1));
  if (before > 0) munmap(memory, before);
  if (before < LARGE) munmap(memory + before + REGION, LARGE - before);
  if (next != end) munmap(next, (size_t)(end - next));
  next = memory + before;
  end = next + REGION;
  /* Without large pages it is memory all the same. */
  (void)madvise(next, REGION, MADV_HUGEPAGE);
  return 1;
}

void *hp_pages_take(size_t size) {
  size = whole_pages(size);
  if (size == 0 || size > REGION / 2) return NULL;
  if ((size_t)(end - next) < size && !add_region()) return NULL;
  void *taken = next;
  next += size;
  return taken;
}

void hp_pages_give(void *memory, size_t size) { munmap(memory, whole_pages(size)); }
