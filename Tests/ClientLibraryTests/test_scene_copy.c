/* The copy of a scene: folded by the events alone, whole or as it was before. */
#include <stdlib.h>

#include "live.h"
#include "scenetext.h"
#include "test.h"
#include "tests.h"

/* The event of a golden frame, in a connection of its own. */
static void open_event(session *s, const char *name) {
  memset(s, 0, sizeof *s);
  session_ready(s, NULL);
  session_subscribe(s, 3);
  bytes frame = golden(name);
  session_feed(s, &frame);
  bytes_free(&frame);
  CHECK(s->last_event != NULL && s->last_event->kind == HP_EVENT_SCENE);
}

static char *text_of(const hp_scene_state *scene) {
  char *text = NULL;
  size_t size = 0;
  FILE *to = open_memstream(&text, &size);
  if (to == NULL) abort();
  scene_tell(to, scene);
  fclose(to);
  return text;
}

static hp_gap take(hp_scene_copy *copy, const hp_scene_event *told) {
  hp_event event = {.kind = HP_EVENT_SCENE, .scene = told, .last = true};
  return hp_scene_copy_take(copy, &event);
}

/* The event after the copy's last one. */
static hp_scene_event next(const hp_scene_copy *copy, hp_scene_event_kind kind) {
  return (hp_scene_event){.kind = kind, .scene = "main", .start = 77, .revision = 42,
                          .sequence = hp_scene_copy_state(copy)->sequence + 1};
}

TEST(keeps_a_golden_scene) {
  session s, t;
  open_event(&s, "event_scene_state");
  hp_scene_copy *copy = hp_scene_copy_new(NULL);
  CHECK(copy != NULL && hp_scene_copy_state(copy) == NULL && !hp_scene_copy_is_whole(copy));
  open_event(&t, "event_scene_node");
  CHECK(hp_scene_copy_take(copy, t.last_event) == HP_GAP_NONE); /* before the state: nothing */
  CHECK(hp_scene_copy_state(copy) == NULL);
  CHECK(hp_scene_copy_take(copy, s.last_event) == HP_GAP_NONE && hp_scene_copy_is_whole(copy));
  char *told = text_of(s.last_event->scene->state);
  session_close(&s); /* the copy has its own */
  char *kept = text_of(hp_scene_copy_state(copy));
  CHECK(strcmp(kept, told) == 0);
  free(kept);
  free(told);
  const hp_controller *panel = hp_scene_controller(hp_scene_copy_state(copy), 6);
  CHECK(panel != NULL && panel->item_view_count == 2 && panel->item_views[1].button == 7);
  CHECK(panel != NULL && !panel->item_views[1].nodes[0].hidden);
  CHECK(hp_scene_copy_start(copy) == 77 && hp_scene_copy_state(copy)->sequence == 4);
  CHECK(hp_scene_copy_take(copy, t.last_event) == HP_GAP_NONE);
  session_close(&t);
  panel = hp_scene_controller(hp_scene_copy_state(copy), 6);
  CHECK(panel != NULL && panel->item_views[1].nodes[0].hidden && panel->node_count == 2);
  CHECK(hp_scene_copy_state(copy)->sequence == 5);
  hp_scene_copy_free(copy);
  hp_scene_copy_free(NULL);
}

static hp_holder ann(uint64_t client) { return (hp_holder){.uid = 1, .actor = "a", .client = client}; }

