/* Scenes: what is sent, and what is made of the answers. */
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

TEST(sends_steps_of_scenes) {
  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  session_advance(&s, 30);
  bytes before = session_sent(&s);
  bytes_free(&before);
  hp_controller_spec detail = {.kind = HP_CONTROLLER_DETAIL,
                               .table = hp_table_named("items"),
                               .row = 7,
                               .title = "Kettle"};
  hp_scene_step push = {.kind = HP_SCENE_PUSH,
                        .scene = "main",
                        .roots = &detail,
                        .root_count = 1,
                        .without_animation = true};
  hp_envelope keyed = {.key = "k"};
  CHECK(hp_send_scene(s.async, &keyed, &push) == 30);
  CHECK(sent_golden(&s, "scene_push"));
  hp_bar_button edit = {.edit_button = true};
  hp_bar_button add = {.id = 5, .system = "add", .disabled = true, .action = "addNewItem:"};
  hp_navigation_item item = {.title = "Homepwner",
                             .prompt = "All",
                             .left = &edit,
                             .left_count = 1,
                             .right = &add,
                             .right_count = 1,
                             .left_supplements_back = true};
  hp_scene_step set = {
      .kind = HP_SCENE_SET_ITEM, .scene = "main", .controller = 2, .item = &item};
  CHECK(hp_send_scene(s.async, NULL, &set) == 31);
  CHECK(sent_golden(&s, "scene_set_item"));
  hp_scene_step more = {.kind = HP_SCENE_SELECT_TAB, .scene = "main"};
  hp_envelope held = {.lease = 4};
  CHECK(hp_send_scene(s.async, &held, &more) == 32);
  CHECK(sent_golden(&s, "scene_select_more"));

  /* What can't be said is refused before anything is sent. */
  hp_scene_step nameless = {.kind = HP_SCENE_POP};
  CHECK(hp_send_scene(s.async, NULL, &nameless) == 0);
  session_close(&s);
}

TEST(sends_every_step_of_a_scene) {
  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  session_advance(&s, 70);
  bytes before = session_sent(&s);
  bytes_free(&before);
  hp_controller_spec tabs[] = {
      {.kind = HP_CONTROLLER_ITEMS, .table = hp_table_named("items"), .section = 2,
       .tab_title = "Items"},
      {.kind = HP_CONTROLLER_VIEW, .class_name = "PanelController", .nib_name = "Panel"}};
  hp_controller_spec all = {
      .kind = HP_CONTROLLER_SECTIONS, .table = hp_table_with_id(1), .title = "All"};
  const struct {
    const char *golden;
    hp_scene_step step;
  } steps[] = {
      {"scene_make",
       {.kind = HP_SCENE_MAKE, .roots = tabs, .root_count = 2, .language = "fr"}},
      {"scene_show", {.kind = HP_SCENE_SHOW}},
      {"scene_attach", {.kind = HP_SCENE_ATTACH}},
      {"scene_detach", {.kind = HP_SCENE_DETACH}},
      {"scene_push_instance", {.kind = HP_SCENE_PUSH, .controller = 4}},
      {"scene_pop", {.kind = HP_SCENE_POP}},
      {"scene_pop_to_root", {.kind = HP_SCENE_POP_TO_ROOT, .without_animation = true}},
      {"scene_pop_to", {.kind = HP_SCENE_POP_TO, .controller = 2}},
      {"scene_select_tab", {.kind = HP_SCENE_SELECT_TAB, .has_index = true, .index = 1}},
      {"scene_send_event", {.kind = HP_SCENE_SEND_EVENT, .node = 31, .event = "touchDown"}},
      {"scene_tap", {.kind = HP_SCENE_TAP_BAR_BUTTON, .button = 5}},
      {"scene_tap_back", {.kind = HP_SCENE_TAP_BAR_BUTTON}},
      {"scene_end_editing", {.kind = HP_SCENE_END_EDITING, .force = true}},
      {"scene_remove", {.kind = HP_SCENE_REMOVE}},
      {"scene_respond", {.kind = HP_SCENE_BECOME_FIRST_RESPONDER, .column = "name"}},
      {"scene_list", {.kind = HP_SCENE_LIST}},
      {"scene_add_tab", {.kind = HP_SCENE_ADD_TAB, .roots = &all, .root_count = 1}},
      {"scene_remove_tab", {.kind = HP_SCENE_REMOVE_TAB, .has_index = true, .index = 2}},
      {"scene_set_editing", {.kind = HP_SCENE_SET_EDITING, .controller = 2, .editing = true}}};
  for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
    hp_scene_step step = steps[i].step;
    if (step.kind != HP_SCENE_LIST) step.scene = "main";
    hp_envelope envelope = {.lease = step.kind == HP_SCENE_ATTACH ? 4 : 0};
    CHECK(hp_send_scene(s.async, &envelope, &step) == 70 + i);
    if (!sent_golden(&s, steps[i].golden)) check_failed(steps[i].golden, 0, "is sent so");
  }
  session_close(&s);
}

TEST(reads_steps_and_events_of_scenes) {
  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  session_advance(&s, 33);
  hp_scene_step tap = {.kind = HP_SCENE_TAP_BAR_BUTTON, .scene = "main", .button = 5};
  CHECK(hp_send_scene(s.async, NULL, &tap) == 33);
  feed_golden(&s, "reply_scene");
  CHECK(hp_reply_kind_of(s.last_reply) == HP_REPLY_SCENE);
  CHECK(hp_reply_cursor(s.last_reply).revision == 42);
  const hp_scene_result *result = hp_reply_scene(s.last_reply);
  CHECK(result != NULL && result->performed_count == 1 && result->sent_count == 0);
  CHECK_TEXT(result->performed[0], "addNewItem:");
  CHECK(result->revision_count == 1 && result->revisions[0] == 42);
  CHECK(result->inserted_count == 1 && result->inserted[0].first == 9);
  CHECK(result->sequence == 12 && !result->unchanged && !result->has_resigned);
  session_close(&s);

  session t = {.free_in = NULL};
  session_ready(&t, NULL);
  session_subscribe(&t, 3);
  feed_golden(&t, "event_scene");
  CHECK(t.last_event != NULL && t.last_event->kind == HP_EVENT_SCENE);
  CHECK(t.last_event->from == 42 && t.last_event->revision == 42);
  const hp_scene_event *event = t.last_event->scene;
  CHECK(event->kind == HP_SCENE_EVENT_NAVIGATION && event->sequence == 12 && event->start == 77);
  CHECK_TEXT(event->scene, "main");
  CHECK_TEXT(hp_scene_event_kind_name(event->kind), "navigation");
  CHECK_TEXT(hp_scene_event_kind_name(HP_SCENE_EVENT_REJECTED), "rejected");
  CHECK_TEXT(hp_scene_event_kind_name((hp_scene_event_kind)17), "unknown");
  CHECK(event->by != NULL && event->by->client == 5 && event->animated);
  CHECK(event->stack != NULL && event->stack->id == 1 && event->stack->controller_count == 2);
  CHECK(event->stack->controllers[0].class_name == NULL);
  const hp_controller *detail = &event->stack->controllers[1];
  CHECK(detail->id == 4 && detail->kind == HP_CONTROLLER_DETAIL && detail->row == 7);
  CHECK(event->visible == 4 && event->bar != NULL && event->bar->left_count == 0);
  CHECK_TEXT(event->bar->back->title, "items");
  CHECK(event->state == NULL && event->controller == NULL && event->popped_count == 0);
  session_close(&t);
}
