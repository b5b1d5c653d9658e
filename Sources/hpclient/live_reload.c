#include "live.h"

#include <string.h>

/*
 * Rows of a window that are to be drawn again, as a stage of reloads. The server names them by their
 * places after the change; where they stood before, and which of their columns have other values,
 * follows from what was collected and from the copy as it still is (contract E10).
 */

/* A row that came, or moved, to a place. */
typedef struct arrival {
  uint64_t to;
  uint64_t from; /* HP_NONE: it was not there */
} arrival;

static int by_place(const void *a, const void *b) {
  const arrival *left = a;
  const arrival *right = b;
  return left->to < right->to ? -1 : left->to > right->to;
}

typedef struct places {
  arrival *arrivals;
  size_t arrival_count;
  uint32_t *stayers; /* places before, of those that neither went nor moved */
  size_t stayer_count;
} places;

static bool find_places(hp_copy *copy, hp_maker *maker, places *to) {
  const hp_pending_stage *main = &copy->pending.stages[0];
  const hp_row_run *deletes = main->deletes.items;
  const hp_row_run *inserts = main->inserts.items;
  const hp_row_move *moves = main->moves.items;
  size_t rows = hp_copy_row_count(copy);
  uint8_t *leaves = hp_make_array(maker, rows, sizeof *leaves);
  to->stayers = hp_make_array(maker, rows, sizeof *to->stayers);
  to->arrivals = hp_make_array(maker, main->inserts.count + main->moves.count, sizeof(arrival));
  if (maker->fault != HP_ERROR_NONE) return false;
  for (size_t i = 0; i < main->deletes.count; i++) {
    if (deletes[i].row < rows) leaves[deletes[i].row] = 1;
  }
  for (size_t i = 0; i < main->moves.count; i++) {
    if (moves[i].from.row < rows) leaves[moves[i].from.row] = 1;
    arrival made = {moves[i].to.row, moves[i].from.row};
    to->arrivals[to->arrival_count++] = made;
  }
  for (size_t i = 0; i < main->inserts.count; i++) {
    arrival made = {inserts[i].row, HP_NONE};
    to->arrivals[to->arrival_count++] = made;
  }
  for (size_t i = 0; i < rows; i++) {
    if (!leaves[i]) to->stayers[to->stayer_count++] = (uint32_t)i;
  }
  if (to->arrival_count > 1) {
    hp_sort_items(to->arrivals, to->arrival_count, sizeof(arrival), by_place);
  }
  return true;
}

/* Where the row stood that stands at `index` after the change, or HP_NONE. */
static uint64_t place_before(const places *places, uint64_t index) {
  size_t low = 0;
  size_t high = places->arrival_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (places->arrivals[middle].to < index) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low < places->arrival_count && places->arrivals[low].to == index) {
    return places->arrivals[low].from;
  }
  return index - low < places->stayer_count ? places->stayers[index - low] : HP_NONE;
}

/* The image that a row will be, or NULL where it stays as it is. Both lists go up by place, so the
 * next one is where the search begins. */
static const hp_image *image_of(const hp_copy *copy, uint64_t id, size_t *next) {
  hp_image *const *images = copy->pending.images.items;
  size_t count = copy->pending.images.count;
  for (size_t i = 0; i < count; i++) {
    size_t at = (*next + i) % count;
    if (images[at] == NULL || images[at]->id != id) continue;
    *next = at + 1;
    return images[at];
  }
  return NULL;
}

static bool is_same(const hp_cell *left, const hp_cell *right) {
  return left->kind == right->kind && left->number == right->number &&
         (left->kind != HP_TEXT || strcmp(left->text, right->text) == 0);
}

/* The columns that have another value in one image than in the other. */
static void add_columns(hp_maker *maker, hp_row_reload *reload, const hp_image *before,
                        const hp_image *after) {
  size_t most = 0;
  hp_cell old = {0};
  hp_cell new = {0};
  for (size_t at = 0; hp_image_next(before, &at, &old);) most++;
  for (size_t at = 0; hp_image_next(after, &at, &new);) most++;
  uint64_t *columns = hp_make_array(maker, most, sizeof *columns);
  if (columns == NULL) return;
  size_t old_at = 0;
  size_t new_at = 0;
  bool has_old = hp_image_next(before, &old_at, &old);
  bool has_new = hp_image_next(after, &new_at, &new);
  while (has_old || has_new) {
    bool takes_old = has_old && (!has_new || old.column <= new.column);
    bool takes_new = has_new && (!has_old || new.column <= old.column);
    if (!(takes_old && takes_new && is_same(&old, &new))) {
      columns[reload->column_count++] = takes_old ? old.column : new.column;
    }
    if (takes_old) has_old = hp_image_next(before, &old_at, &old);
    if (takes_new) has_new = hp_image_next(after, &new_at, &new);
  }
  reload->columns = columns;
}

hp_gap hp_copy_add_reloads(hp_copy *copy, const uint64_t *reloads, size_t count) {
  if (count == 0) return HP_GAP_NONE;
  hp_state *state = copy->state;
  hp_maker maker = {copy->pending.arena, NULL, HP_ERROR_NONE, ""};
  places found = {0};
  if (!find_places(copy, &maker, &found)) return HP_GAP_MEMORY;
  size_t next = 0;
  for (size_t i = 0; i < count; i++) {
    uint64_t before = place_before(&found, reloads[i]);
    hp_row_reload reload = {{0, before}, {0, reloads[i]}, 0, NULL, 0, HP_ANIMATION_DEFAULT};
    reload.id = before == HP_NONE ? 0 : hp_copy_id_at(copy, reload.old_path);
    uint32_t slot = reload.id == 0 ? HP_NONE : hp_state_find_row(state, reload.id);
    if (slot == HP_NONE) {
      copy->why = "a row is reloaded that was not there";
      return HP_GAP_CONTENT;
    }
    const hp_image *after = image_of(copy, reload.id, &next);
    if (after != NULL) add_columns(&maker, &reload, state->images[slot], after);
    if (maker.fault != HP_ERROR_NONE ||
        !hp_list_add(&copy->allocator, &copy->pending.stages[HP_STAGE_RELOAD - HP_STAGE_MAIN].reloads,
                     &reload, 1, sizeof reload)) {
      return HP_GAP_MEMORY;
    }
  }
  return HP_GAP_NONE;
}
