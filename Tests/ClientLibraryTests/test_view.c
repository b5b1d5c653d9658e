/* Views: what is sent, and what is made of the answers. */
#include "test.h"
#include "tests.h"

static void feed_golden(session *s, const char *name) {
  bytes frame = golden(name);
  session_feed(s, &frame);
  bytes_free(&frame);
}

/* Whether what was sent last is the golden frame. */
static bool sent_golden(session *s, const char *name) {
  bytes sent = session_sent(s);
  bytes wanted = golden(name);
  bool same = sent.size == wanted.size && memcmp(sent.data, wanted.data, sent.size) == 0;
  bytes_free(&sent);
  bytes_free(&wanted);
  return same;
}

TEST(sends_what_is_loaded) {
  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  session_advance(&s, 40);
  bytes before = session_sent(&s);
  bytes_free(&before);
  const char *outlets[] = {"view", "headerView"};
  hp_load_nib what = {.name = "HeaderView",
                      .owner_class = "HPItemsController",
                      .language = "fr-CA",
                      .outlets = outlets,
                      .outlet_count = 2,
                      .keep = true};
  CHECK(hp_send_load_nib(s.async, NULL, &what) == 40);
  CHECK(sent_golden(&s, "load_nib"));
  hp_load_nib search = {.controller_class = "ItemsViewController"};
  CHECK(hp_send_load_nib(s.async, NULL, &search) == 41);
  CHECK(sent_golden(&s, "load_view"));

  /* What can't be said is refused before anything is sent. */
  hp_load_nib nothing = {.owner_class = "HPItemsController"};
  CHECK(hp_send_load_nib(s.async, NULL, &nothing) == 0);
  const char *none[] = {NULL};
  hp_load_nib unnamed = {.name = "HeaderView", .outlets = none, .outlet_count = 1};
  CHECK(hp_send_load_nib(s.async, NULL, &unnamed) == 0);
  CHECK(hp_async_error(s.async)->kind == HP_ERROR_ARGUMENT && hp_async_is_open(s.async));
  session_close(&s);
}

static void check_nib(const hp_nib *nib) {
  CHECK(nib->node_count == 2 && nib->top_level_count == 2 && nib->dropped_count == 1);
  CHECK(nib->top_level[1] == 300 && nib->dropped[0] == 300);
  CHECK_TEXT(nib->file, "H.xib");
  CHECK(nib->tried_count == 2 && nib->warning_count == 1);
  CHECK_TEXT(nib->tried[0], "fr.lproj/H.xib");
  const hp_view_node *view = hp_nib_node(nib, 7);
  const hp_view_node *bell = hp_nib_node(nib, 8);
  CHECK(view == &nib->nodes[0] && bell == &nib->nodes[1]);
  CHECK(hp_nib_node(nib, 6) == NULL && hp_nib_node(nib, 9) == NULL);
  CHECK(hp_nib_outlet(nib, "headerView") == view && hp_nib_outlet(nib, "view") == NULL);

  CHECK_TEXT(view->class_name, "UIView");
  CHECK(view->parent == 0 && view->module == NULL && view->key == NULL && view->enabled);
  CHECK(view->has_frame && view->frame.width == 360 && view->frame.height == 48.5);
  CHECK(view->background->has_components && view->background->alpha == 0);
  CHECK(view->autoresizing_count == 1);
  CHECK_TEXT(view->autoresizing[0], "widthSizable");
  CHECK(hp_view_title(view, NULL) == NULL);

  CHECK(bell->parent == 7 && !bell->enabled && bell->hidden && !bell->has_frame);
  CHECK_TEXT(bell->module, "Sounds");
  CHECK_TEXT(bell->key, "items");
  CHECK_TEXT(hp_view_title(bell, NULL), "New");
  CHECK_TEXT(hp_view_title(bell, "highlighted"), "New");
  CHECK(bell->action_count == 2 && bell->actions[0].target == HP_TARGET_OWNER);
  CHECK_TEXT(bell->actions[0].event, "touchUpInside");
  CHECK(bell->actions[1].event == NULL && bell->actions[1].target == 7);
  CHECK_TEXT(bell->text, "t");
  CHECK_TEXT(bell->placeholder, "p");
  CHECK(bell->outlet_count == 2 && bell->outlets[0].target == HP_TARGET_OWNER);
  CHECK(bell->outlets[1].target == 7 && bell->outlets[1].collection);
  CHECK(bell->color_count == 1 && !bell->colors[0].has_components && bell->colors[0].system);
  CHECK_TEXT(bell->colors[0].key, "titleColor");
  CHECK_TEXT(bell->colors[0].state, "normal");
  CHECK_TEXT(bell->colors[0].name, "labelColor");
  CHECK(bell->background == NULL);
  CHECK_TEXT(bell->settings[0].value, "roundedRect");
  CHECK(bell->constraint_count == 1 && bell->constraints[0].first == 7);
  CHECK(bell->constraints[0].second == 0);
  CHECK_TEXT(bell->constraints[0].second_guide, "safe");
  CHECK_TEXT(bell->constraints[0].multiplier, "4:3");
}

