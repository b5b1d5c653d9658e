#include "live.h"

#include <string.h>

hp_copy *hp_copy_new(uint64_t table, const hp_copy_callbacks *callbacks, void *context,
                     const hp_allocator *allocator) {
  hp_allocator used = hp_allocator_or_default(allocator);
  hp_copy *copy = hp_allocate(&used, sizeof *copy);
  if (copy == NULL) return NULL;
  memset(copy, 0, sizeof *copy);
  copy->allocator = used;
  if (callbacks != NULL) copy->callbacks = *callbacks;
  copy->context = context;
  copy->table = table;
  copy->why = "";
  return copy;
}

void hp_copy_free(hp_copy *copy) {
  if (copy == NULL) return;
  hp_allocator allocator = copy->allocator;
  hp_pending_free(&allocator, &copy->pending, copy->state);
  hp_state_free(copy->state);
  hp_state_free(copy->building);
  hp_list_free(&allocator, &copy->slots);
  hp_list_free(&allocator, &copy->places);
  hp_list_free(&allocator, &copy->sections);
  hp_copy_forget_window(copy);
  hp_list_free(&allocator, &copy->window_rows);
  hp_list_free(&allocator, &copy->window_gone);
  hp_list_free(&allocator, &copy->window_sections);
  hp_release(&allocator, copy);
}

void hp_copy_resume(hp_copy *copy, const hp_subscribed *subscribed) {
  copy->by_id = subscribed != NULL && subscribed->paths_by_id;
  if (subscribed != NULL) copy->epoch = subscribed->from.epoch;
  copy->window_table = subscribed != NULL ? subscribed->table : 0;
  if (copy->state != NULL) hp_pending_clear(&copy->allocator, &copy->pending, copy->state);
  hp_state_free(copy->building);
  copy->building = NULL;
  hp_copy_forget_window(copy);
  copy->is_live = false;
  copy->is_broken = copy->state == NULL;
  copy->why = "";
}

/* Ends */

hp_gap hp_gap_of(hp_end_reason reason) {
  switch (reason) {
    case HP_END_COMPACTED: return HP_GAP_COMPACTED;
    case HP_END_REVOKED: return HP_GAP_REVOKED;
    case HP_END_UNSUPPORTED: return HP_GAP_UNSUPPORTED;
    case HP_END_EPOCH_CHANGED: return HP_GAP_EPOCH;
    case HP_END_TOO_SLOW: return HP_GAP_TOO_SLOW;
    case HP_END_TABLE_DROPPED: return HP_GAP_TABLE_DROPPED;
    case HP_END_SCENE_REMOVED: return HP_GAP_SCENE_REMOVED;
    /* A reason of a newer server: what helps is a fresh start. */
    default: return HP_GAP_EXPIRED;
  }
}

const char *hp_gap_name(hp_gap gap) {
  switch (gap) {
    case HP_GAP_NONE: return "none";
    case HP_GAP_ASKED: return "asked";
    case HP_GAP_EPOCH: return "epoch";
    case HP_GAP_FUTURE: return "future";
    case HP_GAP_COMPACTED: return "compacted";
    case HP_GAP_OTHER_FILTER: return "other_filter";
    case HP_GAP_EXPIRED: return "expired";
    case HP_GAP_TOO_SLOW: return "too_slow";
    case HP_GAP_REVOKED: return "revoked";
    case HP_GAP_UNSUPPORTED: return "unsupported";
    case HP_GAP_TABLE_DROPPED: return "table_dropped";
    case HP_GAP_ORDER: return "order";
    case HP_GAP_CONTENT: return "content";
    case HP_GAP_MEMORY: return "memory";
    case HP_GAP_SCENE_REMOVED: return "scene_removed";
    case HP_GAP_WINDOW: return "window";
    default: return "unknown";
  }
}

/* The copy takes nothing any more; what it holds stays. */
static hp_gap stop(hp_copy *copy, hp_gap gap) {
  if (copy->state != NULL) hp_pending_clear(&copy->allocator, &copy->pending, copy->state);
  hp_state_free(copy->building);
  copy->building = NULL;
  hp_copy_forget_window(copy);
  copy->is_broken = true;
  copy->is_live = false;
  return gap;
}

static hp_gap stop_because(hp_copy *copy, hp_gap gap, const char *why) {
  copy->why = why;
  return stop(copy, gap);
}

/* As stop, and what it holds is gone: half a revision must never be read (contract K2). */
static hp_gap empty(hp_copy *copy, hp_gap gap) {
  stop(copy, gap);
  hp_state_free(copy->state);
  copy->state = NULL;
  if (copy->callbacks.reset != NULL) copy->callbacks.reset(copy, copy->context);
  return gap;
}

/* Snapshots */