TEST(folds_every_kind_of_a_scenes_events) {
  session s;
  open_event(&s, "event_scene_state");
  hp_scene_copy *copy = hp_scene_copy_new(NULL);
  CHECK(hp_scene_copy_take(copy, s.last_event) == HP_GAP_NONE);
  session_close(&s);

  /* A push, and what it shows. */
  hp_controller known = {.id = 2}, panel = {.id = 6};
  hp_controller detail = {.id = 9, .kind = HP_CONTROLLER_DETAIL, .class_name = "HPDetailController",
                          .table = 1, .row = 7, .item = {.title = "Kettle"}};
  hp_controller three[] = {known, panel, detail};
  hp_navigation_stack stack = {.id = 1, .controllers = three, .controller_count = 3};
  hp_bar bar = {.title = "Kettle"};
  hp_scene_event event = next(copy, HP_SCENE_EVENT_NAVIGATION);
  event.stack = &stack;
  event.visible = 9;
  event.bar = &bar;
  CHECK(take(copy, &event) == HP_GAP_NONE);
  const hp_scene_state *scene = hp_scene_copy_state(copy);
  CHECK(scene->visible == 9 && scene->stacks[0].controller_count == 3);
  CHECK_TEXT(scene->stacks[0].tab_title, "Items");
  CHECK_TEXT(scene->bar->title, "Kettle");
  CHECK(hp_scene_controller(scene, 6)->node_count == 2); /* it is as it was */

  /* Views: a load gives them all, an item its own, a flag none. */
  hp_view_node nodes[] = {{.id = 40, .class_name = "UIView"}, {.id = 41, .class_name = "UILabel"}};
  hp_item_view view = {.button = 0, .nodes = &nodes[1], .node_count = 1};
  detail.nodes = nodes;
  detail.node_count = 1;
  detail.item_views = &view;
  detail.item_view_count = 1;
  event = next(copy, HP_SCENE_EVENT_VIEW_LOADED);
  event.controller = &detail;
  CHECK(take(copy, &event) == HP_GAP_NONE);
  detail = (hp_controller){.id = 9, .class_name = "HPDetailController", .editing = true};
  event = next(copy, HP_SCENE_EVENT_EDITING);
  event.controller = &detail;
  CHECK(take(copy, &event) == HP_GAP_NONE);
  const hp_controller *kept = hp_scene_controller(hp_scene_copy_state(copy), 9);
  CHECK(kept->editing && kept->node_count == 1 && kept->item_view_count == 1);
  event.kind = HP_SCENE_EVENT_ITEM;
  event.sequence += 1;
  CHECK(take(copy, &event) == HP_GAP_NONE);
  kept = hp_scene_controller(hp_scene_copy_state(copy), 9);
  CHECK(kept->node_count == 1 && kept->item_view_count == 0);

  /* Titles of buttons, in an item; the bar comes by itself. */
  hp_controller list = {.id = 2};
  event = next(copy, HP_SCENE_EVENT_BUTTON_TITLE);
  event.controller = &list;
  event.sender = 5;
  event.title = "Edit";
  CHECK(take(copy, &event) == HP_GAP_NONE);
  CHECK_TEXT(hp_scene_controller(hp_scene_copy_state(copy), 2)->item.left[0].title, "Edit");

  /* Who is there, and who writes where. */
  hp_holder second = ann(8);
  event = next(copy, HP_SCENE_EVENT_ATTACHED);
  event.by = &second;
  CHECK(take(copy, &event) == HP_GAP_NONE && hp_scene_copy_state(copy)->attached_count == 3);
  CHECK(hp_scene_copy_state(copy)->attached[2].client == 8);
  hp_responder responder = {.holder = second, .controller = 9, .column = 2};
  event = next(copy, HP_SCENE_EVENT_RESPONDER);
  event.by = &second;
  event.responders = &responder;
  event.responder_count = 1;
  CHECK(take(copy, &event) == HP_GAP_NONE && hp_scene_copy_state(copy)->responder_count == 2);
  responder.column = 3;
  event.sequence += 1;
  CHECK(take(copy, &event) == HP_GAP_NONE && hp_scene_copy_state(copy)->responder_count == 2);
  CHECK(hp_scene_copy_state(copy)->responders[1].column == 3);
  event.sequence += 1;
  event.responder_count = 0;
  CHECK(take(copy, &event) == HP_GAP_NONE && hp_scene_copy_state(copy)->responder_count == 1);
  event = next(copy, HP_SCENE_EVENT_DETACHED);
  event.by = &second;
  CHECK(take(copy, &event) == HP_GAP_NONE && hp_scene_copy_state(copy)->attached_count == 2);

  /* Tabs: More comes and is selected. */
  hp_controller more = {.id = 20, .kind = HP_CONTROLLER_MORE, .class_name = "UIMoreListController"};
  hp_controller root = {.id = 22, .class_name = "HPItemsController"};
  hp_navigation_stack stacks[] = {{.id = 21, .controllers = &root, .controller_count = 1},
                                  {.id = 3}, {.id = 1}};
  event = next(copy, HP_SCENE_EVENT_TABS);
  event.stacks = stacks;
  event.stack_count = 3;
  event.has_selected = true;
  event.selected = 2;
  event.more = &more;
  CHECK(take(copy, &event) == HP_GAP_NONE);
  scene = hp_scene_copy_state(copy);
  CHECK(scene->stack_count == 3 && scene->stacks[2].controller_count == 3);
  event = next(copy, HP_SCENE_EVENT_TAB_SELECTED);
  event.visible = 20;
  CHECK(take(copy, &event) == HP_GAP_NONE && hp_scene_copy_state(copy)->more_selected);
  hp_controller gone = {.id = 22, .class_name = "HPItemsController", .gone = true};
  event = next(copy, HP_SCENE_EVENT_GONE);
  event.controller = &gone;
  CHECK(take(copy, &event) == HP_GAP_NONE);
  CHECK(hp_scene_controller(hp_scene_copy_state(copy), 22)->gone);

  /* What changes nothing is counted all the same; then it goes. */
  event = next(copy, HP_SCENE_EVENT_ACTION);
  CHECK(take(copy, &event) == HP_GAP_NONE);
  hp_event other = {.kind = HP_EVENT_LIVE};
  CHECK(hp_scene_copy_take(copy, &other) == HP_GAP_NONE && hp_scene_copy_is_whole(copy));
  event = next(copy, HP_SCENE_EVENT_REMOVED);
  CHECK(take(copy, &event) == HP_GAP_SCENE_REMOVED && !hp_scene_copy_is_whole(copy));
  other = (hp_event){.kind = HP_EVENT_ENDED, .reason = HP_END_SCENE_REMOVED};
  CHECK(hp_scene_copy_take(copy, &other) == HP_GAP_SCENE_REMOVED);
  CHECK_TEXT(hp_gap_name(HP_GAP_SCENE_REMOVED), "scene_removed");
  hp_scene_copy_free(copy);
}

