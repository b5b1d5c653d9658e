#include "make.h"

#include "hp/scene.h"

/* A text that is never NULL. */
static const char *text_or_empty(hp_maker *maker, const char *text) {
  return hp_make_text(maker, text == NULL ? "" : text);
}

static void make_button(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__BarButton *from = message;
  hp_bar_button *button = made;
  button->id = from->id;
  button->system = hp_make_text(maker, from->system);
  button->title = hp_make_text(maker, from->title);
  button->disabled = !from->enabled;
  button->action = hp_make_text(maker, from->action);
  button->edit_button = from->edit_button;
  button->view = hp_make_text(maker, from->view);
}

static void make_bar(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__Bar *from = message;
  hp_bar *bar = made;
  bar->title = hp_make_text(maker, from->title);
  bar->title_view = hp_make_text(maker, from->title_view);
  bar->prompt = hp_make_text(maker, from->prompt);
  bar->back = hp_make_optional(maker, from->back, sizeof(hp_bar_button), make_button);
  bar->left_count = from->n_left;
  bar->left = HP_MAKE_ARRAY(maker, hp_bar_button, make_button, from->left, from->n_left);
  bar->right_count = from->n_right;
  bar->right = HP_MAKE_ARRAY(maker, hp_bar_button, make_button, from->right, from->n_right);
}

static void make_item(hp_maker *maker, const Hp__V1__NavigationItem *from,
                      hp_navigation_item *item) {
  item->title = hp_make_text(maker, from->title);
  item->title_view = hp_make_text(maker, from->title_view);
  item->prompt = hp_make_text(maker, from->prompt);
  item->left_count = from->n_left;
  item->left = HP_MAKE_ARRAY(maker, hp_bar_button, make_button, from->left, from->n_left);
  item->right_count = from->n_right;
  item->right = HP_MAKE_ARRAY(maker, hp_bar_button, make_button, from->right, from->n_right);
  item->back = hp_make_optional(maker, from->back, sizeof(hp_bar_button), make_button);
  item->hides_back = from->hides_back;
  item->left_supplements_back = from->left_supplements_back;
}

static void make_item_view(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__ItemView *from = message;
  hp_item_view *view = made;
  view->button = from->button;
  view->node_count = from->n_nodes;
  view->nodes = HP_MAKE_ARRAY(maker, hp_view_node, hp_make_view_node, from->nodes, from->n_nodes);
}

static void make_controller(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__Controller *from = message;
  hp_controller *controller = made;
  controller->id = from->id;
  controller->kind = (hp_controller_kind)from->kind;
  controller->class_name = hp_make_text(maker, from->class_name);
  controller->nib_name = hp_make_text(maker, from->nib_name);
  controller->table = from->table;
  controller->row = from->row;
  controller->section = from->section;
  controller->view_loaded = from->view_loaded;
  controller->editing = from->editing;
  controller->gone = from->gone;
  if (from->item != NULL) make_item(maker, from->item, &controller->item);
  controller->node_count = from->n_nodes;
  controller->nodes =
      HP_MAKE_ARRAY(maker, hp_view_node, hp_make_view_node, from->nodes, from->n_nodes);
  controller->item_view_count = from->n_item_views;
  controller->item_views = HP_MAKE_ARRAY(maker, hp_item_view, make_item_view, from->item_views,
                                         from->n_item_views);
}

static void make_stack(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__NavigationStack *from = message;
  hp_navigation_stack *stack = made;
  stack->id = from->id;
  stack->tab_title = hp_make_text(maker, from->tab_title);
  stack->controller_count = from->n_controllers;
  stack->controllers = HP_MAKE_ARRAY(maker, hp_controller, make_controller, from->controllers,
                                     from->n_controllers);
}

static void make_responder(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__Responder *from = message;
  hp_responder *responder = made;
  if (from->holder == NULL) {
    hp_maker_fail(maker, HP_ERROR_PROTOCOL, "the server sent a keyboard of nobody");
    return;
  }
  hp_make_holder(maker, from->holder, &responder->holder);
  responder->controller = from->controller;
  responder->column = from->column;
  responder->node = from->node;
}

static void make_state(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__SceneState *from = message;
  hp_scene_state *scene = made;
  scene->name = text_or_empty(maker, from->name);
  scene->language = hp_make_text(maker, from->language);
  scene->stack_count = from->n_stacks;
  scene->stacks =
      HP_MAKE_ARRAY(maker, hp_navigation_stack, make_stack, from->stacks, from->n_stacks);
  scene->more_selected = !from->has_selected;
  scene->selected = from->selected;
  scene->visible = from->visible;
  scene->bar = hp_make_optional(maker, from->bar, sizeof(hp_bar), make_bar);
  scene->more = hp_make_optional(maker, from->more, sizeof(hp_controller), make_controller);
  scene->attached_count = from->n_attached;
  scene->attached =
      HP_MAKE_ARRAY(maker, hp_holder, hp_make_holder, from->attached, from->n_attached);
  scene->responder_count = from->n_responders;
  scene->responders = HP_MAKE_ARRAY(maker, hp_responder, make_responder, from->responders,
                                    from->n_responders);
  scene->sequence = from->sequence;
  if (from->has_selected && from->n_stacks > 0 && from->selected >= from->n_stacks) {
    hp_maker_fail(maker, HP_ERROR_PROTOCOL, "the server sent a tab that is not there");
  }
}

