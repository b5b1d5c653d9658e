#include "live.h"

#include <string.h>

/* Folding a revision (Docs/protocol.md, "Folding a change"). Whatever an event claims is checked
 * before it is used: the server may be wrong, and so may the copy. */

/** Rows that a stage puts somewhere. */
typedef struct place {
  uint64_t section;
  uint64_t row;
  uint64_t count;
  uint64_t id;    /* inserts: of the first row */
  size_t first;   /* moves: in the noted slots */
  bool is_move;
} place;

static hp_gap lie(hp_copy *copy, const char *why) {
  copy->why = why;
  return HP_GAP_CONTENT;
}

static hp_live_section *section_at(const hp_copy *copy, uint64_t index) {
  return index < hp_state_section_count(copy->state)
             ? hp_state_section_at(copy->state, (size_t)index)
             : NULL;
}

/* Before: what goes */

/* Notes the slots of a run of rows. With `named` each has to have its id, else only the first. */
static hp_gap note_rows(hp_copy *copy, uint64_t section, uint64_t row, uint64_t count, uint64_t id,
                        bool named) {
  hp_state *state = copy->state;
  const hp_live_section *from = section_at(copy, section);
  if (from == NULL) return lie(copy, "a row goes from a section that is not there");
  uint32_t rows = hp_order_count(&state->order, from->list);
  if (count == 0 || row >= rows || count > rows - row) {
    return lie(copy, "a row goes that is not there");
  }
  if (count > state->order.placed - copy->slots.count) return lie(copy, "a row goes twice");
  if (!hp_list_reserve(&copy->allocator, &copy->slots, (size_t)count, sizeof(uint32_t))) {
    return HP_GAP_MEMORY;
  }
  uint32_t *slots = (uint32_t *)copy->slots.items + copy->slots.count;
  for (uint32_t done = 0; done < count;) {
    done += hp_order_read(&state->order, from->list, (uint32_t)row + done, slots + done,
                          (uint32_t)count - done);
  }
  for (uint64_t i = 0; i < (named ? count : 1); i++) {
    if (state->images[slots[i]]->id != id + i) return lie(copy, "another row stands at that place");
  }
  copy->slots.count += (size_t)count;
  return HP_GAP_NONE;
}

static hp_gap add_place(hp_copy *copy, place added) {
  return hp_list_add(&copy->allocator, &copy->places, &added, 1, sizeof added) ? HP_GAP_NONE
                                                                               : HP_GAP_MEMORY;
}

static hp_gap add_runs(hp_copy *copy, const hp_row_run *runs, size_t count) {
  hp_gap gap = HP_GAP_NONE;
  for (size_t i = 0; i < count && gap == HP_GAP_NONE; i++) {
    place added = {runs[i].section, runs[i].row, runs[i].count, runs[i].id, 0, false};
    gap = add_place(copy, added);
  }
  return gap;
}

static hp_gap take_rows(hp_copy *copy, const hp_stage *stage) {
  hp_order *order = &copy->state->order;
  hp_gap gap = HP_GAP_NONE;
  for (size_t i = 0; i < stage->delete_count && gap == HP_GAP_NONE; i++) {
    const hp_row_run *run = &stage->deletes[i];
    gap = note_rows(copy, run->section, run->row, run->count, run->id, true);
  }
  for (size_t i = 0; i < stage->move_count && gap == HP_GAP_NONE; i++) {
    const hp_row_move *move = &stage->moves[i];
    place added = {move->to.section, move->to.row, move->count, move->id, copy->slots.count, true};
    gap = note_rows(copy, move->from.section, move->from.row, move->count, move->id, false);
    if (gap == HP_GAP_NONE) gap = add_place(copy, added);
  }
  const uint32_t *slots = copy->slots.items;
  for (size_t i = 0; i < copy->slots.count && gap == HP_GAP_NONE; i++) {
    if (!hp_order_is_placed(order, slots[i])) return lie(copy, "a row goes twice");
    hp_order_remove(order, slots[i]);
  }
  return gap;
}

/* Sections */

enum { STAYS = 0, GOES = 1, MOVES = 2, IS_NEW = 3 };