static bool begin_table(hp_copy *copy, const hp_event *event, const hp_table_info *table) {
  hp_state *state = hp_state_new(&copy->allocator);
  if (state == NULL) return false;
  copy->building = state;
  state->cursor = event->cursor;
  if (!hp_state_put_name(state, table->name) ||
      !hp_state_put_columns(state, table->columns, table->column_count) ||
      !hp_state_put_headers(state, table->header, table->footer) ||
      !hp_state_put_policy(state, table->policy)) {
    return false;
  }
  state->info.id = table->id;
  state->info.schema_revision = table->schema_revision;
  state->info.last_changed = table->last_changed;
  return true;
}

static hp_gap take_sections(hp_copy *copy, const hp_table_info *table) {
  hp_state *state = copy->building;
  for (size_t i = 0; i < table->section_count; i++) {
    hp_section numbered = table->sections[i];
    const hp_section *record = &numbered;
    if (copy->by_id) numbered.index = state->sections.count;
    if (record->id == 0 || record->index != state->sections.count ||
        hp_state_find_section(state, record->id) != NULL || record->rows > HP_NONE) {
      return stop_because(copy, HP_GAP_CONTENT, "a snapshot's sections are out of order");
    }
    if (!hp_list_reserve(&state->allocator, &state->sections, 1, sizeof(void *))) {
      return stop(copy, HP_GAP_MEMORY);
    }
    hp_live_section *section = hp_state_add_section(state, record);
    if (section == NULL) return stop(copy, HP_GAP_MEMORY);
    section->promised = (uint32_t)record->rows;
    ((hp_live_section **)state->sections.items)[state->sections.count++] = section;
  }
  return HP_GAP_NONE;
}

static hp_gap finish_snapshot(hp_copy *copy) {
  hp_state *state = copy->building;
  for (size_t i = 0; i < state->sections.count; i++) {
    const hp_live_section *section = hp_state_section_at(state, i);
    if (section->promised != hp_order_count(&state->order, section->list)) {
      return stop_because(copy, HP_GAP_CONTENT, "a snapshot lacks rows that it announced");
    }
  }
  if (copy->state != NULL) hp_pending_clear(&copy->allocator, &copy->pending, copy->state);
  hp_state_free(copy->state);
  copy->state = state;
  copy->building = NULL;
  copy->is_broken = false;
  copy->is_live = false;
  copy->why = "";
  copy->table = state->info.id;
  state->info.rows = hp_state_row_count(state);
  if (copy->callbacks.reset != NULL) copy->callbacks.reset(copy, copy->context);
  return HP_GAP_NONE;
}

static hp_gap take_snapshot(hp_copy *copy, const hp_event *event) {
  if (event->part == 0) {
    hp_state_free(copy->building);
    copy->building = NULL;
    copy->next_part = 0;
  } else if (copy->next_part == 0) {
    return stop_because(copy, HP_GAP_ORDER, "a part of a snapshot that did not begin");
  }
  if (event->part != copy->next_part) {
    return stop_because(copy, HP_GAP_ORDER, "a part of a snapshot is missing");
  }
  copy->next_part += 1;
  for (size_t i = 0; i < event->table_count; i++) {
    const hp_table_info *table = &event->tables[i];
    bool wanted = copy->table != 0 ? table->id == copy->table
                                   : copy->building == NULL || table->id == copy->building->info.id;
    if (!wanted) continue;
    if (copy->building == NULL && !begin_table(copy, event, table)) {
      return stop(copy, HP_GAP_MEMORY);
    }
    hp_gap gap = take_sections(copy, table);
    if (gap != HP_GAP_NONE) return gap;
  }
  return HP_GAP_NONE;
}

static hp_gap take_rows(hp_copy *copy, const hp_event *event) {
  hp_state *state = copy->building;
  if (copy->next_part == 0 || event->part != copy->next_part) {
    return stop_because(copy, HP_GAP_ORDER, "a part of a snapshot is missing");
  }
  copy->next_part += 1;
  if (state == NULL || event->table != state->info.id) return HP_GAP_NONE;
  const hp_live_section *section = hp_state_find_section(state, event->section);
  if (section == NULL || event->first != hp_order_count(&state->order, section->list)) {
    return stop_because(copy, HP_GAP_CONTENT, "a snapshot's rows are out of order");
  }
  for (size_t i = 0; i < event->row_count; i++) {
    if (hp_state_find_row(state, event->rows[i].id) != HP_NONE) {
      return stop_because(copy, HP_GAP_CONTENT, "a row stands twice in a snapshot");
    }
    hp_image *image = hp_image_make(&state->pool, &event->rows[i]);
    if (image == NULL) return stop(copy, HP_GAP_MEMORY);
    if (!hp_state_put_image(state, image)) {
      hp_image_free(&state->pool, image);
      return stop(copy, HP_GAP_MEMORY);
    }
    uint32_t slot = hp_state_find_row(state, image->id);
    if (!hp_order_insert(&state->order, section->list,
                         hp_order_count(&state->order, section->list), slot)) {
      return stop(copy, HP_GAP_MEMORY);
    }
  }
  for (size_t i = 0; i < event->row_policy_count; i++) {
    const hp_row_policy *own = &event->row_policies[i];
    if (!hp_own_policies_put(&state->own_policies, own->row, own->policy)) {
      return stop(copy, HP_GAP_MEMORY);
    }
  }
  return HP_GAP_NONE;
}