TEST(sweeps_what_a_scene_left_behind) {
  session s;
  open_event(&s, "event_scene_state");
  failing state = {0, 0, false, 0};
  hp_allocator allocator = failing_allocator(&state);
  hp_scene_copy *copy = hp_scene_copy_new(&allocator);
  CHECK(hp_scene_copy_take(copy, s.last_event) == HP_GAP_NONE);
  session_close(&s);
  hp_controller panel = {.id = 6};
  char title[1000];
  memset(title, 'x', sizeof title - 1);
  title[sizeof title - 1] = 0;
  hp_view_node node = {.id = 31, .class_name = "UIButton", .text = title};
  long most = 0;
  for (int i = 0; i < 5000; i++) {
    hp_scene_event event = next(copy, HP_SCENE_EVENT_NODE);
    event.controller = &panel;
    event.node = &node;
    title[i % 900] = (char)('a' + i % 26);
    if (take(copy, &event) != HP_GAP_NONE) check_failed("step", i, "the node is folded");
    if (state.living > most) most = state.living;
  }
  CHECK(strcmp(hp_scene_controller(hp_scene_copy_state(copy), 6)->nodes[1].text, title) == 0);
  /* In chunks, or where each object is one: not what 5,000 events have left behind. */
  CHECK(most < 1000);
  hp_scene_copy_free(copy);
  CHECK(state.living == 0);
}

/* Lies */

static uint32_t roll(uint32_t *seed, uint32_t below) {
  *seed = *seed * 1664525u + 1013904223u;
  return (*seed >> 8) % below;
}

