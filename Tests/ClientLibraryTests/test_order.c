/* The parts of a copy: lists of slots as counted trees, ids, images. */
#include <stdlib.h>

#include "live.h"
#include "test.h"
#include "tests.h"

static uint32_t seed;

static uint32_t below(uint32_t limit) {
  seed = seed * 1664525u + 1013904223u;
  return (uint32_t)((uint64_t)(seed >> 4) * limit >> 28);
}

typedef struct plain_list {
  uint32_t slots[4096];
  uint32_t count;
} plain_list;

static void check_lists(const hp_order *order, const plain_list *lists, const uint32_t *numbers,
                        uint32_t count) {
  size_t placed = 0;
  for (uint32_t i = 0; i < count; i++) {
    placed += lists[i].count;
    if (hp_order_count(order, numbers[i]) != lists[i].count) {
      check_failed("list", (int)i, "the counts are equal");
      return;
    }
    for (uint32_t at = 0; at < lists[i].count;) {
      uint32_t some[HP_LEAF_SLOTS];
      uint32_t got = hp_order_read(order, numbers[i], at, some, HP_LEAF_SLOTS);
      for (uint32_t j = 0; j < got; j++, at++) {
        uint32_t list = 0;
        uint32_t index = 0;
        hp_order_find(order, some[j], &list, &index);
        if (some[j] != lists[i].slots[at] || list != numbers[i] || index != at ||
            hp_order_at(order, numbers[i], at) != some[j]) {
          check_failed("place", (int)at, "the slots are equal");
          return;
        }
      }
    }
  }
  CHECK(order->placed == placed);
}

static void put(hp_order *order, uint32_t number, plain_list *list, uint32_t at, uint32_t slot) {
  CHECK(hp_order_know_slot(order, slot) && !hp_order_is_placed(order, slot));
  CHECK(hp_order_insert(order, number, at, slot));
  memmove(list->slots + at + 1, list->slots + at, (list->count - at) * sizeof(uint32_t));
  list->slots[at] = slot;
  list->count += 1;
}

static uint32_t take(hp_order *order, plain_list *list, uint32_t at) {
  uint32_t slot = list->slots[at];
  hp_order_remove(order, slot);
  CHECK(!hp_order_is_placed(order, slot));
  list->count -= 1;
  memmove(list->slots + at, list->slots + at + 1, (list->count - at) * sizeof(uint32_t));
  return slot;
}

TEST(keeps_slots_in_order) {
  static plain_list lists[3];
  hp_allocator allocator = hp_allocator_or_default(NULL);
  for (uint32_t round = 1; round <= 12; round++) {
    hp_order order;
    uint32_t numbers[3];
    uint32_t spare[4096];
    uint32_t spare_count = 0;
    uint32_t next = 0;
    seed = round;
    hp_order_init(&order, &allocator);
    for (uint32_t i = 0; i < 3; i++) {
      numbers[i] = hp_order_add_list(&order);
      lists[i].count = 0;
    }
    /* Grows, then moves, then shrinks, in a way that differs from round to round. */
    for (int step = 0; step < 9000; step++) {
      uint32_t which = below(3);
      plain_list *list = &lists[which];
      uint32_t grows = step < 4000 ? 80 : step < 6500 ? 50 : 10;
      if (list->count < 3500 && below(100) < grows) {
        uint32_t slot = spare_count > 0 ? spare[--spare_count] : next++;
        uint32_t at = round % 3 == 0 ? list->count : below(list->count + 1);
        put(&order, numbers[which], list, at, slot);
      } else if (list->count > 0) {
        uint32_t at = round % 4 == 1 ? 0 : below(list->count);
        uint32_t slot = take(&order, list, at);
        if (below(2) == 0) {
          uint32_t to = below(3);
          put(&order, numbers[to], &lists[to], below(lists[to].count + 1), slot);
        } else {
          spare[spare_count++] = slot;
        }
      }
      if (step % 1500 == 1499) check_lists(&order, lists, numbers, 3);
    }
    hp_order_drop_list(&order, numbers[1]);
    lists[1].count = 0;
    numbers[1] = hp_order_add_list(&order);
    CHECK(numbers[1] != HP_NONE);
    check_lists(&order, lists, numbers, 3);
    while (lists[0].count > 0) take(&order, &lists[0], below(lists[0].count));
    hp_order_clear_list(&order, numbers[2]);
    lists[2].count = 0;
    check_lists(&order, lists, numbers, 3);
    /* All nodes were given back. */
    CHECK(order.placed == 0 && order.free_count == order.chunk_count * HP_NODE_CHUNK);
    hp_order_free(&order);
  }
}

