#include <string.h>

#include "editing_parts.h"

/* The copy of live state that hp_editing_fold keeps. */

typedef struct selection {
  hp_holder holder;
  hp_runs rows;
} selection;

/* One table's; what it points at is its own. */
typedef struct editing_table {
  uint64_t id;
  bool editing;
  char *title;
  hp_editing_mode mode;
  hp_holder *exclusive;
  hp_holder *holders;
  size_t holder_count;
  hp_swipe_state *swipe;
  hp_swipe_state *confirm;
  hp_drag_state *drag;
  selection *selections;
  size_t selection_count;
  hp_draft_state *drafts;
  size_t draft_count;
  hp_editing_state shown; /* made when it is asked for */
  hp_selection_state *shown_selections;
} editing_table;

struct hp_editing {
  hp_allocator allocator;
  editing_table **tables;
  size_t count;
  bool whole;
  bool collecting; /* parts of a full state are under way */
};

bool hp_holder_is(const hp_holder *holder, const hp_holder *other) {
  return holder->client == other->client && holder->lease == other->lease;
}

const char *hp_live_kind_name(hp_live_kind kind) {
  static const char *const names[] = {
      "unspecified",     "state",           "editing_changed",   "will_begin_editing",
      "did_end_editing", "swipe_opened",    "swipe_closed",      "drag_began",
      "drag_moved",      "drag_ended",      "drag_cancelled",    "selection_changed",
      "draft_began",     "draft_text",      "draft_ended",       "draft_rejected",
      "holder_gone",     "lease_ended",     "confirm_opened",    "confirm_closed",
      "table_gone", "view_changed"};
  return (size_t)kind < sizeof names / sizeof names[0] ? names[kind] : "unknown";
}

hp_editing *hp_editing_new(const hp_allocator *allocator) {
  hp_allocator used = hp_allocator_or_default(allocator);
  hp_editing *editing = hp_allocate(&used, sizeof *editing);
  if (editing == NULL) return NULL;
  memset(editing, 0, sizeof *editing);
  editing->allocator = used;
  return editing;
}

/* Freeing */

static void set_swipe_aside(const hp_allocator *allocator, hp_swipe_state **swipe) {
  if (*swipe == NULL) return;
  hp_clear_swipe(allocator, *swipe);
  hp_release(allocator, *swipe);
  *swipe = NULL;
}

static void set_drag_aside(const hp_allocator *allocator, editing_table *table) {
  if (table->drag == NULL) return;
  hp_clear_drag(allocator, table->drag);
  hp_release(allocator, table->drag);
  table->drag = NULL;
}

static void free_holders(const hp_allocator *allocator, hp_holder *holders, size_t count) {
  for (size_t i = 0; i < count; i++) hp_clear_holder(allocator, &holders[i]);
  hp_release(allocator, holders);
}

static void free_table(const hp_allocator *allocator, editing_table *table) {
  free_holders(allocator, table->exclusive, table->exclusive == NULL ? 0 : 1);
  free_holders(allocator, table->holders, table->holder_count);
  set_swipe_aside(allocator, &table->swipe);
  set_swipe_aside(allocator, &table->confirm);
  set_drag_aside(allocator, table);
  for (size_t i = 0; i < table->selection_count; i++) {
    hp_clear_holder(allocator, &table->selections[i].holder);
    hp_runs_free(allocator, &table->selections[i].rows);
  }
  for (size_t i = 0; i < table->draft_count; i++) hp_clear_draft(allocator, &table->drafts[i]);
  hp_release(allocator, table->selections);
  hp_release(allocator, table->shown_selections);
  hp_release(allocator, table->drafts);
  hp_release(allocator, table->title);
  hp_release(allocator, table);
}

static void forget(hp_editing *editing) {
  for (size_t i = 0; i < editing->count; i++) {
    free_table(&editing->allocator, editing->tables[i]);
  }
  hp_release(&editing->allocator, editing->tables);
  editing->tables = NULL;
  editing->count = 0;
  editing->whole = false;
  editing->collecting = false;
}

void hp_editing_free(hp_editing *editing) {
  if (editing == NULL) return;
  forget(editing);
  hp_allocator allocator = editing->allocator;
  hp_release(&allocator, editing);
}

