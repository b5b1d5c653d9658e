#include "scene_parts.h"

#include <string.h>

void *hp_keep_array(hp_maker *maker, const void *from, size_t given, size_t count, size_t size) {
  void *made = hp_make_array(maker, count, size);
  if (made != NULL && given > 0) memcpy(made, from, given * size);
  return made;
}

/* A new array with a deep copy of each element. */
#define KEEP_EACH(maker, type, keep, from, count)                                 \
  do {                                                                            \
    type *made_ = hp_make_array((maker), (count), sizeof *made_);                 \
    for (size_t i_ = 0; made_ != NULL && i_ < (count); i_++) {                    \
      keep((maker), &made_[i_], &(from)[i_]);                                     \
    }                                                                             \
    (from) = made_;                                                               \
  } while (0)

void hp_keep_holder(hp_maker *maker, hp_holder *to, const hp_holder *from) {
  *to = *from;
  to->actor = hp_make_text(maker, from->actor);
  to->lease_name = hp_make_text(maker, from->lease_name);
}

void hp_keep_responder(hp_maker *maker, hp_responder *to, const hp_responder *from) {
  *to = *from;
  hp_keep_holder(maker, &to->holder, &from->holder);
}

/* Nodes */

static void keep_title(hp_maker *maker, hp_state_title *to, const hp_state_title *from) {
  to->state = hp_make_text(maker, from->state);
  to->title = hp_make_text(maker, from->title);
}

static void keep_action(hp_maker *maker, hp_view_action *to, const hp_view_action *from) {
  *to = *from;
  to->event = hp_make_text(maker, from->event);
  to->selector = hp_make_text(maker, from->selector);
}

static void keep_outlet(hp_maker *maker, hp_view_outlet *to, const hp_view_outlet *from) {
  *to = *from;
  to->property = hp_make_text(maker, from->property);
}

static void keep_color(hp_maker *maker, hp_view_color *to, const hp_view_color *from) {
  *to = *from;
  to->key = hp_make_text(maker, from->key);
  to->state = hp_make_text(maker, from->state);
  to->name = hp_make_text(maker, from->name);
}

static void keep_text(hp_maker *maker, const char **to, const char *const *from) {
  *to = hp_make_text(maker, *from);
}

static void keep_setting(hp_maker *maker, hp_view_setting *to, const hp_view_setting *from) {
  to->key = hp_make_text(maker, from->key);
  to->value = hp_make_text(maker, from->value);
}

static void keep_constraint(hp_maker *maker, hp_view_constraint *to,
                            const hp_view_constraint *from) {
  *to = *from;
  to->first_guide = hp_make_text(maker, from->first_guide);
  to->first_attribute = hp_make_text(maker, from->first_attribute);
  to->relation = hp_make_text(maker, from->relation);
  to->second_guide = hp_make_text(maker, from->second_guide);
  to->second_attribute = hp_make_text(maker, from->second_attribute);
  to->constant = hp_make_text(maker, from->constant);
  to->multiplier = hp_make_text(maker, from->multiplier);
  to->priority = hp_make_text(maker, from->priority);
}

void hp_keep_node(hp_maker *maker, hp_view_node *to, const hp_view_node *from) {
  *to = *from;
  to->class_name = hp_make_text(maker, from->class_name);
  to->module = hp_make_text(maker, from->module);
  to->key = hp_make_text(maker, from->key);
  to->xib_id = hp_make_text(maker, from->xib_id);
  to->text = hp_make_text(maker, from->text);
  to->placeholder = hp_make_text(maker, from->placeholder);
  KEEP_EACH(maker, hp_state_title, keep_title, to->titles, to->title_count);
  KEEP_EACH(maker, hp_view_action, keep_action, to->actions, to->action_count);
  KEEP_EACH(maker, hp_view_outlet, keep_outlet, to->outlets, to->outlet_count);
  if (to->background != NULL) KEEP_EACH(maker, hp_view_color, keep_color, to->background, 1);
  KEEP_EACH(maker, hp_view_color, keep_color, to->colors, to->color_count);
  KEEP_EACH(maker, const char *, keep_text, to->autoresizing, to->autoresizing_count);
  KEEP_EACH(maker, hp_view_setting, keep_setting, to->settings, to->setting_count);
  KEEP_EACH(maker, hp_view_constraint, keep_constraint, to->constraints, to->constraint_count);
}

