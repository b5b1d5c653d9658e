#include "live.h"

#include <string.h>

static uint64_t id_of_slot(const void *context, uint32_t slot) {
  const hp_state *state = context;
  return state->images[slot]->id;
}

static uint64_t id_of_list(const void *context, uint32_t list) {
  const hp_state *state = context;
  return state->by_list[list]->shown.id;
}

hp_state *hp_state_new(const hp_allocator *allocator) {
  hp_state *state = hp_allocate(allocator, sizeof *state);
  if (state == NULL) return NULL;
  memset(state, 0, sizeof *state);
  state->allocator = *allocator;
  state->free_slot = HP_NONE;
  hp_pool_init(&state->pool, &state->allocator);
  hp_ids_init(&state->ids, &state->allocator, id_of_slot, state);
  hp_ids_init(&state->section_ids, &state->allocator, id_of_list, state);
  hp_order_init(&state->order, &state->allocator);
  hp_own_policies_init(&state->own_policies, &state->allocator);
  hp_homes_init(&state->homes, &state->allocator);
  return state;
}

void hp_state_free(hp_state *state) {
  if (state == NULL) return;
  hp_allocator allocator = state->allocator;
  for (uint32_t list = 0; list < state->order.list_count; list++) {
    if (state->by_list[list] != NULL) hp_arena_free(state->by_list[list]->arena);
  }
  hp_pool_free_all(&state->pool);
  hp_ids_free(&state->ids);
  hp_ids_free(&state->section_ids);
  hp_order_free(&state->order);
  hp_own_policies_free(&state->own_policies);
  hp_homes_free(&state->homes);
  hp_arena_free(state->window_arena);
  hp_list_free(&allocator, &state->sections);
  hp_release(&allocator, state->images);
  hp_release(&allocator, state->by_list);
  hp_release(&allocator, state->cells);
  hp_arena_free(state->name_arena);
  hp_arena_free(state->columns_arena);
  hp_arena_free(state->headers_arena);
  hp_arena_free(state->policy_arena);
  hp_release(&allocator, state);
}

/* Rows */

/* Free slots are a chain of odd numbers in the places of their images. */
static hp_image *free_link(uint32_t next) {
  return (hp_image *)((uintptr_t)next << 1 | 1); /* HP_NONE is 32 bits of ones */
}

static uint32_t linked_slot(const hp_image *link) { return (uint32_t)((uintptr_t)link >> 1); }

size_t hp_state_row_count(const hp_state *state) { return state->ids.count; }

uint32_t hp_state_find_row(const hp_state *state, uint64_t id) {
  return hp_ids_find(&state->ids, id);
}

static bool reserve_slot(hp_state *state) {
  if (state->free_slot != HP_NONE) return true;
  if (state->slot_count == state->image_capacity) {
    if (state->image_capacity > HP_NONE / 4) return false;
    size_t capacity = state->image_capacity < 64 ? 64 : state->image_capacity * 2;
    hp_image **images = hp_allocate(&state->allocator, capacity * sizeof *images);
    if (images == NULL) return false;
    if (state->slot_count > 0) {
      memcpy(images, state->images, state->slot_count * sizeof *images);
    }
    hp_release(&state->allocator, state->images);
    state->images = images;
    state->image_capacity = capacity;
  }
  return hp_order_know_slot(&state->order, state->slot_count);
}

bool hp_state_put_image(hp_state *state, hp_image *image) {
  uint32_t slot = hp_ids_find(&state->ids, image->id);
  if (slot != HP_NONE) {
    hp_image_free(&state->pool, state->images[slot]);
    state->images[slot] = image;
    return true;
  }
  if (!reserve_slot(state) || !hp_ids_reserve(&state->ids)) return false;
  if (state->free_slot != HP_NONE) {
    slot = state->free_slot;
    state->free_slot = linked_slot(state->images[slot]);
  } else {
    slot = state->slot_count++;
  }
  state->images[slot] = image;
  hp_ids_add(&state->ids, image->id, slot);
  return true;
}

void hp_state_drop_row(hp_state *state, uint32_t slot) {
  hp_image *image = state->images[slot];
  hp_own_policies_drop(&state->own_policies, image->id);
  hp_ids_remove(&state->ids, image->id);
  hp_image_free(&state->pool, image);
  state->images[slot] = free_link(state->free_slot);
  state->free_slot = slot;
}

/* Sections */

hp_live_section *hp_state_find_section(const hp_state *state, uint64_t id) {
  uint32_t list = hp_ids_find(&state->section_ids, id);
  return list == HP_NONE ? NULL : state->by_list[list];
}

/* An arena of its own, which holds the section's record and its texts. */
static hp_arena *keep_section(hp_state *state, const hp_section *section, hp_section *kept) {
  hp_arena *arena = hp_arena_new(&state->allocator, sizeof(hp_live_section) + 64);
  hp_maker maker = {arena, NULL, HP_ERROR_NONE, ""};
  if (arena == NULL) return NULL;
  hp_keep_section(&maker, kept, section);
  if (maker.fault == HP_ERROR_NONE) return arena;
  hp_arena_free(arena);
  return NULL;
}

static bool reserve_list(hp_state *state, uint32_t list) {
  if (list < state->by_list_capacity) return true;
  size_t capacity = state->by_list_capacity == 0 ? 4 : state->by_list_capacity * 2;
  hp_live_section **by_list = hp_allocate(&state->allocator, capacity * sizeof *by_list);
  if (by_list == NULL) return false;
  memset(by_list, 0, capacity * sizeof *by_list);
  if (state->by_list_capacity > 0) {
    memcpy(by_list, state->by_list, state->by_list_capacity * sizeof *by_list);
  }
  hp_release(&state->allocator, state->by_list);
  state->by_list = by_list;
  state->by_list_capacity = capacity;
  return true;
}