TEST(reads_a_nib) {
  hp_load_nib what = {.name = "H"};
  for (long fail_at = 0;; fail_at++) {
    failing state = {0, 0, false, 0};
    hp_allocator allocator = failing_allocator(&state);
    hp_async_options options = {.allocator = &allocator};
    session s = {.free_in = NULL};
    session_ready(&s, &options);
    session_advance(&s, 40);
    CHECK(hp_send_load_nib(s.async, NULL, &what) == 40);
    state.calls = 0;
    state.fail_at = fail_at;
    feed_golden(&s, "reply_nib");
    /* 0: none fails. */
    bool well = s.closed_count == 0;
    if (well) {
      const hp_nib *nib = hp_reply_nib(s.last_reply);
      CHECK(nib != NULL && hp_reply_kind_of(s.last_reply) == HP_REPLY_NIB);
      if (nib != NULL) check_nib(nib);
    } else {
      CHECK(s.closed.kind == HP_ERROR_MEMORY);
    }
    CHECK(fail_at > 0 || well);
    session_close(&s);
    CHECK(state.living == 0);
    if (fail_at > 0 && well) break;
  }

  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  session_advance(&s, 40);
  CHECK(hp_send_load_nib(s.async, NULL, &what) == 40);
  feed_golden(&s, "reply_bad_xib");
  CHECK(hp_reply_nib(s.last_reply) == NULL);
  const hp_server_error *error = hp_reply_error(s.last_reply);
  CHECK(error != NULL && error->code == HP_CODE_BAD_XIB && error->has_line && error->line == 12);
  CHECK_TEXT(error == NULL ? NULL : error->file, "H.xib");
  session_close(&s);
}

/* A part of a nib with one node. */
static void add_node(bytes *to, uint64_t request, uint64_t id, bool more) {
  Hp__V1__ViewNode node = HP__V1__VIEW_NODE__INIT;
  Hp__V1__ViewNode *nodes[] = {&node};
  Hp__V1__NibLoaded nib = HP__V1__NIB_LOADED__INIT;
  Hp__V1__Reply reply = HP__V1__REPLY__INIT;
  node.has_id = true;
  node.id = id;
  nib.n_nodes = 1;
  nib.nodes = nodes;
  reply.has_more = more;
  reply.more = more;
  reply.result_case = HP__V1__REPLY__RESULT_NIB;
  reply.nib = &nib;
  add_reply(to, request, reply);
}

TEST(joins_the_parts_of_a_nib) {
  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  hp_load_nib what = {.name = "H"};
  CHECK(hp_send_load_nib(s.async, NULL, &what) == 2);
  bytes stream = {NULL, 0, 0};
  for (uint64_t id = 1; id <= 3; id++) add_node(&stream, 2, id, id < 3);
  session_feed(&s, &stream);
  bytes_free(&stream);
  const hp_nib *nib = hp_reply_nib(s.last_reply);
  CHECK(s.replies == 1 && nib != NULL && nib->node_count == 3 && nib->nodes[2].id == 3);
  CHECK(nib != NULL && nib->nodes[2].enabled && nib->file == NULL);
  CHECK_TEXT(nib == NULL ? NULL : nib->nodes[0].class_name, "");
  session_close(&s);
}

TEST(refuses_nodes_out_of_order) {
  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  hp_load_nib what = {.name = "H"};
  CHECK(hp_send_load_nib(s.async, NULL, &what) == 2);
  bytes stream = {NULL, 0, 0};
  add_node(&stream, 2, 5, true);
  add_node(&stream, 2, 5, false);
  session_feed(&s, &stream);
  bytes_free(&stream);
  CHECK(s.closed_count == 1 && s.closed.kind == HP_ERROR_PROTOCOL && s.replies == 0);
  session_close(&s);
}

TEST(asks_for_headers_and_changes_nodes) {
  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  session_advance(&s, 42);
  bytes before = session_sent(&s);
  bytes_free(&before);
  hp_table_ref items = hp_table_named("items");
  CHECK(hp_send_get_header(s.async, NULL, items, hp_section_id(2), true) == 42);
  CHECK(sent_golden(&s, "get_header"));
  feed_golden(&s, "reply_header");
  const hp_header_shown *shown = hp_reply_header(s.last_reply);
  CHECK(hp_reply_kind_of(s.last_reply) == HP_REPLY_HEADER && hp_reply_nib(s.last_reply) == NULL);
  CHECK(shown != NULL && shown->present && shown->height == 48 && shown->loads == 1);
  if (shown != NULL) {
    CHECK_TEXT(shown->value->view, "HeaderView");
    CHECK_TEXT(shown->value->owner, "HPItemsController");
    CHECK_TEXT(shown->value->language, "fr");
    CHECK(shown->view->node_count == 1 && shown->view->nodes[0].id == 7);
  }
  bool enabled = false, hidden = true;
  hp_view_frame frame = {1.5, 0, 80, 36};
  hp_view_change change = {"New", "highlighted", &enabled, &hidden, &frame};
  CHECK(hp_send_set_view_node(s.async, NULL, items, 8, &change) == 43);
  CHECK(sent_golden(&s, "set_view_node"));
  hp_envelope held = {.lease = 4};
  hp_view_change start = {.title = "Start", .enabled = &enabled};
  CHECK(hp_send_set_scene_node(s.async, &held, "main", 3, 31, &start) == 44);
  CHECK(sent_golden(&s, "set_scene_node"));
  bool taps = true;
  CHECK(hp_send_set_bar_button(s.async, NULL, "main", 0, 5, "Insert", &taps) == 45);
  CHECK(sent_golden(&s, "set_bar_button"));
  CHECK(hp_send_set_bar_button(s.async, NULL, NULL, 0, 5, "Insert", &taps) == 0);
  session_close(&s);
}