static hp_gap mark_sections(hp_copy *copy, const hp_stage *stage, uint64_t *gone) {
  for (size_t i = 0; i < stage->delete_section_count; i++) {
    hp_id_run run = stage->delete_sections[i];
    uint64_t count = hp_state_section_count(copy->state);
    if (run.first >= count || run.count > count - run.first) {
      return lie(copy, "a section goes that is not there");
    }
    for (uint64_t index = run.first; index < run.first + run.count; index++) {
      hp_live_section *section = section_at(copy, index);
      if (section->leaving != STAYS) return lie(copy, "a section goes twice");
      section->leaving = GOES;
      *gone += 1;
    }
  }
  for (size_t i = 0; i < stage->move_section_count; i++) {
    hp_live_section *section = section_at(copy, stage->move_sections[i].from);
    if (section == NULL) return lie(copy, "a section moves that is not there");
    if (section->leaving != STAYS) return lie(copy, "a section goes twice");
    section->leaving = MOVES;
  }
  return HP_GAP_NONE;
}

static int compare_sections(const void *a, const void *b) {
  const hp_section *left = a;
  const hp_section *right = b;
  return left->index < right->index ? -1 : left->index > right->index;
}

/* The record of a new section, found by its final index. */
static const hp_section *record_at(const hp_copy *copy, uint64_t index) {
  const hp_section *records = copy->pending.sections.items;
  size_t low = 0;
  size_t high = copy->pending.sections.count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (records[middle].index < index) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < copy->pending.sections.count && records[low].index == index ? &records[low] : NULL;
}

/* Fills `to` with the sections that come, at their places. */
static hp_gap place_sections(hp_copy *copy, const hp_stage *stage, hp_live_section **to,
                             size_t count) {
  for (size_t i = 0; i < stage->insert_section_count; i++) {
    hp_id_run run = stage->insert_sections[i];
    for (uint64_t index = run.first; index - run.first < run.count; index++) {
      if (index >= count || to[index] != NULL) return lie(copy, "a new section has no place");
      const hp_section *record = record_at(copy, index);
      if (record == NULL || hp_state_find_section(copy->state, record->id) != NULL) {
        return lie(copy, "a new section has no record");
      }
      to[index] = hp_state_add_section(copy->state, record);
      if (to[index] == NULL) return HP_GAP_MEMORY;
      to[index]->leaving = IS_NEW;
    }
  }
  for (size_t i = 0; i < stage->move_section_count; i++) {
    uint64_t index = stage->move_sections[i].to;
    if (index >= count || to[index] != NULL) return lie(copy, "a moved section has no place");
    to[index] = section_at(copy, stage->move_sections[i].from);
  }
  return HP_GAP_NONE;
}

static hp_gap fold_sections(hp_copy *copy, const hp_stage *stage) {
  hp_state *state = copy->state;
  if (stage->delete_section_count + stage->insert_section_count + stage->move_section_count == 0) {
    return HP_GAP_NONE;
  }
  uint64_t gone = 0;
  hp_gap gap = mark_sections(copy, stage, &gone);
  if (gap != HP_GAP_NONE) return gap;
  uint64_t fresh = 0;
  for (size_t i = 0; i < stage->insert_section_count; i++) {
    if (stage->insert_sections[i].count > copy->pending.sections.count - fresh) {
      return lie(copy, "a new section has no record");
    }
    fresh += stage->insert_sections[i].count;
  }
  size_t before = hp_state_section_count(state);
  size_t after = before - (size_t)gone + (size_t)fresh;
  copy->sections.count = 0;
  if (!hp_list_reserve(&copy->allocator, &copy->sections, after + 1, sizeof(void *)) ||
      !hp_list_reserve(&copy->allocator, &state->sections, (size_t)fresh + 1, sizeof(void *))) {
    return HP_GAP_MEMORY;
  }
  hp_live_section **to = copy->sections.items;
  memset(to, 0, after * sizeof *to);
  gap = place_sections(copy, stage, to, after);
  if (gap != HP_GAP_NONE) return gap;
  size_t next = 0;
  for (size_t i = 0; i < before; i++) {
    hp_live_section *section = hp_state_section_at(state, i);
    if (section->leaving == GOES) {
      hp_state_drop_section(state, section);
    } else if (section->leaving == MOVES) {
      section->leaving = STAYS;
    } else {
      while (next < after && to[next] != NULL) next++;
      if (next == after) return lie(copy, "two sections stand at one place");
      to[next] = section;
    }
  }
  while (next < after && to[next] != NULL) next++;
  if (next != after) return lie(copy, "a section's place stays empty");
  if (after > 0) memcpy(state->sections.items, to, after * sizeof *to);
  state->sections.count = after;
  hp_state_number_sections(state);
  return HP_GAP_NONE;
}

