#include "make.h"

#include "hp/editing.h"

/* A text that is never NULL. */
static const char *text_or_empty(hp_maker *maker, const char *text) {
  return hp_make_text(maker, text == NULL ? "" : text);
}

void hp_make_holder(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__Holder *from = message;
  hp_holder *holder = made;
  holder->uid = from->uid;
  holder->actor = text_or_empty(maker, from->actor);
  holder->client = from->client;
  holder->lease = from->lease;
  holder->lease_name = text_or_empty(maker, from->lease_name);
}

/* A holder inside another struct. */
static void make_own_holder(hp_maker *maker, const Hp__V1__Holder *from, hp_holder *holder) {
  if (from == NULL) {
    hp_maker_fail(maker, HP_ERROR_PROTOCOL, "the server sent a hold of nobody");
    return;
  }
  hp_make_holder(maker, from, holder);
}

static void make_lease(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__Lease *from = message;
  hp_lease *lease = made;
  lease->id = from->id;
  lease->uid = from->uid;
  lease->name = text_or_empty(maker, from->name);
  lease->actor = text_or_empty(maker, from->actor);
  lease->has_end = from->has_ends;
  lease->ends = from->ends;
}

void hp_make_leases(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__LeaseList *from = message;
  hp_lease_list *list = made;
  list->count = from->n_leases;
  list->leases = HP_MAKE_ARRAY(maker, hp_lease, make_lease, from->leases, from->n_leases);
}

static hp_editing_mode mode_of(hp_maker *maker, Hp__V1__EditingMode mode) {
  if (mode > HP__V1__EDITING_MODE__EDITING_MODE_SWIPE) {
    hp_maker_fail(maker, HP_ERROR_PROTOCOL, "the server sent an unknown editing mode");
    return HP_MODE_NONE;
  }
  return (hp_editing_mode)mode;
}

static void make_swipe(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__SwipeState *from = message;
  hp_swipe_state *swipe = made;
  swipe->row = from->row;
  make_own_holder(maker, from->holder, &swipe->holder);
  swipe->leading = from->leading;
  swipe->delete_title = text_or_empty(maker, from->delete_title);
}

static void make_drag(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__DragState *from = message;
  hp_drag_state *drag = made;
  drag->row = from->row;
  make_own_holder(maker, from->holder, &drag->holder);
  drag->target = hp_make_path(from->target);
}

static void make_draft(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__DraftState *from = message;
  hp_draft_state *draft = made;
  make_own_holder(maker, from->holder, &draft->holder);
  draft->row = from->row;
  draft->column = from->column;
  draft->text = text_or_empty(maker, from->text);
  draft->rejected = from->rejected;
  draft->reason = hp_make_text(maker, from->reason);
}

static void make_selection(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__SelectionState *from = message;
  hp_selection_state *selection = made;
  make_own_holder(maker, from->holder, &selection->holder);
  selection->row_count = from->n_rows;
  selection->rows = HP_MAKE_ARRAY(maker, hp_id_run, hp_make_id_run, from->rows, from->n_rows);
}

void hp_make_editing_state(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__EditingState *from = message;
  hp_editing_state *state = made;
  state->table = from->table;
  state->editing = from->editing;
  state->title = text_or_empty(maker, from->title);
  state->mode = mode_of(maker, from->mode);
  state->exclusive = hp_make_optional(maker, from->exclusive, sizeof(hp_holder), hp_make_holder);
  state->holder_count = from->n_holders;
  state->holders = HP_MAKE_ARRAY(maker, hp_holder, hp_make_holder, from->holders, from->n_holders);
  state->swipe = hp_make_optional(maker, from->swipe, sizeof(hp_swipe_state), make_swipe);
  state->confirm = hp_make_optional(maker, from->confirm, sizeof(hp_swipe_state), make_swipe);
  state->drag = hp_make_optional(maker, from->drag, sizeof(hp_drag_state), make_drag);
  state->selection_count = from->n_selections;
  state->selections = HP_MAKE_ARRAY(maker, hp_selection_state, make_selection, from->selections,
                                    from->n_selections);
  state->draft_count = from->n_drafts;
  state->drafts = HP_MAKE_ARRAY(maker, hp_draft_state, make_draft, from->drafts, from->n_drafts);
}

