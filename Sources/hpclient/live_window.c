#include "live.h"

#include <string.h>

/*
 * Folding a window (contract F3): a run of rows as one list. Its change list becomes a change of a
 * table with one section, so that it is checked, folded and told as any other.
 */

/* Homes: the section of each row in the window. */

typedef struct home {
  uint64_t row;
  uint64_t section;
} home;

static uint64_t row_of(const void *context, uint32_t at) {
  const hp_homes *homes = context;
  return ((const home *)homes->list.items)[at].row;
}

void hp_homes_init(hp_homes *homes, const hp_allocator *allocator) {
  hp_list none = {NULL, 0, 0};
  homes->list = none;
  hp_ids_init(&homes->ids, allocator, row_of, homes);
}

void hp_homes_free(hp_homes *homes) {
  hp_list_free(homes->ids.allocator, &homes->list);
  hp_ids_free(&homes->ids);
}

uint64_t hp_homes_of(const hp_homes *homes, uint64_t row, uint64_t otherwise) {
  uint32_t at = hp_ids_find(&homes->ids, row);
  return at == HP_NONE ? otherwise : ((const home *)homes->list.items)[at].section;
}

static bool put_home(hp_homes *homes, uint64_t row, uint64_t section) {
  uint32_t at = hp_ids_find(&homes->ids, row);
  if (at != HP_NONE) {
    ((home *)homes->list.items)[at].section = section;
    return true;
  }
  home made = {row, section};
  if (homes->list.count >= HP_NONE - 1 || !hp_ids_reserve(&homes->ids) ||
      !hp_list_add(homes->ids.allocator, &homes->list, &made, 1, sizeof made)) {
    return false;
  }
  hp_ids_add(&homes->ids, row, (uint32_t)homes->list.count - 1);
  return true;
}

static void drop_home(hp_homes *homes, uint64_t row) {
  uint32_t at = hp_ids_find(&homes->ids, row);
  if (at == HP_NONE) return;
  home *all = homes->list.items;
  uint32_t last = (uint32_t)homes->list.count - 1;
  hp_ids_remove(&homes->ids, row);
  if (at != last) {
    hp_ids_remove(&homes->ids, all[last].row);
    all[at] = all[last];
    hp_ids_add(&homes->ids, all[at].row, at);
  }
  homes->list.count -= 1;
}

/* Where the window stands, and its sections. */
static bool put_place(hp_state *state, const hp_window_change *change) {
  hp_window_place *place = &state->window;
  if (change->section_count > 0 || change->reset) {
    hp_arena *arena = hp_arena_new(&state->allocator, 256);
    if (arena == NULL) return false;
    hp_maker maker = {arena, NULL, HP_ERROR_NONE, ""};
    hp_section *kept = hp_make_array(&maker, change->section_count, sizeof *kept);
    for (size_t i = 0; kept != NULL && i < change->section_count; i++) {
      hp_keep_section(&maker, &kept[i], &change->sections[i]);
    }
    if (maker.fault != HP_ERROR_NONE) {
      hp_arena_free(arena);
      return false;
    }
    hp_arena_free(state->window_arena);
    state->window_arena = arena;
    place->sections = kept;
    place->section_count = change->section_count;
  }
  place->generation = change->generation;
  place->first = change->first;
  place->before = change->before;
  place->after = change->after;
  place->anchor = change->anchor;
  return true;
}

/* All of the window at once. */

static int by_index(const void *a, const void *b) {
  const hp_window_row *left = a;
  const hp_window_row *right = b;
  return left->index < right->index ? -1 : left->index > right->index;
}

static hp_gap fill(hp_copy *copy, hp_state *state, const hp_window_change *change) {
  hp_section list = {.rows = change->insert_count};
  if (change->insert_count > HP_NONE / 2 ||
      !hp_state_put_name(state, "") ||
      !hp_state_put_columns(state, change->columns, change->column_count) ||
      !put_place(state, change) ||
      !hp_list_reserve(&state->allocator, &state->sections, 1, sizeof(void *))) {
    return HP_GAP_MEMORY;
  }
  hp_live_section *section = hp_state_add_section(state, &list);
  if (section == NULL) return HP_GAP_MEMORY;
  ((hp_live_section **)state->sections.items)[state->sections.count++] = section;
  for (size_t i = 0; i < change->row_count; i++) {
    hp_image *image = hp_image_make(&state->pool, &change->rows[i]);
    if (image == NULL) return HP_GAP_MEMORY;
    if (!hp_state_put_image(state, image)) {
      hp_image_free(&state->pool, image);
      return HP_GAP_MEMORY;
    }
  }
  if (!hp_list_add(&copy->allocator, &copy->window_rows, change->inserts, change->insert_count,
                   sizeof(hp_window_row))) {
    return HP_GAP_MEMORY;
  }
  hp_window_row *rows = copy->window_rows.items;
  if (change->insert_count > 1) {
    hp_sort_items(rows, change->insert_count, sizeof *rows, by_index);
  }
  for (size_t i = 0; i < change->insert_count; i++) {
    uint32_t slot = hp_state_find_row(state, rows[i].id);
    if (rows[i].index != i || slot == HP_NONE || hp_order_is_placed(&state->order, slot)) {
      copy->why = "a window's rows have no place";
      return HP_GAP_CONTENT;
    }
    if (!hp_order_insert(&state->order, section->list, (uint32_t)i, slot) ||
        !put_home(&state->homes, rows[i].id, rows[i].section)) {
      return HP_GAP_MEMORY;
    }
  }
  if (state->order.placed != hp_state_row_count(state)) {
    copy->why = "a row of a window stands nowhere";
    return HP_GAP_CONTENT;
  }
  return HP_GAP_NONE;
}