/* After: what comes */

static int compare_places(const void *a, const void *b) {
  const place *left = a;
  const place *right = b;
  if (left->section != right->section) return left->section < right->section ? -1 : 1;
  return left->row < right->row ? -1 : left->row > right->row;
}

static hp_gap put_rows(hp_copy *copy) {
  hp_state *state = copy->state;
  place *places = copy->places.items;
  const uint32_t *slots = copy->slots.items;
  if (copy->places.count > 1) {
    hp_sort_items(places, copy->places.count, sizeof *places, compare_places);
  }
  uint64_t section = UINT64_MAX; /* of the place before, */
  uint64_t end = 0;              /* and where it ended */
  for (size_t i = 0; i < copy->places.count; i++) {
    const place *at = &places[i];
    const hp_live_section *to = section_at(copy, at->section);
    if (to == NULL) return lie(copy, "a row comes to a section that is not there");
    uint64_t rows = hp_order_count(&state->order, to->list);
    if (at->count == 0 || at->row > rows) return lie(copy, "a row comes to a place beyond the end");
    if (at->section == section && at->row < end) return lie(copy, "two rows come to one place");
    for (uint64_t step = 0; step < at->count; step++) {
      uint32_t slot = at->is_move ? slots[at->first + step]
                                  : hp_state_find_row(state, at->id + step);
      if (slot == HP_NONE) return lie(copy, "a row comes that was not sent");
      if (hp_order_is_placed(&state->order, slot)) return lie(copy, "a row stands twice");
      if (!hp_order_insert(&state->order, to->list, (uint32_t)(at->row + step), slot)) {
        return HP_GAP_MEMORY;
      }
    }
    section = at->section;
    end = at->row + at->count;
  }
  return HP_GAP_NONE;
}

static hp_gap fold_order(hp_copy *copy, const hp_stage *stage) {
  copy->slots.count = 0;
  copy->places.count = 0;
  hp_gap gap = take_rows(copy, stage);
  if (gap == HP_GAP_NONE) gap = fold_sections(copy, stage);
  if (gap == HP_GAP_NONE) gap = add_runs(copy, stage->inserts, stage->insert_count);
  if (gap == HP_GAP_NONE) gap = add_runs(copy, stage->contents, stage->content_count);
  if (gap == HP_GAP_NONE) gap = put_rows(copy);
  return gap;
}

static hp_gap fold_reloads(hp_copy *copy, const hp_stage *stage) {
  hp_state *state = copy->state;
  copy->slots.count = 0;
  copy->places.count = 0;
  if (stage->delete_count + stage->insert_count + stage->move_count +
          stage->delete_section_count + stage->insert_section_count + stage->move_section_count >
      0) {
    return lie(copy, "the stage of reloads changes the order");
  }
  for (size_t i = 0; i < stage->reload_section_count; i++) {
    hp_live_section *section = section_at(copy, stage->reload_sections[i].section);
    if (section == NULL) return lie(copy, "a section is reloaded that is not there");
    if (stage->reload_sections[i].with_rows) hp_order_clear_list(&state->order, section->list);
  }
  hp_gap gap = add_runs(copy, stage->contents, stage->content_count);
  if (gap == HP_GAP_NONE) gap = put_rows(copy);
  for (size_t i = 0; i < stage->reload_count && gap == HP_GAP_NONE; i++) {
    const hp_row_reload *reload = &stage->reloads[i];
    if (hp_copy_id_at(copy, reload->path) != reload->id) {
      gap = lie(copy, "another row is reloaded than stands there");
    }
  }
  return gap;
}

/* The rest */

static hp_gap fold_columns(hp_copy *copy) {
  const hp_pending *pending = &copy->pending;
  copy->state->info.schema_revision = pending->schema_revision;
  if (!pending->update.columns_changed) return HP_GAP_NONE;
  return hp_state_put_columns(copy->state, pending->columns.items, pending->columns.count)
             ? HP_GAP_NONE
             : HP_GAP_MEMORY;
}

static hp_gap fold_rows(hp_copy *copy) {
  hp_image **images = copy->pending.images.items;
  for (size_t i = 0; i < copy->pending.images.count; i++) {
    if (!hp_state_put_image(copy->state, images[i])) return HP_GAP_MEMORY;
    images[i] = NULL;
  }
  return HP_GAP_NONE;
}

