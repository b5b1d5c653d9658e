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

/* Sections are told in the parts of a change, and count together. */
static bool add_sections(hp_copy *copy, const hp_window_change *change) {
  if (copy->window_arena == NULL) copy->window_arena = hp_arena_new(&copy->allocator, 256);
  if (copy->window_arena == NULL ||
      !hp_list_reserve(&copy->allocator, &copy->window_sections, change->section_count,
                       sizeof(hp_section))) {
    return false;
  }
  hp_maker maker = {copy->window_arena, NULL, HP_ERROR_NONE, ""};
  hp_section *sections = copy->window_sections.items;
  for (size_t i = 0; i < change->section_count; i++) {
    hp_keep_section(&maker, &sections[copy->window_sections.count++], &change->sections[i]);
  }
  return maker.fault == HP_ERROR_NONE;
}

/* Where the window stands, and its sections: those that were told, or as they were. */
static bool put_place(hp_copy *copy, hp_state *state, const hp_window_change *change,
                      bool is_whole) {
  hp_window_place *place = &state->window;
  size_t count = copy->window_sections.count;
  if (count > 0 || is_whole) {
    hp_maker maker = {copy->window_arena, NULL, HP_ERROR_NONE, ""};
    hp_section *kept = hp_make_array(&maker, count, sizeof *kept);
    if (maker.fault != HP_ERROR_NONE) return false;
    if (kept != NULL) memcpy(kept, copy->window_sections.items, count * sizeof *kept);
    hp_arena_free(state->window_arena);
    state->window_arena = copy->window_arena;
    copy->window_arena = NULL;
    place->sections = kept;
    place->section_count = count;
  }
  /* Which row it hangs on is told when that is another one. */
  if (is_whole || change->anchor != 0 || change->generation != place->generation) {
    place->anchor = change->anchor;
  }
  place->generation = change->generation;
  place->first = change->first;
  place->before = change->before;
  place->after = change->after;
  return true;
}

void hp_copy_forget_window(hp_copy *copy) {
  copy->window_begun = false;
  copy->window_rows.count = 0;
  copy->window_gone.count = 0;
  copy->window_sections.count = 0;
  hp_arena_free(copy->window_arena);
  copy->window_arena = NULL;
}

/* All of the window at once. */

static int by_index(const void *a, const void *b) {
  const hp_window_row *left = a;
  const hp_window_row *right = b;
  return left->index < right->index ? -1 : left->index > right->index;
}

/* One part: its rows, and where they come. */
static hp_gap add_part(hp_copy *copy, const hp_window_change *change) {
  hp_state *state = copy->building;
  if (change->column_count > 0 &&
      !hp_state_put_columns(state, change->columns, change->column_count)) {
    return HP_GAP_MEMORY;
  }
  for (size_t i = 0; i < change->row_count; i++) {
    hp_image *image = hp_image_make(&state->pool, &change->rows[i]);
    if (image == NULL) return HP_GAP_MEMORY;
    if (!hp_state_put_image(state, image)) {
      hp_image_free(&state->pool, image);
      return HP_GAP_MEMORY;
    }
  }
  return hp_list_add(&copy->allocator, &copy->window_rows, change->inserts, change->insert_count,
                     sizeof(hp_window_row))
             ? HP_GAP_NONE
             : HP_GAP_MEMORY;
}