/* An event of any kind, from what there may be: some fit, most do not. */
static hp_gap lie(hp_scene_copy *copy, uint32_t *seed) {
  static const uint64_t ids[] = {0, 1, 2, 3, 4, 5, 6, 7, 30, 31, 34, 99, UINT64_MAX};
#define SOME ids[roll(seed, 13)]
  hp_view_node node = {.id = SOME, .class_name = "UIView"};
  hp_bar_button button = {.id = SOME, .title = "B"};
  hp_item_view view = {.button = SOME, .nodes = &node, .node_count = roll(seed, 2)};
  hp_controller controllers[7]; /* two a stack, and More's: each stands in one place */
  for (int i = 0; i < 7; i++) {
    controllers[i] = (hp_controller){
        .id = SOME, .class_name = roll(seed, 2) ? "C" : NULL, .nodes = &node,
        .node_count = roll(seed, 2), .item_views = &view, .item_view_count = roll(seed, 2),
        .item = {.title = "T", .left = &button, .left_count = roll(seed, 2)}};
  }
  hp_navigation_stack stacks[3];
  for (int i = 0; i < 3; i++) {
    stacks[i] = (hp_navigation_stack){
        .id = SOME, .controllers = &controllers[2 * i], .controller_count = roll(seed, 3)};
  }
  hp_holder holder = {.uid = 1, .actor = "a", .client = roll(seed, 3) ? 5 : 6};
  hp_responder responders[] = {{.holder = holder, .controller = 6}, {.holder = holder}};
  hp_bar bar = {.title = "B", .left = &button, .left_count = 1};
  hp_scene_state state = {.name = "main", .stacks = stacks, .stack_count = roll(seed, 4),
                          .selected = roll(seed, 4), .visible = SOME, .bar = &bar,
                          .more_selected = roll(seed, 4) == 0,
                          .more = roll(seed, 3) ? NULL : &controllers[6]};
  hp_scene_event event = next(copy, (hp_scene_event_kind)roll(seed, 19));
  if (roll(seed, 12) == 0) event.sequence += roll(seed, 3);
  if (roll(seed, 20) == 0) event.start = 78;
  if (roll(seed, 4)) event.controller = &controllers[0];
  if (roll(seed, 4)) event.stack = &stacks[0];
  if (roll(seed, 4)) event.state = &state;
  if (roll(seed, 4)) event.node = &node;
  if (roll(seed, 4)) event.by = &holder;
  if (roll(seed, 4)) event.title = "Edit";
  if (roll(seed, 6) == 0) event.bar = &bar;
  if (roll(seed, 6) == 0) event.visible = SOME;
  event.more = state.more;
  event.sender = SOME;
  event.stacks = stacks;
  event.stack_count = state.stack_count;
  event.has_selected = roll(seed, 2);
  event.selected = roll(seed, 4);
  event.responders = responders;
  event.responder_count = roll(seed, 3);
  return take(copy, &event);
#undef SOME
}

/* What is said of a scene that is whole. */
static bool is_sound(const hp_scene_state *scene) {
  if (scene->stack_count == 0 || hp_scene_controller(scene, scene->visible) == NULL) return false;
  if (scene->more_selected ? scene->more == NULL : scene->selected >= scene->stack_count) return false;
  for (size_t i = 0; i < scene->stack_count; i++) {
    for (size_t j = 0; j < scene->stacks[i].controller_count; j++) {
      const hp_controller *controller = &scene->stacks[i].controllers[j];
      if (controller->class_name == NULL ||
          hp_scene_controller(scene, controller->id) != controller) {
        return false;
      }
    }
    if (scene->stacks[i].controller_count == 0) return false;
  }
  return true;
}