static uint64_t ids_of_test[3000];
static uint64_t id_of(const void *context, uint32_t value) {
  (void)context;
  return ids_of_test[value];
}

TEST(finds_ids) {
  hp_allocator allocator = hp_allocator_or_default(NULL);
  static bool there[3000];
  hp_ids ids;
  seed = 5;
  hp_ids_init(&ids, &allocator, id_of, NULL);
  memset(there, 0, sizeof there);
  for (uint32_t i = 0; i < 3000; i++) ids_of_test[i] = i % 3 == 0 ? i : (uint64_t)i << (i % 40);
  /* Different ones only. */
  for (uint32_t i = 0; i < 3000; i++) ids_of_test[i] = ids_of_test[i] * 4096 + i;
  size_t count = 0;
  for (int step = 0; step < 60000; step++) {
    uint32_t value = below(3000);
    CHECK(hp_ids_find(&ids, ids_of_test[value]) == (there[value] ? value : HP_NONE));
    if (there[value]) {
      hp_ids_remove(&ids, ids_of_test[value]);
      count -= 1;
    } else {
      CHECK(hp_ids_reserve(&ids));
      hp_ids_add(&ids, ids_of_test[value], value);
      count += 1;
    }
    there[value] = !there[value];
    CHECK(ids.count == count);
  }
  hp_ids_free(&ids);
}

TEST(keeps_rows_as_images) {
  hp_allocator allocator = hp_allocator_or_default(NULL);
  static char long_text[3000];
  hp_pool pool;
  hp_pool_init(&pool, &allocator);
  memset(long_text, 'x', sizeof long_text - 1);
  hp_image *images[64];
  for (int round = 0; round < 50; round++) {
    for (int i = 0; i < 64; i++) {
      hp_cell cells[] = {
          hp_cell_in(1, hp_cell_text(NULL, long_text + (sizeof long_text - 1 - (size_t)(i * round)
                                                        % (sizeof long_text - 1)))),
          hp_cell_in(2, hp_cell_integer(NULL, i % 2 ? INT64_MIN : INT64_MAX)),
          hp_cell_in(3, hp_cell_null(NULL)),
          hp_cell_in(UINT64_C(1) << 52, hp_cell_boolean(NULL, true)),
          hp_cell_in((UINT64_C(1) << 52) + 1, hp_cell_date(NULL, -i)),
      };
      hp_row row = {.id = (uint64_t)i, .revision = 7, .cells = cells, .cell_count = 5};
      images[i] = hp_image_make(&pool, &row);
      CHECK(images[i] != NULL && images[i]->id == (uint64_t)i && images[i]->revision == 7);
      size_t at = 0;
      hp_cell read;
      for (int cell = 0; cell < 5; cell++) {
        if (cell == 2) continue;
        CHECK(hp_image_next(images[i], &at, &read) && read.column == cells[cell].column &&
              read.kind == cells[cell].kind && read.number == cells[cell].number);
        if (cell == 0) CHECK(strcmp(read.text, cells[0].text) == 0);
      }
      CHECK(!hp_image_next(images[i], &at, &read));
    }
    for (int i = 0; i < 64; i++) hp_image_free(&pool, images[(i * 13) % 64]);
  }
  hp_pool_free_all(&pool);
}

static int by_number(const void *a, const void *b) {
  uint32_t left = *(const uint32_t *)a;
  uint32_t right = *(const uint32_t *)b;
  return left < right ? -1 : left > right;
}

TEST(sorts_without_memory) {
  seed = 9;
  for (uint32_t count = 0; count < 200; count++) {
    uint32_t numbers[200];
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++) sum += numbers[i] = below(count);
    hp_sort_items(numbers, count, sizeof *numbers, by_number);
    for (uint32_t i = 0; i < count; i++) {
      sum -= numbers[i];
      CHECK(i == 0 || numbers[i - 1] <= numbers[i]);
    }
    CHECK(sum == 0);
  }
}
