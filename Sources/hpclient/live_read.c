#include "live.h"

#include <string.h>

static const hp_table_info no_table;

const char *hp_copy_reason(const hp_copy *copy) { return copy->why; }

bool hp_copy_is_whole(const hp_copy *copy) { return copy->state != NULL; }

bool hp_copy_is_live(const hp_copy *copy) { return copy->is_live; }

hp_cursor hp_copy_cursor(const hp_copy *copy) {
  hp_cursor none = {0, 0};
  return copy->state != NULL ? copy->state->cursor : none;
}

const hp_table_info *hp_copy_table(const hp_copy *copy) {
  if (copy->state == NULL) return &no_table;
  copy->state->info.rows = hp_state_row_count(copy->state);
  copy->state->info.section_count = hp_state_section_count(copy->state);
  return &copy->state->info;
}

size_t hp_copy_row_count(const hp_copy *copy) {
  return copy->state == NULL ? 0 : hp_state_row_count(copy->state);
}

size_t hp_copy_section_count(const hp_copy *copy) {
  return copy->state == NULL ? 0 : hp_state_section_count(copy->state);
}

/* Sections */

static const hp_section *shown(const hp_copy *copy, const hp_live_section *section) {
  hp_section *read = &copy->state->section;
  *read = section->shown;
  read->rows = hp_order_count(&copy->state->order, section->list);
  return read;
}

const hp_section *hp_copy_section_at(const hp_copy *copy, uint64_t index) {
  if (index >= hp_copy_section_count(copy)) return NULL;
  return shown(copy, hp_state_section_at(copy->state, (size_t)index));
}

const hp_section *hp_copy_section(const hp_copy *copy, uint64_t id) {
  if (copy->state == NULL) return NULL;
  const hp_live_section *section = hp_state_find_section(copy->state, id);
  return section == NULL ? NULL : shown(copy, section);
}

/* Rows */

/* The cells that the table's columns show, by rising column: those of columns that are gone are
 * left out, and a column's fill stands where an older row has no value (contract E14). */
static size_t read_cells(const hp_state *state, const hp_image *image, hp_cell *cells) {
  size_t count = 0;
  size_t at = 0;
  hp_cell next;
  bool has_next = hp_image_next(image, &at, &next);
  for (size_t i = 0; i < state->info.column_count; i++) {
    const hp_column *column = state->by_id[i];
    while (has_next && next.column < column->id) has_next = hp_image_next(image, &at, &next);
    if (has_next && next.column == column->id) {
      cells[count++] = next;
    } else if (column->fill != NULL && column->fill->kind != HP_NULL) {
      cells[count] = *column->fill;
      cells[count++].column = column->id;
    }
  }
  return count;
}

static uint32_t slot_at(const hp_copy *copy, hp_path path, const hp_live_section **section) {
  if (path.section >= hp_copy_section_count(copy)) return HP_NONE;
  *section = hp_state_section_at(copy->state, (size_t)path.section);
  if (path.row >= hp_order_count(&copy->state->order, (*section)->list)) return HP_NONE;
  return hp_order_at(&copy->state->order, (*section)->list, (uint32_t)path.row);
}

static const hp_row *read_row(const hp_copy *copy, uint32_t slot, hp_path path, uint64_t section) {
  hp_state *state = copy->state;
  const hp_image *image = state->images[slot];
  state->row.id = image->id;
  state->row.revision = image->revision;
  state->row.cells = state->cells;
  state->row.cell_count = read_cells(state, image, state->cells);
  state->row.placed = true;
  state->row.path = path;
  state->row.section =
      state->is_window ? hp_homes_of(&state->homes, image->id, section) : section;
  return &state->row;
}

const hp_row *hp_copy_row_at(const hp_copy *copy, hp_path path) {
  const hp_live_section *section = NULL;
  uint32_t slot = slot_at(copy, path, &section);
  return slot == HP_NONE ? NULL : read_row(copy, slot, path, section->shown.id);
}

/* The section that a placed row stands in; its index is left in `*index`. NULL in the middle of a
 * fold, for a row that has no place yet. */
static const hp_live_section *section_of(const hp_copy *copy, uint32_t slot, uint32_t *index) {
  uint32_t list = HP_NONE;
  if (!hp_order_is_placed(&copy->state->order, slot)) return NULL;
  hp_order_find(&copy->state->order, slot, &list, index);
  return copy->state->by_list[list];
}

const hp_row *hp_copy_row(const hp_copy *copy, uint64_t id) {
  uint32_t slot = copy->state == NULL ? HP_NONE : hp_state_find_row(copy->state, id);
  if (slot == HP_NONE) return NULL;
  uint32_t index = 0;
  const hp_live_section *section = section_of(copy, slot, &index);
  if (section == NULL) return NULL;
  hp_path path = {section->shown.index, index};
  return read_row(copy, slot, path, section->shown.id);
}

uint64_t hp_copy_id_at(const hp_copy *copy, hp_path path) {
  const hp_live_section *section = NULL;
  uint32_t slot = slot_at(copy, path, &section);
  return slot == HP_NONE ? 0 : copy->state->images[slot]->id;
}

bool hp_copy_locate(const hp_copy *copy, uint64_t id, hp_path *path) {
  uint32_t slot = copy->state == NULL ? HP_NONE : hp_state_find_row(copy->state, id);
  uint32_t index = 0;
  const hp_live_section *section = slot == HP_NONE ? NULL : section_of(copy, slot, &index);
  if (section == NULL) return false;
  path->section = section->shown.index;
  path->row = index;
  return true;
}

const hp_policy *hp_copy_row_policy(const hp_copy *copy, uint64_t id) {
  return copy->state == NULL ? NULL : hp_own_policies_of(&copy->state->own_policies, id);
}

bool hp_copy_cell(const hp_copy *copy, uint64_t id, uint64_t column, hp_cell *cell) {
  memset(cell, 0, sizeof *cell);
  uint32_t slot = copy->state == NULL ? HP_NONE : hp_state_find_row(copy->state, id);
  const hp_column *shown_column =
      copy->state == NULL ? NULL : hp_table_column_with_id(&copy->state->info, column);
  if (slot == HP_NONE || shown_column == NULL) return false;
  size_t at = 0;
  while (hp_image_next(copy->state->images[slot], &at, cell)) {
    if (cell->column == column) return true;
  }
  memset(cell, 0, sizeof *cell);
  if (shown_column->fill != NULL) *cell = *shown_column->fill;
  cell->column = column;
  return true;
}

size_t hp_copy_memory(const hp_copy *copy) {
  const hp_state *state = copy->state;
  if (state == NULL) return sizeof *copy;
  const hp_order *order = &state->order;
  return sizeof *copy + sizeof *state + state->pool.bytes +
         state->image_capacity * sizeof *state->images + order->slot_capacity * sizeof(uint32_t) +
         order->chunk_count * HP_NODE_CHUNK * sizeof(hp_node) +
         state->ids.capacity * sizeof(uint32_t) + state->sections.capacity * sizeof(void *) +
         order->list_capacity * (2 * sizeof(uint32_t) + sizeof(hp_live_section) + 256);
}