/* Growing: arrays grow by one, since there are few of each. `*array` may move. */
static void *grow(const hp_allocator *allocator, void **array, size_t count, size_t size) {
  uint8_t *grown = hp_allocate(allocator, (count + 1) * size);
  if (grown == NULL) return NULL;
  if (count > 0) memcpy(grown, *array, count * size);
  hp_release(allocator, *array);
  *array = grown;
  memset(grown + count * size, 0, size);
  return grown + count * size;
}

static editing_table *find_table(const hp_editing *editing, uint64_t id) {
  for (size_t i = 0; i < editing->count; i++) {
    if (editing->tables[i]->id == id) return editing->tables[i];
  }
  return NULL;
}

static editing_table *table_of(hp_editing *editing, uint64_t id) {
  editing_table *table = find_table(editing, id);
  if (table != NULL) return table;
  table = hp_allocate(&editing->allocator, sizeof *table);
  if (table == NULL) return NULL;
  memset(table, 0, sizeof *table);
  table->id = id;
  void *tables = editing->tables;
  editing_table **place = grow(&editing->allocator, &tables, editing->count, sizeof *place);
  editing->tables = tables;
  if (place == NULL) {
    hp_release(&editing->allocator, table);
    return NULL;
  }
  *place = table;
  editing->count += 1;
  return table;
}

/* Setting */

static bool set_title(const hp_allocator *allocator, editing_table *table, const char *title) {
  bool failed = false;
  char *copy = hp_copy_text(allocator, title, &failed);
  if (failed) return false;
  hp_release(allocator, table->title);
  table->title = copy;
  return true;
}

static bool add_holders(const hp_allocator *allocator, editing_table *table,
                        const hp_holder *holders, size_t count) {
  for (size_t i = 0; i < count; i++) {
    void *array = table->holders;
    hp_holder *place = grow(allocator, &array, table->holder_count, sizeof *place);
    table->holders = array;
    if (place == NULL || !hp_copy_holder(allocator, place, &holders[i])) return false;
    table->holder_count += 1;
  }
  return true;
}

static bool set_exclusive(const hp_allocator *allocator, editing_table *table,
                          const hp_holder *exclusive) {
  free_holders(allocator, table->exclusive, table->exclusive == NULL ? 0 : 1);
  table->exclusive = NULL;
  if (exclusive == NULL) return true;
  hp_holder *copy = hp_allocate(allocator, sizeof *copy);
  if (copy == NULL || !hp_copy_holder(allocator, copy, exclusive)) {
    hp_release(allocator, copy);
    return false;
  }
  table->exclusive = copy;
  return true;
}

static bool set_swipe(const hp_allocator *allocator, hp_swipe_state **place,
                      const hp_swipe_state *swipe) {
  set_swipe_aside(allocator, place);
  if (swipe == NULL) return true;
  hp_swipe_state *copy = hp_allocate(allocator, sizeof *copy);
  if (copy == NULL || !hp_copy_swipe(allocator, copy, swipe)) {
    hp_release(allocator, copy);
    return false;
  }
  *place = copy;
  return true;
}

static bool set_drag(const hp_allocator *allocator, editing_table *table,
                     const hp_drag_state *drag) {
  set_drag_aside(allocator, table);
  if (drag == NULL) return true;
  hp_drag_state *copy = hp_allocate(allocator, sizeof *copy);
  if (copy == NULL || !hp_copy_drag(allocator, copy, drag)) {
    hp_release(allocator, copy);
    return false;
  }
  table->drag = copy;
  return true;
}

static bool is_same_draft(const hp_draft_state *draft, const hp_draft_state *other) {
  return draft->row == other->row && draft->column == other->column &&
         hp_holder_is(&draft->holder, &other->holder);
}

static void drop_draft(const hp_allocator *allocator, editing_table *table,
                       const hp_draft_state *draft) {
  for (size_t i = 0; i < table->draft_count; i++) {
    if (!is_same_draft(&table->drafts[i], draft)) continue;
    hp_clear_draft(allocator, &table->drafts[i]);
    table->draft_count -= 1;
    memmove(&table->drafts[i], &table->drafts[i + 1],
            (table->draft_count - i) * sizeof *table->drafts);
    return;
  }
}