static hp_gap fold_records(hp_copy *copy) {
  const hp_pending *pending = &copy->pending;
  hp_state *state = copy->state;
  const hp_section *records = pending->sections.items;
  for (size_t i = 0; i < pending->sections.count; i++) {
    hp_live_section *section = hp_state_find_section(state, records[i].id);
    if (section == NULL || section->shown.index != records[i].index) {
      return lie(copy, "a section's record does not say where it stands");
    }
    if (section->leaving == IS_NEW) {
      section->leaving = STAYS;
    } else if (!hp_state_put_section(state, section, &records[i])) {
      return HP_GAP_MEMORY;
    }
  }
  const hp_id_run *deleted = pending->deleted.items;
  for (size_t i = 0; i < pending->deleted.count; i++) {
    for (uint64_t step = 0; step < deleted[i].count; step++) {
      uint32_t slot = hp_state_find_row(state, deleted[i].first + step);
      if (slot == HP_NONE) return lie(copy, "a row is gone that was not there");
      if (hp_order_is_placed(&state->order, slot)) return lie(copy, "a row is gone and stands");
      hp_state_drop_row(state, slot);
    }
  }
  if (state->order.placed != hp_state_row_count(state)) return lie(copy, "a row stands nowhere");
  const hp_row_policy *policies = pending->policies.items;
  for (size_t i = 0; i < pending->policies.count; i++) {
    if (hp_state_find_row(state, policies[i].row) == HP_NONE) continue; /* not of this copy */
    if (!hp_own_policies_put(&state->own_policies, policies[i].row, policies[i].policy)) {
      return HP_GAP_MEMORY;
    }
  }
  if (pending->name != NULL && !hp_state_put_name(state, pending->name)) return HP_GAP_MEMORY;
  if (pending->update.headers_changed &&
      !hp_state_put_headers(state, pending->header, pending->footer)) {
    return HP_GAP_MEMORY;
  }
  if (pending->update.policy_changed && !hp_state_put_policy(state, pending->policy)) {
    return HP_GAP_MEMORY;
  }
  return HP_GAP_NONE;
}

static void tell_stage(hp_copy *copy, const hp_stage *stage) {
  if (copy->callbacks.stage != NULL) {
    copy->callbacks.stage(copy, &copy->pending.update, stage, copy->context);
  }
}

hp_gap hp_copy_fold(hp_copy *copy) {
  hp_pending *pending = &copy->pending;
  hp_state *state = copy->state;
  const hp_update *update = &pending->update;
  if (!pending->touched) {
    state->cursor.revision = update->revision;
    return HP_GAP_NONE;
  }
  if (update->event == HP_TABLE_DROPPED) return HP_GAP_TABLE_DROPPED;
  hp_gap gap = copy->by_id ? hp_copy_number_sections(copy) : HP_GAP_NONE;
  if (gap != HP_GAP_NONE) return gap;
  hp_pending_close(pending);
  if (copy->callbacks.will_change != NULL) {
    copy->callbacks.will_change(copy, update, copy->context);
  }
  if (pending->sections.count > 1) {
    hp_sort_items(pending->sections.items, pending->sections.count, sizeof(hp_section),
            compare_sections);
  }
  const hp_stage *reloads = NULL;
  gap = fold_columns(copy);
  if (gap == HP_GAP_NONE) gap = fold_rows(copy);
  for (size_t i = 0; i < update->stage_count && gap == HP_GAP_NONE; i++) {
    const hp_stage *stage = &update->stages[i];
    if (stage->kind == HP_STAGE_RELOAD) {
      reloads = stage;
      gap = fold_reloads(copy, stage);
    } else {
      gap = fold_order(copy, stage);
      if (gap == HP_GAP_NONE) tell_stage(copy, stage);
    }
  }
  if (gap == HP_GAP_NONE) gap = fold_records(copy);
  if (gap != HP_GAP_NONE) return gap;
  /* The views that a reload makes draw anew read the new records too. */
  if (reloads != NULL) tell_stage(copy, reloads);
  state->cursor.revision = update->revision;
  state->info.last_changed = update->revision;
  state->info.rows = hp_state_row_count(state);
  if (copy->callbacks.did_change != NULL) {
    copy->callbacks.did_change(copy, update, copy->context);
  }
  return HP_GAP_NONE;
}