/* Controllers */

static void keep_button(hp_maker *maker, hp_bar_button *to, const hp_bar_button *from) {
  *to = *from;
  to->system = hp_make_text(maker, from->system);
  to->title = hp_make_text(maker, from->title);
  to->action = hp_make_text(maker, from->action);
  to->view = hp_make_text(maker, from->view);
}

static void keep_item(hp_maker *maker, hp_navigation_item *item) {
  item->title = hp_make_text(maker, item->title);
  item->title_view = hp_make_text(maker, item->title_view);
  item->prompt = hp_make_text(maker, item->prompt);
  KEEP_EACH(maker, hp_bar_button, keep_button, item->left, item->left_count);
  KEEP_EACH(maker, hp_bar_button, keep_button, item->right, item->right_count);
  if (item->back != NULL) KEEP_EACH(maker, hp_bar_button, keep_button, item->back, 1);
}

static void keep_view(hp_maker *maker, hp_item_view *to, const hp_item_view *from) {
  *to = *from;
  KEEP_EACH(maker, hp_view_node, hp_keep_node, to->nodes, to->node_count);
}

void hp_keep_controller(hp_maker *maker, hp_controller *to, const hp_controller *from) {
  *to = *from;
  to->class_name = hp_make_text(maker, from->class_name);
  to->nib_name = hp_make_text(maker, from->nib_name);
  keep_item(maker, &to->item);
  KEEP_EACH(maker, hp_view_node, hp_keep_node, to->nodes, to->node_count);
  KEEP_EACH(maker, hp_item_view, keep_view, to->item_views, to->item_view_count);
}

void hp_keep_stack(hp_maker *maker, hp_navigation_stack *to, const hp_navigation_stack *from) {
  *to = *from;
  to->tab_title = hp_make_text(maker, from->tab_title);
  KEEP_EACH(maker, hp_controller, hp_keep_controller, to->controllers, to->controller_count);
}

const hp_bar *hp_keep_bar(hp_maker *maker, const hp_bar *from) {
  hp_bar *to = from == NULL ? NULL : hp_make_array(maker, 1, sizeof *to);
  if (to == NULL) return NULL;
  *to = *from;
  to->title = hp_make_text(maker, from->title);
  to->title_view = hp_make_text(maker, from->title_view);
  to->prompt = hp_make_text(maker, from->prompt);
  if (to->back != NULL) KEEP_EACH(maker, hp_bar_button, keep_button, to->back, 1);
  KEEP_EACH(maker, hp_bar_button, keep_button, to->left, to->left_count);
  KEEP_EACH(maker, hp_bar_button, keep_button, to->right, to->right_count);
  return to;
}

void hp_keep_scene(hp_maker *maker, hp_scene_state *to, const hp_scene_state *from) {
  *to = *from;
  to->name = hp_make_text(maker, from->name);
  to->language = hp_make_text(maker, from->language);
  to->bar = hp_keep_bar(maker, from->bar);
  KEEP_EACH(maker, hp_navigation_stack, hp_keep_stack, to->stacks, to->stack_count);
  if (to->more != NULL) KEEP_EACH(maker, hp_controller, hp_keep_controller, to->more, 1);
  KEEP_EACH(maker, hp_holder, hp_keep_holder, to->attached, to->attached_count);
  KEEP_EACH(maker, hp_responder, hp_keep_responder, to->responders, to->responder_count);
}