static bool set_draft(const hp_allocator *allocator, editing_table *table,
                      const hp_draft_state *draft) {
  hp_draft_state copy;
  if (!hp_copy_draft(allocator, &copy, draft)) return false;
  for (size_t i = 0; i < table->draft_count; i++) {
    if (!is_same_draft(&table->drafts[i], draft)) continue;
    hp_clear_draft(allocator, &table->drafts[i]);
    table->drafts[i] = copy;
    return true;
  }
  void *array = table->drafts;
  hp_draft_state *place = grow(allocator, &array, table->draft_count, sizeof *place);
  table->drafts = array;
  if (place == NULL) {
    hp_clear_draft(allocator, &copy);
    return false;
  }
  *place = copy;
  table->draft_count += 1;
  return true;
}

static selection *selection_of(const hp_allocator *allocator, editing_table *table,
                               const hp_holder *holder) {
  for (size_t i = 0; i < table->selection_count; i++) {
    if (hp_holder_is(&table->selections[i].holder, holder)) return &table->selections[i];
  }
  void *array = table->selections;
  selection *place = grow(allocator, &array, table->selection_count, sizeof *place);
  table->selections = array;
  if (place == NULL || !hp_copy_holder(allocator, &place->holder, holder)) return NULL;
  table->selection_count += 1;
  return place;
}

static void drop_empty_selection(const hp_allocator *allocator, editing_table *table,
                                 selection *emptied) {
  if (emptied->rows.count > 0) return;
  hp_clear_holder(allocator, &emptied->holder);
  hp_runs_free(allocator, &emptied->rows);
  table->selection_count -= 1;
  size_t index = (size_t)(emptied - table->selections);
  memmove(emptied, emptied + 1, (table->selection_count - index) * sizeof *emptied);
}

static bool change_selection(const hp_allocator *allocator, editing_table *table,
                             const hp_live_event *event) {
  if (event->holder == NULL) return false;
  selection *changed = selection_of(allocator, table, event->holder);
  if (changed == NULL) return false;
  if (event->cleared) changed->rows.count = 0;
  for (size_t i = 0; i < event->deselected_count; i++) {
    if (!hp_runs_remove(allocator, &changed->rows, event->deselected[i])) return false;
  }
  for (size_t i = 0; i < event->selected_count; i++) {
    if (!hp_runs_add(allocator, &changed->rows, event->selected[i])) return false;
  }
  drop_empty_selection(allocator, table, changed);
  return true;
}

/* Folding */

static bool fold_state(hp_editing *editing, const hp_editing_state *state) {
  const hp_allocator *allocator = &editing->allocator;
  editing_table *table = table_of(editing, state->table);
  if (table == NULL || !set_title(allocator, table, state->title) ||
      !add_holders(allocator, table, state->holders, state->holder_count)) {
    return false;
  }
  table->editing = state->editing;
  table->mode = state->mode;
  if ((state->exclusive != NULL && !set_exclusive(allocator, table, state->exclusive)) ||
      (state->swipe != NULL && !set_swipe(allocator, &table->swipe, state->swipe)) ||
      (state->confirm != NULL && !set_swipe(allocator, &table->confirm, state->confirm)) ||
      (state->drag != NULL && !set_drag(allocator, table, state->drag))) {
    return false;
  }
  for (size_t i = 0; i < state->selection_count; i++) {
    const hp_selection_state *from = &state->selections[i];
    selection *to = selection_of(allocator, table, &from->holder);
    for (size_t j = 0; to != NULL && j < from->row_count; j++) {
      if (!hp_runs_add(allocator, &to->rows, from->rows[j])) return false;
    }
    if (to == NULL) return false;
  }
  for (size_t i = 0; i < state->draft_count; i++) {
    if (!set_draft(allocator, table, &state->drafts[i])) return false;
  }
  return true;
}

static bool fold_editing_changed(const hp_allocator *allocator, editing_table *table,
                                 const hp_live_event *event) {
  free_holders(allocator, table->holders, table->holder_count);
  table->holders = NULL;
  table->holder_count = 0;
  table->editing = event->editing;
  table->mode = event->mode;
  return set_title(allocator, table, event->title == NULL ? "" : event->title) &&
         add_holders(allocator, table, event->holders, event->holder_count) &&
         set_exclusive(allocator, table, event->exclusive);
}

static void drop_table(hp_editing *editing, uint64_t id) {
  for (size_t i = 0; i < editing->count; i++) {
    if (editing->tables[i]->id != id) continue;
    free_table(&editing->allocator, editing->tables[i]);
    editing->count -= 1;
    editing->tables[i] = editing->tables[editing->count];
    return;
  }
}

