#include "live.h"

/* Policies of single rows: few, so they lie apart from the rows. */

typedef struct own_policy {
  uint64_t row;
  hp_arena *arena;
  const hp_policy *policy;
} own_policy;

static uint64_t row_of(const void *context, uint32_t at) {
  const hp_own_policies *own = context;
  return ((const own_policy *)own->list.items)[at].row;
}

void hp_own_policies_init(hp_own_policies *own, const hp_allocator *allocator) {
  hp_list none = {NULL, 0, 0};
  own->list = none;
  hp_ids_init(&own->ids, allocator, row_of, own);
}

void hp_own_policies_free(hp_own_policies *own) {
  own_policy *all = own->list.items;
  for (size_t i = 0; i < own->list.count; i++) hp_arena_free(all[i].arena);
  hp_list_free(own->ids.allocator, &own->list);
  hp_ids_free(&own->ids);
}

void hp_own_policies_drop(hp_own_policies *own, uint64_t row) {
  uint32_t at = hp_ids_find(&own->ids, row);
  if (at == HP_NONE) return;
  own_policy *all = own->list.items;
  uint32_t last = (uint32_t)own->list.count - 1;
  hp_ids_remove(&own->ids, row);
  hp_arena_free(all[at].arena);
  if (at != last) {
    hp_ids_remove(&own->ids, all[last].row);
    all[at] = all[last];
    hp_ids_add(&own->ids, all[at].row, at);
  }
  own->list.count -= 1;
}

bool hp_own_policies_put(hp_own_policies *own, uint64_t row, const hp_policy *policy) {
  const hp_allocator *allocator = own->ids.allocator;
  hp_own_policies_drop(own, row);
  if (policy == NULL) return true;
  if (own->list.count >= HP_NONE - 1 ||
      !hp_list_reserve(allocator, &own->list, 1, sizeof(own_policy)) ||
      !hp_ids_reserve(&own->ids)) {
    return false;
  }
  hp_arena *arena = hp_arena_new(allocator, sizeof *policy);
  if (arena == NULL) return false;
  hp_maker maker = {arena, NULL, HP_ERROR_NONE, ""};
  own_policy made = {row, arena, hp_keep_policy(&maker, policy)};
  if (maker.fault != HP_ERROR_NONE) {
    hp_arena_free(arena);
    return false;
  }
  ((own_policy *)own->list.items)[own->list.count++] = made;
  hp_ids_add(&own->ids, row, (uint32_t)own->list.count - 1);
  return true;
}

const hp_policy *hp_own_policies_of(const hp_own_policies *own, uint64_t row) {
  uint32_t at = hp_ids_find(&own->ids, row);
  return at == HP_NONE ? NULL : ((const own_policy *)own->list.items)[at].policy;
}