static hp_gap place_rows(hp_copy *copy) {
  hp_state *state = copy->building;
  hp_window_row *rows = copy->window_rows.items;
  size_t count = copy->window_rows.count;
  hp_section list = {.rows = count};
  if (!hp_list_reserve(&state->allocator, &state->sections, 1, sizeof(void *))) {
    return HP_GAP_MEMORY;
  }
  hp_live_section *section = hp_state_add_section(state, &list);
  if (section == NULL) return HP_GAP_MEMORY;
  ((hp_live_section **)state->sections.items)[state->sections.count++] = section;
  if (count > 1) hp_sort_items(rows, count, sizeof *rows, by_index);
  for (size_t i = 0; i < count; i++) {
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

static hp_gap take_all(hp_copy *copy, const hp_event *event) {
  const hp_window_change *change = event->window;
  if (!copy->window_begun) {
    hp_state_free(copy->building);
    copy->building = hp_state_new(&copy->allocator);
    if (copy->building == NULL || !hp_state_put_name(copy->building, "")) return HP_GAP_MEMORY;
    copy->window_begun = true;
  }
  copy->window_part = event->part;
  hp_state *state = copy->building;
  hp_gap gap = add_part(copy, change);
  if (gap == HP_GAP_NONE && !add_sections(copy, change)) gap = HP_GAP_MEMORY;
  if (gap != HP_GAP_NONE || !event->last) return gap;
  state->is_window = true;
  state->cursor.epoch = copy->epoch;
  state->cursor.revision = change->revision;
  state->info.id = copy->window_table;
  state->info.schema_revision = change->schema_revision;
  gap = place_rows(copy);
  if (gap == HP_GAP_NONE && !put_place(copy, state, change, true)) gap = HP_GAP_MEMORY;
  if (gap != HP_GAP_NONE) return gap;
  if (copy->state != NULL) hp_pending_clear(&copy->allocator, &copy->pending, copy->state);
  hp_state_free(copy->state);
  copy->state = state;
  copy->building = NULL;
  copy->is_broken = false;
  copy->why = "";
  hp_copy_forget_window(copy);
  if (copy->callbacks.reset != NULL) copy->callbacks.reset(copy, copy->context);
  return HP_GAP_NONE;
}

/* A difference */

typedef struct lists {
  hp_list deletes, inserts, moves;
} lists;

static bool fill_lists(hp_copy *copy, const hp_window_change *change, lists *to) {
  const hp_allocator *allocator = &copy->allocator;
  bool well = true;
  for (size_t i = 0; well && i < change->delete_count; i++) {
    uint64_t id = hp_copy_id_at(copy, (hp_path){0, change->deletes[i]});
    hp_row_run run = {0, change->deletes[i], 1, id, false, HP_ANIMATION_DEFAULT};
    hp_id_run gone = {id, 1};
    well = hp_list_add(allocator, &to->deletes, &run, 1, sizeof run) &&
           hp_list_add(allocator, &copy->window_gone, &gone, 1, sizeof gone);
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

/* Adds one part to what is pending. */
static bool add_difference(hp_copy *copy, const hp_event *event) {
  const hp_window_change *change = event->window;
  size_t gone = copy->window_gone.count;
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
  bool done = fill_lists(copy, change, &all) && add_sections(copy, change);
  if (done) {
    stage.deletes = all.deletes.items;
    stage.delete_count = all.deletes.count;
    stage.inserts = all.inserts.items;
    stage.insert_count = all.inserts.count;
    stage.moves = all.moves.items;
    stage.move_count = all.moves.count;
    part.deleted = (const hp_id_run *)copy->window_gone.items + gone;
    part.deleted_count = copy->window_gone.count - gone;
    done = hp_pending_add(&copy->allocator, &copy->pending, copy->state, &made, copy->table);
  }
  hp_list_free(&copy->allocator, &all.deletes);
  hp_list_free(&copy->allocator, &all.inserts);
  hp_list_free(&copy->allocator, &all.moves);
  return done;
}

static hp_gap take_difference(hp_copy *copy, const hp_event *event) {
  if (!add_difference(copy, event)) return HP_GAP_MEMORY;
  if (!event->last) return HP_GAP_NONE;
  if (!put_place(copy, copy->state, event->window, false)) return HP_GAP_MEMORY;
  hp_gap gap = hp_copy_add_reloads(copy, event->window->reloads, event->window->reload_count);
  if (gap == HP_GAP_NONE) gap = hp_copy_fold(copy);
  if (gap != HP_GAP_NONE) return gap;
  const hp_id_run *gone = copy->window_gone.items;
  for (size_t i = 0; i < copy->window_gone.count; i++) {
    if (hp_state_find_row(copy->state, gone[i].first) == HP_NONE) {
      drop_home(&copy->state->homes, gone[i].first);
    }
  }
  hp_pending_clear(&copy->allocator, &copy->pending, copy->state);
  hp_copy_forget_window(copy);
  return HP_GAP_NONE;
}

static hp_gap out_of_order(hp_copy *copy) {
  copy->why = "a change of a window does not begin where the copy stands";
  return HP_GAP_ORDER;
}

hp_gap hp_copy_take_window(hp_copy *copy, const hp_event *event) {
  const hp_window_change *change = event->window;
  if (copy->window_begun) {
    return event->part == copy->window_part + 1 ? take_all(copy, event) : out_of_order(copy);
  }
  if (copy->state != NULL && copy->pending.begun) {
    return event->part == copy->pending.part + 1 ? take_difference(copy, event)
                                                 : out_of_order(copy);
  }
  if (change->reset) return take_all(copy, event);
  if (copy->state == NULL || !copy->state->is_window || copy->is_broken ||
      event->from != copy->state->cursor.revision || change->revision < event->from) {
    return out_of_order(copy);
  }
  return take_difference(copy, event);
}

const hp_window_place *hp_copy_window(const hp_copy *copy) {
  return copy->state != NULL && copy->state->is_window ? &copy->state->window : NULL;
}