hp_live_section *hp_state_add_section(hp_state *state, const hp_section *section) {
  /* First of all the place for every list there is: freeing goes through all of them. */
  if (!reserve_list(state, state->order.list_count) || !hp_ids_reserve(&state->section_ids)) {
    return NULL;
  }
  hp_section kept;
  hp_arena *arena = keep_section(state, section, &kept);
  hp_live_section *made = arena == NULL ? NULL : hp_arena_take(arena, sizeof *made);
  uint32_t list = made == NULL ? HP_NONE : hp_order_add_list(&state->order);
  if (list == HP_NONE) {
    hp_arena_free(arena);
    return NULL;
  }
  memset(made, 0, sizeof *made);
  made->shown = kept;
  made->arena = arena;
  made->list = list;
  state->by_list[list] = made;
  hp_ids_add(&state->section_ids, section->id, list);
  return made;
}

bool hp_state_put_section(hp_state *state, hp_live_section *section, const hp_section *shown) {
  hp_section kept;
  hp_arena *arena = keep_section(state, shown, &kept);
  hp_live_section *moved = arena == NULL ? NULL : hp_arena_take(arena, sizeof *moved);
  if (moved == NULL) {
    hp_arena_free(arena);
    return false;
  }
  *moved = *section;
  kept.index = section->shown.index;
  moved->shown = kept;
  moved->arena = arena;
  hp_live_section **sections = state->sections.items;
  if (kept.index < state->sections.count && sections[kept.index] == section) {
    sections[kept.index] = moved;
  }
  state->by_list[section->list] = moved;
  hp_arena_free(section->arena);
  return true;
}

void hp_state_drop_section(hp_state *state, hp_live_section *section) {
  hp_ids_remove(&state->section_ids, section->shown.id);
  hp_order_drop_list(&state->order, section->list);
  state->by_list[section->list] = NULL;
  hp_arena_free(section->arena);
}

void hp_state_number_sections(hp_state *state) {
  for (size_t i = 0; i < state->sections.count; i++) hp_state_section_at(state, i)->shown.index = i;
}

/* The table's record */

static bool put_arena(hp_arena **kept, hp_arena *fresh, const hp_maker *maker) {
  if (maker->fault != HP_ERROR_NONE) {
    hp_arena_free(fresh);
    return false;
  }
  hp_arena_free(*kept);
  *kept = fresh;
  return true;
}

static hp_arena *begin_arena(hp_state *state, hp_maker *maker) {
  hp_arena *arena = hp_arena_new(&state->allocator, 0);
  hp_maker made = {arena, NULL, arena == NULL ? HP_ERROR_MEMORY : HP_ERROR_NONE, ""};
  *maker = made;
  return arena;
}

bool hp_state_put_name(hp_state *state, const char *name) {
  hp_maker maker;
  hp_arena *arena = begin_arena(state, &maker);
  const char *kept = hp_make_text(&maker, name == NULL ? "" : name);
  if (!put_arena(&state->name_arena, arena, &maker)) return false;
  state->info.name = kept;
  return true;
}

static int compare_columns(const void *a, const void *b) {
  const hp_column *const *left = a;
  const hp_column *const *right = b;
  return (*left)->id < (*right)->id ? -1 : (*left)->id > (*right)->id;
}

bool hp_state_put_columns(hp_state *state, const hp_column *columns, size_t count) {
  if (count > state->cell_capacity) {
    hp_cell *cells = hp_allocate(&state->allocator, count * sizeof *cells);
    if (cells == NULL) return false;
    hp_release(&state->allocator, state->cells);
    state->cells = cells;
    state->cell_capacity = count;
  }
  hp_maker maker;
  hp_arena *arena = begin_arena(state, &maker);
  hp_column *kept = hp_make_array(&maker, count, sizeof *kept);
  const hp_column **by_id = hp_make_array(&maker, count, sizeof *by_id);
  for (size_t i = 0; i < count && maker.fault == HP_ERROR_NONE; i++) {
    hp_keep_column(&maker, &kept[i], &columns[i]);
    by_id[i] = &kept[i];
  }
  if (!put_arena(&state->columns_arena, arena, &maker)) return false;
  if (count > 0) hp_sort_items(by_id, count, sizeof *by_id, compare_columns);
  state->info.columns = kept;
  state->info.column_count = count;
  state->by_id = by_id;
  return true;
}

bool hp_state_put_headers(hp_state *state, const hp_header_footer *header,
                          const hp_header_footer *footer) {
  hp_maker maker;
  hp_arena *arena = begin_arena(state, &maker);
  const hp_header_footer *kept_header = hp_keep_header_footer(&maker, header);
  const hp_header_footer *kept_footer = hp_keep_header_footer(&maker, footer);
  if (!put_arena(&state->headers_arena, arena, &maker)) return false;
  state->info.header = kept_header;
  state->info.footer = kept_footer;
  return true;
}

bool hp_state_put_policy(hp_state *state, const hp_policy *policy) {
  hp_maker maker;
  hp_arena *arena = begin_arena(state, &maker);
  const hp_policy *kept = hp_keep_policy(&maker, policy);
  if (!put_arena(&state->policy_arena, arena, &maker)) return false;
  state->info.policy = kept;
  return true;
}