void hp_make_editing_result(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__EditingReply *from = message;
  hp_editing_result *result = made;
  result->cursor = hp_make_cursor(from->cursor);
  result->sequence = from->sequence;
  result->unchanged = from->unchanged;
  result->replayed = from->replayed;
  result->table = from->table;
  result->editing = from->editing;
  result->title = text_or_empty(maker, from->title);
  result->mode = mode_of(maker, from->mode);
  result->row = from->row;
  result->delete_title = hp_make_text(maker, from->delete_title);
  result->has_target = from->target != NULL;
  result->target = hp_make_path(from->target);
  result->draft = hp_make_optional(maker, from->draft, sizeof(hp_draft_state), make_draft);
  result->resigned = from->resigned;
}

static void make_policy_entry(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__PolicyEntry *from = message;
  hp_policy_entry *entry = made;
  entry->section = from->section;
  entry->row = from->row;
  entry->own = hp_make_optional(maker, from->own, sizeof(hp_policy), hp_make_policy);
  entry->effective = hp_make_optional(maker, from->effective, sizeof(hp_policy), hp_make_policy);
  entry->sentinel =
      hp_make_optional(maker, from->sentinel, sizeof(hp_sentinel), hp_make_sentinel);
  entry->has_path = from->path != NULL;
  entry->path = hp_make_path(from->path);
}

void hp_make_policies(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__PolicyList *from = message;
  hp_policy_list *list = made;
  list->cursor = hp_make_cursor(from->cursor);
  list->count = from->n_entries;
  list->entries =
      HP_MAKE_ARRAY(maker, hp_policy_entry, make_policy_entry, from->entries, from->n_entries);
}

void hp_make_live_event(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__LiveEvent *from = message;
  hp_live_event *event = made;
  event->start = from->start;
  event->sequence = from->sequence;
  event->revision = from->revision;
  event->kind = (hp_live_kind)from->kind;
  event->state_count = from->n_states;
  event->states = HP_MAKE_ARRAY(maker, hp_editing_state, hp_make_editing_state, from->states,
                                from->n_states);
  event->table = from->table;
  event->by = hp_make_optional(maker, from->by, sizeof(hp_holder), hp_make_holder);
  event->row = from->row;
  event->animated = from->animated;
  event->editing = from->editing;
  event->title = hp_make_text(maker, from->title);
  event->mode = mode_of(maker, from->mode);
  event->holder_count = from->n_holders;
  event->holders = HP_MAKE_ARRAY(maker, hp_holder, hp_make_holder, from->holders, from->n_holders);
  event->exclusive = hp_make_optional(maker, from->exclusive, sizeof(hp_holder), hp_make_holder);
  event->ended_count = from->n_ended;
  event->ended = HP_MAKE_ARRAY(maker, hp_holder, hp_make_holder, from->ended, from->n_ended);
  event->swipe = hp_make_optional(maker, from->swipe, sizeof(hp_swipe_state), make_swipe);
  event->confirm = hp_make_optional(maker, from->confirm, sizeof(hp_swipe_state), make_swipe);
  event->drag = hp_make_optional(maker, from->drag, sizeof(hp_drag_state), make_drag);
  event->draft = hp_make_optional(maker, from->draft, sizeof(hp_draft_state), make_draft);
  event->holder = hp_make_optional(maker, from->holder, sizeof(hp_holder), hp_make_holder);
  event->cleared = from->cleared;
  event->deselected_count = from->n_deselected;
  event->deselected =
      HP_MAKE_ARRAY(maker, hp_id_run, hp_make_id_run, from->deselected, from->n_deselected);
  event->selected_count = from->n_selected;
  event->selected =
      HP_MAKE_ARRAY(maker, hp_id_run, hp_make_id_run, from->selected, from->n_selected);
  event->node = hp_make_optional(maker, from->node, sizeof(hp_view_node), hp_make_view_node);
  event->section = from->section;
  event->footer = from->footer;
}
