/* Editing: what is sent, what is made of the answers, and the copy of live state. */
#include <stdlib.h>

#include "test.h"
#include "tests.h"

/* The one request that was sent; free it with hp__v1__client_frame__free_unpacked. It must be in
 * canonical form. */
static Hp__V1__ClientFrame *take_request(session *s, uint64_t id) {
  CHECK(id != 0);
  bytes sent = session_sent(s);
  size_t prefix = sent.size > 0 && sent.data[0] >= 0x80 ? 2 : 1;
  Hp__V1__ClientFrame *frame =
      sent.size > prefix
          ? hp__v1__client_frame__unpack(NULL, sent.size - prefix, sent.data + prefix)
          : NULL;
  CHECK(frame != NULL && frame->id == id);
  if (frame != NULL) {
    bytes repacked = {NULL, 0, 0};
    add_message(&repacked, &frame->base);
    CHECK(sent.size == repacked.size && memcmp(sent.data, repacked.data, sent.size) == 0);
    bytes_free(&repacked);
  } else {
    abort();
  }
  bytes_free(&sent);
  return frame;
}

#define SENT(s, id, field)                                         \
  for (Hp__V1__ClientFrame *frame = take_request(&(s), (id)); frame != NULL && \
       (frame->field != NULL || (check_failed(__FILE__, __LINE__, #field), false)); \
       hp__v1__client_frame__free_unpacked(frame, NULL), frame = NULL)

/* Whether what was sent last is the golden frame. */
static bool sent_golden(session *s, const char *name) {
  bytes sent = session_sent(s);
  bytes wanted = golden(name);
  bool same = sent.size == wanted.size && memcmp(sent.data, wanted.data, sent.size) == 0;
  if (!same) fprintf(stderr, "  not as in %s\n", name);
  bytes_free(&sent);
  bytes_free(&wanted);
  return same;
}

static hp_row_ref no_row(void) { return hp_row_make(HP_BY_NOTHING, 0, hp_path_make(0, 0)); }

TEST(sends_editing_requests) {
  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  hp_async *async = s.async;
  hp_table_ref items = hp_table_named("items");
  hp_envelope envelope = {.lease = 9};

  SENT(s, hp_send_take_lease(async, NULL, "desk", 60), take_lease) {
    CHECK_TEXT(frame->take_lease->name, "desk");
    CHECK(frame->take_lease->seconds == 60);
  }
  SENT(s, hp_send_end_lease(async, NULL, 9, NULL), end_lease) {
    CHECK(frame->end_lease->lease == 9 && frame->end_lease->name == NULL);
  }
  SENT(s, hp_send_end_lease(async, NULL, 0, "desk"), end_lease) {
    CHECK_TEXT(frame->end_lease->name, "desk");
  }
  SENT(s, hp_send_list_leases(async, NULL), list_leases) {}

  hp_set_editing how = {.on = true, .exclusive = true};
  SENT(s, hp_send_set_editing(async, &envelope, items, how), set_editing) {
    CHECK(frame->lease == 9 && frame->set_editing->on && frame->set_editing->exclusive);
    CHECK(!frame->set_editing->has_animated && !frame->set_editing->has_break_hold);
  }
  bool expected = false;
  SENT(s, hp_send_toggle_editing(async, NULL, items, &expected, true), toggle_editing) {
    CHECK(frame->toggle_editing->has_expected && !frame->toggle_editing->expected);
    CHECK(frame->toggle_editing->animated);
  }
  hp_cell cells[] = {hp_cell_text("name", "Rusty Spork")};
  hp_new_row row = {cells, 1, 0};
  SENT(s,
       hp_send_commit_editing(async, NULL, items, hp_row_at(0, 2), HP_STYLE_INSERT, &row,
                              HP_ANIMATION_LEFT, hp_basis_current()),
       commit_editing) {
    CHECK(frame->commit_editing->row->path->row == 2 && frame->commit_editing->basis->current);
    CHECK(frame->commit_editing->style == HP__V1__EDITING_STYLE__EDITING_STYLE_INSERT);
    CHECK(frame->commit_editing->animation == HP__V1__ANIMATION__ANIMATION_LEFT);
    CHECK(frame->commit_editing->new_row->n_cells == 1);
  }
  SENT(s,
       hp_send_swipe(async, NULL, items, HP_BUTTON_OPEN, hp_row_id(7), true, HP_ANIMATION_DEFAULT,
                     hp_basis_none()),
       swipe) {
    CHECK(frame->swipe->step == HP__V1__SWIPE__STEP__OPEN && frame->swipe->row->id == 7);
    CHECK(frame->swipe->leading && !frame->swipe->has_animation && frame->swipe->basis == NULL);
  }
  SENT(s,
       hp_send_confirm(async, NULL, items, HP_BUTTON_CANCEL, no_row(), HP_ANIMATION_DEFAULT,
                       hp_basis_none()),
       confirm) {
    CHECK(frame->confirm->step == HP__V1__CONFIRM__STEP__CANCEL && frame->confirm->row == NULL);
  }
  hp_path target = hp_path_make(1, 3);
  SENT(s,
       hp_send_drag(async, NULL, items, HP_DRAG_HOVER, no_row(), &target, hp_basis_current()),
       drag) {
    CHECK(frame->drag->step == HP__V1__DRAG__STEP__HOVER && frame->drag->target->row == 3);
  }
  hp_row_ref rows[] = {hp_row_id(7), hp_row_id(8)};
  SENT(s, hp_send_select(async, NULL, items, rows, 2, false, true, hp_basis_none()), select) {
    CHECK(frame->select->n_rows == 2 && frame->select->has_on && !frame->select->on);
    CHECK(frame->select->clear_others);
  }
  hp_draft draft = {.step = HP_DRAFT_TEXT, .row = 7, .column = "name", .text = "Rus"};
  SENT(s, hp_send_draft(async, NULL, items, &draft), draft) {
    CHECK(frame->draft->step == HP__V1__DRAFT__STEP__TEXT && frame->draft->row == 7);
    CHECK_TEXT(frame->draft->text, "Rus");
    CHECK(!frame->draft->has_force);
  }
  SENT(s, hp_send_get_editing(async, NULL, items), get_editing) {}
  SENT(s, hp_send_get_policy(async, NULL, items, hp_section_id(2), NULL, 0), get_policy) {
    CHECK(frame->get_policy->section->id == 2 && frame->get_policy->n_rows == 0);
  }

  /* What can't be said is refused before anything is sent. */
  CHECK(hp_send_take_lease(async, NULL, NULL, 0) == 0);
  CHECK(hp_send_end_lease(async, NULL, 0, NULL) == 0);
  CHECK(hp_send_commit_editing(async, NULL, items, hp_row_id(7), HP_STYLE_INHERITED, NULL,
                               HP_ANIMATION_DEFAULT, hp_basis_none()) == 0);
  CHECK(hp_async_error(async)->kind == HP_ERROR_ARGUMENT && hp_async_is_open(async));
  session_close(&s);
}

TEST(sends_golden_editing_requests) {
  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  session_advance(&s, 50);
  bytes before = session_sent(&s);
  bytes_free(&before);
  hp_async *async = s.async;
  hp_table_ref items = hp_table_named("items");
  hp_envelope held = {.lease = 9};
  hp_set_editing how = {.on = true, .exclusive = true};
  hp_cell cells[] = {hp_cell_text("name", "Rusty Spork")};
  hp_new_row row = {cells, 1, 0};
  hp_path target = hp_path_make(1, 3);
  hp_row_ref rows[] = {hp_row_id(7), hp_row_id(8)};
  hp_draft draft = {.step = HP_DRAFT_TEXT, .row = 7, .column = "name", .text = "Rus"};
  bool expected = false;
  CHECK(hp_send_take_lease(async, NULL, "desk", 60) == 50 && sent_golden(&s, "take_lease"));
  CHECK(hp_send_end_lease(async, NULL, 9, NULL) == 51 && sent_golden(&s, "end_lease"));
  CHECK(hp_send_end_lease(async, NULL, 0, "desk") == 52 && sent_golden(&s, "end_lease_named"));
  CHECK(hp_send_list_leases(async, NULL) == 53 && sent_golden(&s, "list_leases"));
  CHECK(hp_send_set_editing(async, &held, items, how) == 54 && sent_golden(&s, "set_editing"));
  CHECK(hp_send_toggle_editing(async, NULL, items, &expected, true) == 55);
  CHECK(sent_golden(&s, "toggle_editing"));
  CHECK(hp_send_commit_editing(async, NULL, items, hp_row_at(0, 2), HP_STYLE_INSERT, &row,
                               HP_ANIMATION_LEFT, hp_basis_current()) == 56);
  CHECK(sent_golden(&s, "commit_editing"));
  CHECK(hp_send_swipe(async, NULL, items, HP_BUTTON_OPEN, hp_row_id(7), true,
                      HP_ANIMATION_DEFAULT, hp_basis_none()) == 57);
  CHECK(sent_golden(&s, "swipe"));
  CHECK(hp_send_confirm(async, NULL, items, HP_BUTTON_CANCEL, no_row(), HP_ANIMATION_DEFAULT,
                        hp_basis_none()) == 58);
  CHECK(sent_golden(&s, "confirm"));
  CHECK(hp_send_drag(async, NULL, items, HP_DRAG_HOVER, no_row(), &target, hp_basis_current()) ==
        59);
  CHECK(sent_golden(&s, "drag"));
  CHECK(hp_send_select(async, NULL, items, rows, 2, false, true, hp_basis_none()) == 60);
  CHECK(sent_golden(&s, "select"));
  CHECK(hp_send_draft(async, NULL, items, &draft) == 61 && sent_golden(&s, "draft"));
  CHECK(hp_send_get_editing(async, NULL, items) == 62 && sent_golden(&s, "get_editing"));
  CHECK(hp_send_get_policy(async, NULL, items, hp_section_id(2), NULL, 0) == 63);
  CHECK(sent_golden(&s, "get_policy"));
  session_close(&s);
}

/* Sends one request with the id that the golden answer has, and feeds that. */
static void open_answered(session *s, const char *name, uint64_t id) {
  memset(s, 0, sizeof *s);
  session_ready(s, NULL);
  session_advance(s, id);
  hp_table_ref items = hp_table_named("items");
  hp_draft draft = {.step = HP_DRAFT_TEXT, .text = "Rus"};
  uint64_t sent = id == 50   ? hp_send_list_leases(s->async, NULL)
                  : id == 61 ? hp_send_draft(s->async, NULL, items, &draft)
                  : id == 62 ? hp_send_get_editing(s->async, NULL, items)
                             : hp_send_get_policy(s->async, NULL, items, hp_section_id(2), NULL, 0);
  CHECK(sent == id);
  bytes frame = golden(name);
  session_feed(s, &frame);
  bytes_free(&frame);
}

TEST(reads_golden_editing_replies) {
  session s;
  open_answered(&s, "reply_leases", 50);
  const hp_lease_list *leases = hp_reply_leases(s.last_reply);
  CHECK(leases != NULL && leases->count == 1 && leases->leases[0].ends == 60000000);
  session_close(&s);
  open_answered(&s, "reply_editing", 61);
  const hp_editing_result *result = hp_reply_editing(s.last_reply);
  CHECK(result != NULL && result->draft != NULL && result->draft->column == 2);
  CHECK(result != NULL && result->sequence == 9 && !result->resigned);
  session_close(&s);
  open_answered(&s, "reply_editing_state", 62);
  const hp_editing_state *state = hp_reply_editing_state(s.last_reply);
  CHECK(state != NULL && state->mode == HP_MODE_SWIPE && state->holder_count == 2);
  CHECK(state != NULL && state->drag != NULL && state->drag->target.row == 3);
  CHECK(state != NULL && state->drafts[0].rejected && state->selections[0].rows[0].count == 2);
  session_close(&s);
  open_answered(&s, "reply_policies", 63);
  const hp_policy_list *policies = hp_reply_policies(s.last_reply);
  CHECK(policies != NULL && policies->count == 1 && policies->entries[0].section == 2);
  session_close(&s);

  memset(&s, 0, sizeof s);
  session_ready(&s, NULL);
  session_subscribe(&s, 3);
  bytes frame = golden("event_editing");
  session_feed(&s, &frame);
  bytes_free(&frame);
  CHECK(s.last_event != NULL && s.last_event->kind == HP_EVENT_EDITING);
  const hp_live_event *event = s.last_event->live;
  CHECK(event->kind == HP_LIVE_EDITING_CHANGED && event->editing && event->holder_count == 1);
  CHECK_TEXT(event->title, "Done");
  session_close(&s);
}

static Hp__V1__Holder anna(void) {
  Hp__V1__Holder holder = HP__V1__HOLDER__INIT;
  holder.has_uid = true;
  holder.uid = 1000;
  holder.actor = "anna/ui";
  holder.has_client = true;
  holder.client = 12;
  return holder;
}

static Hp__V1__Holder desk(void) {
  Hp__V1__Holder holder = HP__V1__HOLDER__INIT;
  holder.has_uid = true;
  holder.uid = 1000;
  holder.actor = "anna/hpctl";
  holder.has_lease = true;
  holder.lease = 9;
  holder.lease_name = "desk";
  return holder;
}

TEST(reads_editing_replies) {
  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  bytes stream = {NULL, 0, 0};
  hp_table_ref items = hp_table_named("items");
  Hp__V1__Holder holder = anna();

  CHECK(hp_send_list_leases(s.async, NULL) == 2);
  Hp__V1__Lease lease = HP__V1__LEASE__INIT;
  Hp__V1__Lease *leases[] = {&lease};
  Hp__V1__LeaseList list = HP__V1__LEASE_LIST__INIT;
  lease.has_id = lease.has_ends = true;
  lease.id = 9;
  lease.name = "desk";
  lease.ends = 60000000;
  list.n_leases = 1;
  list.leases = leases;
  Hp__V1__Reply reply = HP__V1__REPLY__INIT;
  reply.result_case = HP__V1__REPLY__RESULT_LEASES;
  reply.leases = &list;
  add_reply(&stream, 2, reply);
  session_feed(&s, &stream);
  bytes_free(&stream);
  const hp_lease_list *taken = hp_reply_leases(s.last_reply);
  CHECK(taken != NULL && taken->count == 1 && taken->leases[0].id == 9);
  CHECK(taken->leases[0].has_end && taken->leases[0].ends == 60000000);
  CHECK_TEXT(taken->leases[0].actor, "");

  hp_draft draft = {.step = HP_DRAFT_END, .force = true};
  CHECK(hp_send_draft(s.async, NULL, items, &draft) == 3);
  Hp__V1__DraftState kept = HP__V1__DRAFT_STATE__INIT;
  Hp__V1__EditingReply result = HP__V1__EDITING_REPLY__INIT;
  kept.holder = &holder;
  kept.has_row = kept.has_column = kept.has_rejected = true;
  kept.row = 7;
  kept.column = 3;
  kept.text = "much";
  kept.rejected = true;
  kept.reason = "BAD_VALUE";
  result.draft = &kept;
  result.has_resigned = result.has_mode = result.has_sequence = true;
  result.resigned = true;
  result.sequence = 44;
  result.mode = HP__V1__EDITING_MODE__EDITING_MODE_EDITING;
  result.title = "Done";
  reply = (Hp__V1__Reply)HP__V1__REPLY__INIT;
  reply.result_case = HP__V1__REPLY__RESULT_EDITING;
  reply.editing = &result;
  add_reply(&stream, 3, reply);
  session_feed(&s, &stream);
  bytes_free(&stream);
  const hp_editing_result *made = hp_reply_editing(s.last_reply);
  CHECK(made != NULL && made->resigned && made->sequence == 44 && made->mode == HP_MODE_EDITING);
  CHECK_TEXT(made->title, "Done");
  CHECK(made->draft != NULL && made->draft->rejected && made->draft->holder.client == 12);
  CHECK_TEXT(made->draft->reason, "BAD_VALUE");
  CHECK(!made->has_target && made->delete_title == NULL);

  CHECK(hp_send_get_policy(s.async, NULL, items, hp_section_none(), NULL, 0) == 4);
  Hp__V1__Policy own = HP__V1__POLICY__INIT;
  Hp__V1__PolicyEntry entry = HP__V1__POLICY_ENTRY__INIT;
  Hp__V1__PolicyEntry *entries[] = {&entry};
  Hp__V1__PolicyList policies = HP__V1__POLICY_LIST__INIT;
  own.delete_title = "Remove";
  own.has_can_move = true;
  entry.own = entry.effective = &own;
  policies.n_entries = 1;
  policies.entries = entries;
  reply = (Hp__V1__Reply)HP__V1__REPLY__INIT;
  reply.result_case = HP__V1__REPLY__RESULT_POLICIES;
  reply.policies = &policies;
  add_reply(&stream, 4, reply);
  session_feed(&s, &stream);
  bytes_free(&stream);
  const hp_policy_list *shown = hp_reply_policies(s.last_reply);
  CHECK(shown != NULL && shown->count == 1 && shown->entries[0].own->can_move == HP_NO);
  CHECK_TEXT(shown->entries[0].effective->delete_title, "Remove");
  CHECK(s.closed_count == 0);

  /* A draft that nobody holds is a lie. */
  CHECK(hp_send_draft(s.async, NULL, items, &draft) == 5);
  kept.holder = NULL;
  reply = (Hp__V1__Reply)HP__V1__REPLY__INIT;
  reply.result_case = HP__V1__REPLY__RESULT_EDITING;
  reply.editing = &result;
  add_reply(&stream, 5, reply);
  session_feed(&s, &stream);
  bytes_free(&stream);
  CHECK(s.closed_count == 1 && s.closed.kind == HP_ERROR_PROTOCOL);
  session_close(&s);
}

/* The folding of the steps below, each over the wire. */

static Hp__V1__LiveEvent step(Hp__V1__LiveEventKind kind, uint64_t sequence) {
  Hp__V1__LiveEvent live = HP__V1__LIVE_EVENT__INIT;
  live.has_kind = live.has_sequence = live.has_table = true;
  live.kind = kind;
  live.sequence = sequence;
  live.table = 1;
  return live;
}

static void add_live(bytes *stream, Hp__V1__LiveEvent *live, uint32_t part, bool last) {
  Hp__V1__Event event = HP__V1__EVENT__INIT;
  event.body_case = HP__V1__EVENT__BODY_LIVE_STATE;
  event.live_state = live;
  add_event(stream, 3, 41, part, last, event);
}

static Hp__V1__IdRun *run(Hp__V1__IdRun *place, uint64_t first, uint64_t count) {
  hp__v1__id_run__init(place);
  place->has_first = place->has_count = true;
  place->first = first;
  place->count = count;
  return place;
}

/* A session's life; `fold` is told of each event. */
static bool feed_live(session *s, hp_editing *editing, Hp__V1__LiveEvent *live, uint32_t part,
                      bool last) {
  bytes stream = {NULL, 0, 0};
  add_live(&stream, live, part, last);
  session_feed(s, &stream);
  bytes_free(&stream);
  CHECK(s->closed_count == 0 && s->last_event != NULL);
  return hp_editing_fold(editing, s->last_event);
}

static bool feed_state(session *s, hp_editing *editing) {
  Hp__V1__Holder held[] = {anna(), desk()};
  Hp__V1__Holder *holders[] = {&held[0], &held[1]};
  Hp__V1__EditingState state = HP__V1__EDITING_STATE__INIT;
  Hp__V1__EditingState *states[] = {&state};
  Hp__V1__LiveEvent live = step(HP__V1__LIVE_EVENT_KIND__LIVE_EVENT_STATE, 1);
  live.has_table = false;
  live.n_states = 1;
  live.states = states;
  state.has_table = state.has_editing = state.has_mode = true;
  state.table = 1;
  state.editing = true;
  state.mode = HP__V1__EDITING_MODE__EDITING_MODE_EDITING;
  state.title = "Done";
  state.n_holders = 1;
  state.holders = holders;
  bool folded = feed_live(s, editing, &live, 0, false);
  CHECK(!hp_editing_is_whole(editing) && hp_editing_of(editing, 1) == NULL);
  state.holders = holders + 1;
  return feed_live(s, editing, &live, 1, true) && folded;
}

/* Select, draft, swipe, all folded. Returns whether every fold went well. */
static bool feed_steps(session *s, hp_editing *editing) {
  Hp__V1__Holder a = anna(), b = desk();
  Hp__V1__IdRun places[3];
  Hp__V1__IdRun *runs[] = {run(&places[0], 5, 3), run(&places[1], 20, 1), run(&places[2], 8, 2)};
  Hp__V1__LiveEvent live = step(HP__V1__LIVE_EVENT_KIND__LIVE_EVENT_SELECTION_CHANGED, 2);
  live.holder = &a;
  live.n_selected = 3;
  live.selected = runs;
  if (!feed_live(s, editing, &live, 0, true)) return false;
  Hp__V1__IdRun *gone[] = {run(&places[0], 6, 2)};
  live.n_selected = 0;
  live.n_deselected = 1;
  live.deselected = gone;
  if (!feed_live(s, editing, &live, 0, true)) return false;

  Hp__V1__DraftState draft = HP__V1__DRAFT_STATE__INIT;
  draft.holder = &b;
  draft.has_row = draft.has_column = true;
  draft.row = 7;
  draft.column = 1;
  draft.text = "R";
  live = step(HP__V1__LIVE_EVENT_KIND__LIVE_EVENT_DRAFT_BEGAN, 4);
  live.draft = &draft;
  if (!feed_live(s, editing, &live, 0, true)) return false;
  live.kind = HP__V1__LIVE_EVENT_KIND__LIVE_EVENT_DRAFT_TEXT;
  draft.text = "Ru";
  if (!feed_live(s, editing, &live, 0, true)) return false;

  Hp__V1__SwipeState swipe = HP__V1__SWIPE_STATE__INIT;
  swipe.has_row = true;
  swipe.row = 7;
  swipe.holder = &a;
  swipe.delete_title = "Remove";
  live = step(HP__V1__LIVE_EVENT_KIND__LIVE_EVENT_SWIPE_OPENED, 6);
  live.swipe = &swipe;
  if (!feed_live(s, editing, &live, 0, true)) return false;

  Hp__V1__Path target = HP__V1__PATH__INIT;
  Hp__V1__DragState drag = HP__V1__DRAG_STATE__INIT;
  target.has_row = true;
  target.row = 3;
  drag.has_row = true;
  drag.row = 8;
  drag.holder = &a;
  drag.target = &target;
  live = step(HP__V1__LIVE_EVENT_KIND__LIVE_EVENT_DRAG_BEGAN, 7);
  live.drag = &drag;
  return feed_live(s, editing, &live, 0, true);
}

static void check_steps(hp_editing *editing) {
  const hp_editing_state *state = hp_editing_of(editing, 1);
  CHECK(state != NULL && hp_editing_of(editing, 2) == NULL);
  if (state == NULL) return;
  CHECK(state->editing && state->mode == HP_MODE_EDITING && state->exclusive == NULL);
  CHECK_TEXT(state->title, "Done");
  CHECK(state->holder_count == 2 && state->holders[0].client == 12);
  CHECK(state->holder_count == 2 && state->holders[1].lease == 9);
  /* 5–9 and 20 without 6 and 7. */
  CHECK(state->selection_count == 1 && state->selections[0].row_count == 3);
  if (state->selection_count == 1 && state->selections[0].row_count == 3) {
    const hp_id_run *rows = state->selections[0].rows;
    CHECK(rows[0].first == 5 && rows[0].count == 1 && rows[1].first == 8 && rows[1].count == 2);
    CHECK(rows[2].first == 20 && rows[2].count == 1);
  }
  CHECK(state->draft_count == 1);
  CHECK_TEXT(state->draft_count == 1 ? state->drafts[0].text : NULL, "Ru");
  CHECK(state->swipe != NULL && state->swipe->row == 7);
  CHECK_TEXT(state->swipe == NULL ? NULL : state->swipe->delete_title, "Remove");
  CHECK(state->drag != NULL && state->drag->target.row == 3);
}

TEST(folds_live_state) {
  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  session_subscribe(&s, 3);
  hp_editing *editing = hp_editing_new(NULL);
  if (editing == NULL) abort();
  CHECK(!hp_editing_is_whole(editing));
  CHECK(feed_state(&s, editing) && feed_steps(&s, editing));
  check_steps(editing);

  /* All that was open closes. */
  Hp__V1__Holder b = desk();
  Hp__V1__DraftState draft = HP__V1__DRAFT_STATE__INIT;
  draft.holder = &b;
  draft.has_row = draft.has_column = true;
  draft.row = 7;
  draft.column = 1;
  Hp__V1__LiveEvent live = step(HP__V1__LIVE_EVENT_KIND__LIVE_EVENT_DRAFT_ENDED, 8);
  live.draft = &draft;
  CHECK(feed_live(&s, editing, &live, 0, true));
  live = step(HP__V1__LIVE_EVENT_KIND__LIVE_EVENT_SWIPE_CLOSED, 9);
  CHECK(feed_live(&s, editing, &live, 0, true));
  live = step(HP__V1__LIVE_EVENT_KIND__LIVE_EVENT_DRAG_CANCELLED, 10);
  CHECK(feed_live(&s, editing, &live, 0, true));
  Hp__V1__Holder a = anna();
  live = step(HP__V1__LIVE_EVENT_KIND__LIVE_EVENT_SELECTION_CHANGED, 11);
  live.holder = &a;
  live.has_cleared = live.cleared = true;
  CHECK(feed_live(&s, editing, &live, 0, true));
  live = step(HP__V1__LIVE_EVENT_KIND__LIVE_EVENT_EDITING_CHANGED, 12);
  live.title = "Edit";
  CHECK(feed_live(&s, editing, &live, 0, true));
  const hp_editing_state *state = hp_editing_of(editing, 1);
  CHECK(state != NULL && !state->editing && state->holder_count == 0 && state->swipe == NULL);
  CHECK(state != NULL && state->drag == NULL && state->draft_count == 0);
  CHECK(state != NULL && state->selection_count == 0);

  /* A step that does not fit empties the copy until the next full state. */
  live = step(HP__V1__LIVE_EVENT_KIND__LIVE_EVENT_DRAFT_TEXT, 13);
  CHECK(!feed_live(&s, editing, &live, 0, true) && !hp_editing_is_whole(editing));
  CHECK(feed_state(&s, editing) && hp_editing_of(editing, 1) != NULL);
  live = step(HP__V1__LIVE_EVENT_KIND__LIVE_EVENT_TABLE_GONE, 14);
  CHECK(feed_live(&s, editing, &live, 0, true) && hp_editing_of(editing, 1) == NULL);
  hp_editing_free(editing);
  hp_editing_free(NULL);
  session_close(&s);
}

TEST(folds_live_state_with_failing_allocations) {
  long fail_at = 1;
  for (;; fail_at++) {
    session s = {.free_in = NULL};
    session_ready(&s, NULL);
    session_subscribe(&s, 3);
    failing state = {0, fail_at, false, 0};
    hp_allocator allocator = failing_allocator(&state);
    hp_editing *editing = hp_editing_new(&allocator);
    bool well = editing != NULL && feed_state(&s, editing) && feed_steps(&s, editing);
    if (well) {
      /* The one that fails may be that of showing what was folded. */
      if (hp_editing_of(editing, 1) == NULL) CHECK(state.calls == fail_at);
      state.fail_at = 0;
      check_steps(editing);
    } else if (editing != NULL) {
      CHECK(!hp_editing_is_whole(editing));
    }
    hp_editing_free(editing);
    CHECK(state.living == 0);
    session_close(&s);
    if (state.calls < fail_at || fail_at > 500) break;
  }
  CHECK(fail_at > 15 && fail_at < 500);
}

/* Selected rows against a plain array of flags. */
TEST(keeps_selected_rows_like_flags) {
  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  session_subscribe(&s, 3);
  hp_editing *editing = hp_editing_new(NULL);
  if (editing == NULL) abort();
  CHECK(feed_state(&s, editing));
  bool flags[65] = {false};
  uint64_t random = 2463534242u;
  for (int round = 0; round < 2000; round++) {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    uint64_t first = 1 + random % 60;
    uint64_t count = 1 + (random >> 8) % 5;
    bool on = (random >> 16) % 2 == 0;
    if (first + count > 64) count = 64 - first;
    Hp__V1__IdRun place;
    Hp__V1__IdRun *runs[] = {run(&place, first, count)};
    Hp__V1__Holder a = anna();
    Hp__V1__LiveEvent live =
        step(HP__V1__LIVE_EVENT_KIND__LIVE_EVENT_SELECTION_CHANGED, (uint64_t)round + 2);
    live.holder = &a;
    live.n_selected = on ? 1 : 0;
    live.selected = runs;
    live.n_deselected = on ? 0 : 1;
    live.deselected = runs;
    CHECK(feed_live(&s, editing, &live, 0, true));
    for (uint64_t id = first; id < first + count; id++) flags[id] = on;

    const hp_editing_state *state = hp_editing_of(editing, 1);
    const hp_selection_state *selection =
        state != NULL && state->selection_count == 1 ? state->selections : NULL;
    bool same = state != NULL;
    size_t at = 0;
    for (uint64_t id = 1; same && id < 65; id++) {
      while (selection != NULL && at < selection->row_count &&
             selection->rows[at].first + selection->rows[at].count <= id) {
        at++;
      }
      bool selected = selection != NULL && at < selection->row_count &&
                      selection->rows[at].first <= id;
      same = selected == flags[id];
    }
    for (size_t i = 1; selection != NULL && i < selection->row_count; i++) {
      same = same && selection->rows[i - 1].first + selection->rows[i - 1].count <
                         selection->rows[i].first;
    }
    if (!same) {
      check_failed(__FILE__, round, "the selection is as the flags say");
      break;
    }
  }
  hp_editing_free(editing);
  session_close(&s);
}
