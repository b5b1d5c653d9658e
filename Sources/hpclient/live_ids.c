#include "live.h"

#include <string.h>

/* Open addressing, linear probing; a removal moves later ones back, so there are no tombstones. */

void hp_ids_init(hp_ids *ids, const hp_allocator *allocator,
                 uint64_t (*id_of)(const void *context, uint32_t value), const void *context) {
  memset(ids, 0, sizeof *ids);
  ids->allocator = allocator;
  ids->id_of = id_of;
  ids->context = context;
}

void hp_ids_free(hp_ids *ids) {
  hp_release(ids->allocator, ids->table);
  hp_ids_init(ids, ids->allocator, ids->id_of, ids->context);
}

static size_t home_of(const hp_ids *ids, uint64_t id) {
  uint64_t mixed = id * UINT64_C(0x9e3779b97f4a7c15);
  return (size_t)(mixed ^ mixed >> 32) & (ids->capacity - 1);
}

/* Where the id is, or the empty place where it would be. */
static size_t place_of(const hp_ids *ids, uint64_t id) {
  size_t at = home_of(ids, id);
  while (ids->table[at] != HP_NONE && ids->id_of(ids->context, ids->table[at]) != id) {
    at = (at + 1) & (ids->capacity - 1);
  }
  return at;
}

uint32_t hp_ids_find(const hp_ids *ids, uint64_t id) {
  return ids->capacity == 0 ? HP_NONE : ids->table[place_of(ids, id)];
}

bool hp_ids_reserve(hp_ids *ids) {
  if (ids->count + 1 <= ids->capacity / 4 * 3) return true;
  if (ids->capacity > SIZE_MAX / 8 / sizeof *ids->table) return false;
  size_t capacity = ids->capacity == 0 ? 16 : ids->capacity * 2;
  uint32_t *table = hp_allocate(ids->allocator, capacity * sizeof *table);
  if (table == NULL) return false;
  memset(table, 0xff, capacity * sizeof *table);
  uint32_t *old = ids->table;
  size_t old_capacity = ids->capacity;
  ids->table = table;
  ids->capacity = capacity;
  for (size_t i = 0; i < old_capacity; i++) {
    if (old[i] != HP_NONE) table[place_of(ids, ids->id_of(ids->context, old[i]))] = old[i];
  }
  hp_release(ids->allocator, old);
  return true;
}

void hp_ids_add(hp_ids *ids, uint64_t id, uint32_t value) {
  ids->table[place_of(ids, id)] = value;
  ids->count += 1;
}

void hp_ids_remove(hp_ids *ids, uint64_t id) {
  size_t mask = ids->capacity - 1;
  size_t hole = place_of(ids, id);
  ids->count -= 1;
  for (size_t at = (hole + 1) & mask; ids->table[at] != HP_NONE; at = (at + 1) & mask) {
    size_t home = home_of(ids, ids->id_of(ids->context, ids->table[at]));
    /* It may move to the hole unless its home lies behind that. */
    if (((at - home) & mask) >= ((at - hole) & mask)) {
      ids->table[hole] = ids->table[at];
      hole = at;
    }
  }
  ids->table[hole] = HP_NONE;
}
