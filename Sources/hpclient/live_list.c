#include "live.h"

#include <string.h>

/* A block that is kept when a list is emptied. */
#define HP_LIST_KEPT (64 * 1024)

bool hp_list_reserve(const hp_allocator *allocator, hp_list *list, size_t more, size_t size) {
  if (more <= list->capacity - list->count) return true;
  if (more > SIZE_MAX / 4 / size || list->count > SIZE_MAX / 4 / size) return false;
  size_t capacity = list->capacity < 8 ? 8 : list->capacity * 2;
  while (capacity < list->count + more) capacity *= 2;
  void *grown = hp_allocate(allocator, capacity * size);
  if (grown == NULL) return false;
  if (list->count > 0) memcpy(grown, list->items, list->count * size);
  hp_release(allocator, list->items);
  list->items = grown;
  list->capacity = capacity;
  return true;
}

bool hp_list_add(const hp_allocator *allocator, hp_list *list, const void *items, size_t count,
                 size_t size) {
  if (count == 0) return true;
  if (!hp_list_reserve(allocator, list, count, size)) return false;
  memcpy((uint8_t *)list->items + list->count * size, items, count * size);
  list->count += count;
  return true;
}

void hp_list_clear(const hp_allocator *allocator, hp_list *list, size_t size) {
  list->count = 0;
  if (list->capacity * size > HP_LIST_KEPT) hp_list_free(allocator, list);
}

void hp_list_free(const hp_allocator *allocator, hp_list *list) {
  hp_release(allocator, list->items);
  memset(list, 0, sizeof *list);
}

/* Sorting: what the server sends is mostly sorted already; else a heap. */

static void swap_items(uint8_t *a, uint8_t *b, size_t size) {
  uint8_t held[64];
  while (size > 0) {
    size_t some = size < sizeof held ? size : sizeof held;
    memcpy(held, a, some);
    memcpy(a, b, some);
    memcpy(b, held, some);
    a += some;
    b += some;
    size -= some;
  }
}

static void sift_down(uint8_t *items, size_t at, size_t count, size_t size,
                      int (*compare)(const void *, const void *)) {
  for (;;) {
    size_t largest = at;
    for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < count; child++) {
      if (compare(items + child * size, items + largest * size) > 0) largest = child;
    }
    if (largest == at) return;
    swap_items(items + at * size, items + largest * size, size);
    at = largest;
  }
}

void hp_sort_items(void *items, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  uint8_t *bytes = items;
  bool sorted = true;
  for (size_t i = 1; i < count && sorted; i++) {
    sorted = compare(bytes + (i - 1) * size, bytes + i * size) <= 0;
  }
  if (sorted) return;
  for (size_t at = count / 2; at-- > 0;) sift_down(bytes, at, count, size, compare);
  for (size_t end = count; end-- > 1;) {
    swap_items(bytes, bytes + end * size, size);
    sift_down(bytes, 0, end, size, compare);
  }
}