static bool fold_step(hp_editing *editing, const hp_live_event *event) {
  const hp_allocator *allocator = &editing->allocator;
  switch (event->kind) {
    case HP_LIVE_WILL_BEGIN_EDITING:
    case HP_LIVE_DID_END_EDITING:
    case HP_LIVE_HOLDER_GONE:
    case HP_LIVE_LEASE_ENDED:
    case HP_LIVE_VIEW_CHANGED:
      return true; /* what they change in the state comes in events of its own */
    case HP_LIVE_TABLE_GONE: drop_table(editing, event->table); return true;
    default: break;
  }
  editing_table *table = table_of(editing, event->table);
  if (table == NULL) return false;
  switch (event->kind) {
    case HP_LIVE_EDITING_CHANGED: return fold_editing_changed(allocator, table, event);
    case HP_LIVE_SWIPE_OPENED: return set_swipe(allocator, &table->swipe, event->swipe);
    case HP_LIVE_SWIPE_CLOSED: return set_swipe(allocator, &table->swipe, NULL);
    case HP_LIVE_CONFIRM_OPENED: return set_swipe(allocator, &table->confirm, event->confirm);
    case HP_LIVE_CONFIRM_CLOSED: return set_swipe(allocator, &table->confirm, NULL);
    case HP_LIVE_DRAG_BEGAN:
    case HP_LIVE_DRAG_MOVED: return set_drag(allocator, table, event->drag);
    case HP_LIVE_DRAG_ENDED:
    case HP_LIVE_DRAG_CANCELLED: return set_drag(allocator, table, NULL);
    case HP_LIVE_SELECTION_CHANGED: return change_selection(allocator, table, event);
    case HP_LIVE_DRAFT_BEGAN:
    case HP_LIVE_DRAFT_TEXT:
    case HP_LIVE_DRAFT_REJECTED:
      return event->draft != NULL && set_draft(allocator, table, event->draft);
    case HP_LIVE_DRAFT_ENDED:
      if (event->draft != NULL) drop_draft(allocator, table, event->draft);
      return event->draft != NULL;
    default: return true; /* of a newer server, which says so in its features */
  }
}

bool hp_editing_fold(hp_editing *editing, const hp_event *event) {
  if (event->kind != HP_EVENT_EDITING || event->live == NULL) return true;
  bool folded = true;
  if (event->live->kind == HP_LIVE_STATE) {
    if (event->part == 0) {
      forget(editing);
    } else if (!editing->collecting) {
      return true; /* its begin was lost here */
    }
    for (size_t i = 0; folded && i < event->live->state_count; i++) {
      folded = fold_state(editing, &event->live->states[i]);
    }
    editing->collecting = !event->last;
    editing->whole = event->last;
  } else if (editing->whole) {
    folded = fold_step(editing, event->live);
  }
  if (!folded) forget(editing);
  return folded;
}

bool hp_editing_is_whole(const hp_editing *editing) { return editing->whole; }

const hp_editing_state *hp_editing_of(const hp_editing *editing, uint64_t id) {
  editing_table *table = editing->whole ? find_table(editing, id) : NULL;
  if (table == NULL) return NULL;
  hp_editing_state *shown = &table->shown;
  memset(shown, 0, sizeof *shown);
  shown->table = id;
  shown->editing = table->editing;
  shown->title = table->title != NULL ? table->title : "Edit";
  shown->mode = table->mode;
  shown->exclusive = table->exclusive;
  shown->holders = table->holders;
  shown->holder_count = table->holder_count;
  shown->swipe = table->swipe;
  shown->confirm = table->confirm;
  shown->drag = table->drag;
  shown->drafts = table->drafts;
  shown->draft_count = table->draft_count;
  hp_release(&editing->allocator, table->shown_selections);
  table->shown_selections = NULL;
  if (table->selection_count == 0) return shown;
  hp_selection_state *selections =
      hp_allocate(&editing->allocator, table->selection_count * sizeof *selections);
  if (selections == NULL) return NULL;
  for (size_t i = 0; i < table->selection_count; i++) {
    selections[i].holder = table->selections[i].holder;
    selections[i].rows = table->selections[i].rows.runs;
    selections[i].row_count = table->selections[i].rows.count;
  }
  table->shown_selections = selections;
  shown->selections = selections;
  shown->selection_count = table->selection_count;
  return shown;
}