static hp_gap take_all(hp_copy *copy, const hp_window_change *change) {
  hp_state *state = hp_state_new(&copy->allocator);
  if (state == NULL) return HP_GAP_MEMORY;
  state->is_window = true;
  state->cursor.epoch = copy->epoch;
  state->cursor.revision = change->revision;
  state->info.schema_revision = change->schema_revision;
  copy->window_rows.count = 0;
  hp_gap gap = fill(copy, state, change);
  if (gap != HP_GAP_NONE) {
    hp_state_free(state);
    return gap;
  }
  if (copy->state != NULL) hp_pending_clear(&copy->allocator, &copy->pending, copy->state);
  hp_state_free(copy->state);
  copy->state = state;
  copy->is_broken = false;
  copy->is_live = true;
  copy->why = "";
  if (copy->callbacks.reset != NULL) copy->callbacks.reset(copy, copy->context);
  return HP_GAP_NONE;
}

/* A difference */

typedef struct lists {
  hp_list deletes, inserts, moves, deleted;
} lists;

static bool fill_lists(hp_copy *copy, const hp_window_change *change, lists *to) {
  const hp_allocator *allocator = &copy->allocator;
  bool well = true;
  for (size_t i = 0; well && i < change->delete_count; i++) {
    uint64_t id = hp_copy_id_at(copy, (hp_path){0, change->deletes[i]});
    hp_row_run run = {0, change->deletes[i], 1, id, false, HP_ANIMATION_DEFAULT};
    hp_id_run gone = {id, 1};
    well = hp_list_add(allocator, &to->deletes, &run, 1, sizeof run) &&
           hp_list_add(allocator, &to->deleted, &gone, 1, sizeof gone);
  }
  for (size_t i = 0; well && i < change->insert_count; i++) {
    const hp_window_row *row = &change->inserts[i];
    hp_row_run run = {0, row->index, 1, row->id, false, HP_ANIMATION_DEFAULT};
    well = hp_list_add(allocator, &to->inserts, &run, 1, sizeof run) &&
           put_home(&copy->state->homes, row->id, row->section);
  }
  for (size_t i = 0; well && i < change->move_count; i++) {
    const hp_window_move *move = &change->moves[i];
    uint64_t id = hp_copy_id_at(copy, (hp_path){0, move->from});
    hp_row_move made = {{0, move->from}, {0, move->to}, 1, id};
    well = hp_list_add(allocator, &to->moves, &made, 1, sizeof made) &&
           (move->section == 0 || put_home(&copy->state->homes, id, move->section));
  }
  return well;
}

static hp_gap take_difference(hp_copy *copy, const hp_event *event) {
  const hp_window_change *change = event->window;
  lists all;
  memset(&all, 0, sizeof all);
  hp_stage stage = {.kind = HP_STAGE_MAIN};
  hp_table_change part = {.table = copy->table, .schema_revision = change->schema_revision,
                          .stages = &stage, .stage_count = 1, .rows = change->rows,
                          .row_count = change->row_count};
  hp_change told = {.revision = change->revision, .time = change->time, .uid = change->uid,
                    .actor = change->actor, .client = change->client,
                    .request = change->request, .tables = &part, .table_count = 1};
  hp_event made = *event;
  made.kind = HP_EVENT_CHANGE;
  made.change = &told;
  hp_gap gap = HP_GAP_MEMORY;
  if (fill_lists(copy, change, &all)) {
    stage.deletes = all.deletes.items;
    stage.delete_count = all.deletes.count;
    stage.inserts = all.inserts.items;
    stage.insert_count = all.inserts.count;
    stage.moves = all.moves.items;
    stage.move_count = all.moves.count;
    part.deleted = all.deleted.items;
    part.deleted_count = all.deleted.count;
    if (hp_pending_add(&copy->allocator, &copy->pending, copy->state, &made, copy->table) &&
        put_place(copy->state, change)) {
      gap = hp_copy_fold(copy);
    }
  }
  const hp_id_run *gone = all.deleted.items;
  for (size_t i = 0; gap == HP_GAP_NONE && i < all.deleted.count; i++) {
    if (hp_state_find_row(copy->state, gone[i].first) == HP_NONE) {
      drop_home(&copy->state->homes, gone[i].first);
    }
  }
  hp_list_free(&copy->allocator, &all.deletes);
  hp_list_free(&copy->allocator, &all.inserts);
  hp_list_free(&copy->allocator, &all.moves);
  hp_list_free(&copy->allocator, &all.deleted);
  if (gap == HP_GAP_NONE) hp_pending_clear(&copy->allocator, &copy->pending, copy->state);
  return gap;
}

hp_gap hp_copy_take_window(hp_copy *copy, const hp_event *event) {
  const hp_window_change *change = event->window;
  if (change->reset) return take_all(copy, change);
  if (copy->state == NULL || !copy->state->is_window ||
      event->from != copy->state->cursor.revision || change->revision < event->from) {
    copy->why = "a change of a window does not begin where the copy stands";
    return HP_GAP_ORDER;
  }
  return take_difference(copy, event);
}

const hp_window_place *hp_copy_window(const hp_copy *copy) {
  return copy->state != NULL && copy->state->is_window ? &copy->state->window : NULL;
}