TEST(survives_scenes_that_lie) {
  session s;
  open_event(&s, "event_scene_state");
  unsigned gaps[HP_GAP_SCENE_REMOVED + 1] = {0};
  for (uint32_t seed = 1; seed <= 300; seed++) {
    hp_scene_copy *copy = hp_scene_copy_new(NULL);
    CHECK(copy != NULL && hp_scene_copy_take(copy, s.last_event) == HP_GAP_NONE);
    uint32_t random = seed * 7919;
    for (int step = 0; step < 40; step++) {
      char *before = text_of(hp_scene_copy_state(copy));
      hp_gap gap = lie(copy, &random);
      char *after = text_of(hp_scene_copy_state(copy));
      gaps[gap] += 1;
      if (!is_sound(hp_scene_copy_state(copy))) {
        check_failed("seed", (int)seed, "the copy is sound after a lie");
      }
      if (gap != HP_GAP_NONE) {
        CHECK(!hp_scene_copy_is_whole(copy) && strcmp(before, after) == 0);
        if (gap == HP_GAP_CONTENT) CHECK(hp_scene_copy_reason(copy)[0] != 0);
        /* Nothing but a state is taken then, and makes it right again. */
        hp_scene_event event = next(copy, HP_SCENE_EVENT_ACTION);
        CHECK(take(copy, &event) == HP_GAP_NONE && !hp_scene_copy_is_whole(copy));
        CHECK(hp_scene_copy_take(copy, s.last_event) == HP_GAP_NONE);
        CHECK(hp_scene_copy_is_whole(copy) && hp_scene_copy_reason(copy)[0] == 0);
      }
      free(before);
      free(after);
    }
    hp_scene_copy_free(copy);
  }
  session_close(&s);
  CHECK(gaps[HP_GAP_NONE] > 2000 && gaps[HP_GAP_CONTENT] > 2000 && gaps[HP_GAP_ORDER] > 300);
  CHECK(gaps[HP_GAP_SCENE_REMOVED] > 100 && gaps[HP_GAP_MEMORY] == 0);
}

TEST(survives_failing_allocations_of_a_scene) {
  session s;
  open_event(&s, "event_scene_state");
  long fail_at = 1;
  for (bool whole = false; !whole && fail_at < 6000; fail_at++) {
    failing state = {0, fail_at, false, 0};
    hp_allocator allocator = failing_allocator(&state);
    hp_scene_copy *copy = hp_scene_copy_new(&allocator);
    if (copy != NULL) {
      whole = hp_scene_copy_take(copy, s.last_event) == HP_GAP_NONE;
      uint32_t random = 5;
      for (int step = 0; step < 15 && hp_scene_copy_state(copy) != NULL; step++) {
        char *before = text_of(hp_scene_copy_state(copy));
        hp_gap gap = lie(copy, &random);
        char *after = text_of(hp_scene_copy_state(copy));
        if (gap == HP_GAP_MEMORY) {
          whole = false;
          CHECK(!hp_scene_copy_is_whole(copy));
        }
        if (gap != HP_GAP_NONE) {
          CHECK(strcmp(before, after) == 0);
          if (hp_scene_copy_take(copy, s.last_event) != HP_GAP_NONE) whole = false;
        }
        free(before);
        free(after);
      }
      if (state.calls >= fail_at) whole = false;
    }
    hp_scene_copy_free(copy);
    if (state.living != 0) check_failed("allocation", (int)fail_at, "all memory is given back");
  }
  session_close(&s);
  CHECK(fail_at > 8 && fail_at < 6000);
}

/* Each text of a header, also the owner and the language of its view. */
TEST(keeps_headers_with_their_owners) {
  hp_allocator allocator = hp_allocator_or_default(NULL);
  hp_maker maker = {hp_arena_new(&allocator, 64), NULL, HP_ERROR_NONE, ""};
  char owner[] = "HPItemsController", language[] = "fr", view[] = "HeaderView", title[] = "Top";
  hp_header_footer told = {.title = title, .view = view, .owner = owner, .language = language};
  const hp_header_footer *kept = hp_keep_header_footer(&maker, &told);
  owner[0] = language[0] = view[0] = title[0] = 'x';
  CHECK(kept != NULL);
  if (kept != NULL) {
    CHECK_TEXT(kept->owner, "HPItemsController");
    CHECK_TEXT(kept->language, "fr");
    CHECK_TEXT(kept->view, "HeaderView");
    CHECK_TEXT(kept->title, "Top");
  }
  hp_arena_free(maker.arena);
}