static void make_rejected(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__RejectedField *from = message;
  hp_rejected_field *field = made;
  field->row = from->row;
  field->column = from->column;
  field->text = text_or_empty(maker, from->text);
  field->reason = text_or_empty(maker, from->reason);
  if (from->holder != NULL) hp_make_holder(maker, from->holder, &field->holder);
}

void hp_make_scene_result(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__SceneReply *from = message;
  hp_scene_result *result = made;
  result->cursor = hp_make_cursor(from->cursor);
  result->scene_count = from->n_scenes;
  result->scenes =
      HP_MAKE_ARRAY(maker, hp_scene_state, make_state, from->scenes, from->n_scenes);
  result->popped_count = from->n_popped;
  result->popped = hp_make_numbers(maker, from->popped, from->n_popped);
  result->pushed = from->pushed;
  result->has_resigned = from->has_resigned;
  result->resigned = from->resigned;
  result->performed_count = from->n_performed;
  result->performed = hp_make_texts(maker, from->performed, from->n_performed);
  result->sent_count = from->n_sent;
  result->sent = hp_make_texts(maker, from->sent, from->n_sent);
  result->revision_count = from->n_revisions;
  result->revisions = hp_make_numbers(maker, from->revisions, from->n_revisions);
  result->inserted_count = from->n_inserted;
  result->inserted =
      HP_MAKE_ARRAY(maker, hp_id_run, hp_make_id_run, from->inserted, from->n_inserted);
  result->rejected_count = from->n_rejected;
  result->rejected =
      HP_MAKE_ARRAY(maker, hp_rejected_field, make_rejected, from->rejected, from->n_rejected);
  result->unchanged = from->unchanged;
  result->replayed = from->replayed;
  result->has_editing = from->has_editing;
  result->editing = from->editing;
  result->sequence = from->sequence;
  result->refused = hp_make_text(maker, from->refused);
  result->refused_code = hp_make_text(maker, from->refused_code);
}

void hp_make_scene_event(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__SceneEvent *from = message;
  hp_scene_event *event = made;
  event->kind = (hp_scene_event_kind)from->kind;
  event->scene = text_or_empty(maker, from->scene);
  event->sequence = from->sequence;
  event->start = from->start;
  event->revision = from->revision;
  event->by = hp_make_optional(maker, from->by, sizeof(hp_holder), hp_make_holder);
  event->animated = from->animated;
  event->state = hp_make_optional(maker, from->state, sizeof(hp_scene_state), make_state);
  event->stack = hp_make_optional(maker, from->stack, sizeof(hp_navigation_stack), make_stack);
  event->stack_count = from->n_stacks;
  event->stacks =
      HP_MAKE_ARRAY(maker, hp_navigation_stack, make_stack, from->stacks, from->n_stacks);
  event->has_selected = from->has_selected;
  event->selected = from->selected;
  event->more = hp_make_optional(maker, from->more, sizeof(hp_controller), make_controller);
  event->controller =
      hp_make_optional(maker, from->controller, sizeof(hp_controller), make_controller);
  event->node = hp_make_optional(maker, from->node, sizeof(hp_view_node), hp_make_view_node);
  event->responder_count = from->n_responders;
  event->responders = HP_MAKE_ARRAY(maker, hp_responder, make_responder, from->responders,
                                    from->n_responders);
  event->selector = hp_make_text(maker, from->selector);
  event->sender = from->sender;
  event->event = hp_make_text(maker, from->event);
  event->title = hp_make_text(maker, from->title);
  event->popped_count = from->n_popped;
  event->popped = hp_make_numbers(maker, from->popped, from->n_popped);
  event->reason = hp_make_text(maker, from->reason);
  event->rejected_count = from->n_rejected;
  event->rejected =
      HP_MAKE_ARRAY(maker, hp_rejected_field, make_rejected, from->rejected, from->n_rejected);
  event->bar = hp_make_optional(maker, from->bar, sizeof(hp_bar), make_bar);
  event->visible = from->visible;
}

const char *hp_scene_event_kind_name(hp_scene_event_kind kind) {
  static const char *const names[] = {
      "unspecified", "state",        "navigation", "tab_selected", "tabs",     "item",
      "view_loaded", "node",         "button_title", "editing",    "responder", "attached",
      "detached",    "action",       "removed",    "gone",         "rejected"};
  return (size_t)kind < sizeof names / sizeof names[0] ? names[kind] : "unknown";
}

const hp_controller *hp_scene_controller(const hp_scene_state *scene, uint64_t id) {
  if (scene->more != NULL && scene->more->id == id) return scene->more;
  for (size_t i = 0; i < scene->stack_count; i++) {
    for (size_t j = 0; j < scene->stacks[i].controller_count; j++) {
      if (scene->stacks[i].controllers[j].id == id) return &scene->stacks[i].controllers[j];
    }
  }
  return NULL;
}