static hp_gap take_part_of_snapshot(hp_copy *copy, const hp_event *event) {
  if (copy->pending.begun) {
    return stop_because(copy, HP_GAP_ORDER, "a snapshot between the parts of a revision");
  }
  hp_gap gap = event->kind == HP_EVENT_SNAPSHOT ? take_snapshot(copy, event)
                                                : take_rows(copy, event);
  if (gap != HP_GAP_NONE || !event->last) return gap;
  copy->next_part = 0;
  /* Of a subscription to several: the table is not among them. */
  if (copy->building == NULL) return empty(copy, HP_GAP_TABLE_DROPPED);
  return finish_snapshot(copy);
}

/* Changes and marks */

/* The rule of `from` (contract K1). */
static bool begins_here(const hp_copy *copy, const hp_event *event) {
  return copy->state != NULL && copy->next_part == 0 &&
         event->from == copy->state->cursor.revision;
}

static hp_gap take_change(hp_copy *copy, const hp_event *event) {
  hp_pending *pending = &copy->pending;
  if (!begins_here(copy, event) || (pending->begun && event->part != pending->part + 1) ||
      event->change->revision <= event->from ||
      (pending->begun && event->change->revision != pending->update.revision)) {
    return stop_because(copy, HP_GAP_ORDER, "a change does not begin where the copy stands");
  }
  if (!hp_pending_add(&copy->allocator, pending, copy->state, event, copy->table)) {
    return stop(copy, HP_GAP_MEMORY);
  }
  if (!event->last) return HP_GAP_NONE;
  hp_gap gap = hp_copy_fold(copy);
  if (gap != HP_GAP_NONE) return empty(copy, gap);
  hp_pending_clear(&copy->allocator, pending, copy->state);
  return HP_GAP_NONE;
}

static hp_gap take_mark(hp_copy *copy, const hp_event *event) {
  if (copy->pending.begun || !begins_here(copy, event) ||
      event->revision < copy->state->cursor.revision) {
    return stop_because(copy, HP_GAP_ORDER, "a mark does not begin where the copy stands");
  }
  if (event->kind == HP_EVENT_LIVE) {
    /* A window tells no epoch before. */
    if (copy->state->is_window) copy->state->cursor.epoch = copy->epoch = event->cursor.epoch;
    if (copy->is_live || event->cursor.epoch != copy->state->cursor.epoch) {
      return stop_because(copy, HP_GAP_ORDER, "a subscription goes live twice");
    }
    copy->is_live = true;
  }
  copy->state->cursor.revision = event->revision;
  if (event->kind == HP_EVENT_LIVE && copy->callbacks.live != NULL) {
    copy->callbacks.live(copy, copy->context);
  }
  return HP_GAP_NONE;
}

hp_gap hp_copy_take(hp_copy *copy, const hp_event *event) {
  bool is_snapshot = event->kind == HP_EVENT_SNAPSHOT || event->kind == HP_EVENT_SNAPSHOT_ROWS;
  if (event->kind == HP_EVENT_ENDED) return stop(copy, hp_gap_of(event->reason));
  if (event->kind == HP_EVENT_WINDOW) {
    hp_gap gap = hp_copy_take_window(copy, event);
    /* Half a change must not be read; what was refused before it began leaves all as it was. */
    return gap == HP_GAP_NONE    ? gap
           : gap == HP_GAP_ORDER ? stop(copy, gap)
                                 : empty(copy, gap);
  }
  if (copy->is_broken && !is_snapshot && event->kind != HP_EVENT_OTHER &&
      event->kind != HP_EVENT_BARRIER) {
    return stop_because(copy, HP_GAP_ORDER, "the copy waits for a snapshot");
  }
  switch (event->kind) {
    case HP_EVENT_SNAPSHOT:
    case HP_EVENT_SNAPSHOT_ROWS: return take_part_of_snapshot(copy, event);
    case HP_EVENT_CHANGE: return take_change(copy, event);
    case HP_EVENT_LIVE:
    case HP_EVENT_PROGRESS: return take_mark(copy, event);
    default: return HP_GAP_NONE;
  }
}
