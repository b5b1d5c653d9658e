#include "make.h"

#include <string.h>

#include "hp/view.h"

/* A text that is never NULL. */
static const char *text_or_empty(hp_maker *maker, const char *text) {
  return hp_make_text(maker, text == NULL ? "" : text);
}

static void make_title(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__StateTitle *from = message;
  hp_state_title *title = made;
  title->state = text_or_empty(maker, from->state);
  title->title = text_or_empty(maker, from->title);
}

static void make_action(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__ViewAction *from = message;
  hp_view_action *action = made;
  action->event = hp_make_text(maker, from->event);
  action->selector = text_or_empty(maker, from->selector);
  action->target = from->target;
}

static void make_outlet(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__ViewOutlet *from = message;
  hp_view_outlet *outlet = made;
  outlet->property = text_or_empty(maker, from->property);
  outlet->target = from->has_placeholder ? from->placeholder : (int64_t)from->node;
  outlet->collection = from->collection;
}

static void make_color(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__Color *from = message;
  hp_view_color *color = made;
  color->has_components = from->has_red && from->has_green && from->has_blue;
  color->red = from->red;
  color->green = from->green;
  color->blue = from->blue;
  color->alpha = from->has_alpha ? from->alpha : 1;
  color->name = hp_make_text(maker, from->name);
  color->system = from->system;
}

static void make_placed_color(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__ViewColor *from = message;
  hp_view_color *color = made;
  if (from->color != NULL) make_color(maker, from->color, color);
  color->key = hp_make_text(maker, from->key);
  color->state = hp_make_text(maker, from->state);
}

static void make_setting(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__ViewSetting *from = message;
  hp_view_setting *setting = made;
  setting->key = text_or_empty(maker, from->key);
  setting->value = text_or_empty(maker, from->value);
}

static void make_constraint(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__ViewConstraint *from = message;
  hp_view_constraint *constraint = made;
  constraint->first = from->first;
  constraint->first_guide = hp_make_text(maker, from->first_guide);
  constraint->first_attribute = hp_make_text(maker, from->first_attribute);
  constraint->relation = hp_make_text(maker, from->relation);
  constraint->second = from->second;
  constraint->second_guide = hp_make_text(maker, from->second_guide);
  constraint->second_attribute = hp_make_text(maker, from->second_attribute);
  constraint->constant = hp_make_text(maker, from->constant);
  constraint->multiplier = hp_make_text(maker, from->multiplier);
  constraint->priority = hp_make_text(maker, from->priority);
}

void hp_make_view_node(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__ViewNode *from = message;
  hp_view_node *node = made;
  node->id = from->id;
  node->parent = from->parent;
  node->class_name = text_or_empty(maker, from->class_name);
  node->module = hp_make_text(maker, from->module);
  node->key = hp_make_text(maker, from->key);
  node->xib_id = hp_make_text(maker, from->xib_id);
  node->has_frame = from->frame != NULL;
  if (from->frame != NULL) {
    node->frame = (hp_view_frame){from->frame->x, from->frame->y, from->frame->width,
                                  from->frame->height};
  }
  node->title_count = from->n_titles;
  node->titles = HP_MAKE_ARRAY(maker, hp_state_title, make_title, from->titles, from->n_titles);
  node->action_count = from->n_actions;
  node->actions = HP_MAKE_ARRAY(maker, hp_view_action, make_action, from->actions, from->n_actions);
  node->outlet_count = from->n_outlets;
  node->outlets = HP_MAKE_ARRAY(maker, hp_view_outlet, make_outlet, from->outlets, from->n_outlets);
  node->background = hp_make_optional(maker, from->background, sizeof(hp_view_color), make_color);
  node->color_count = from->n_colors;
  node->colors =
      HP_MAKE_ARRAY(maker, hp_view_color, make_placed_color, from->colors, from->n_colors);
  node->enabled = from->enabled;
  node->hidden = from->hidden;
  node->text = hp_make_text(maker, from->text);
  node->placeholder = hp_make_text(maker, from->placeholder);
  node->autoresizing_count = from->n_autoresizing;
  node->autoresizing = hp_make_texts(maker, from->autoresizing, from->n_autoresizing);
  node->setting_count = from->n_settings;
  node->settings =
      HP_MAKE_ARRAY(maker, hp_view_setting, make_setting, from->settings, from->n_settings);
  node->constraint_count = from->n_constraints;
  node->constraints = HP_MAKE_ARRAY(maker, hp_view_constraint, make_constraint, from->constraints,
                                    from->n_constraints);
}

void hp_make_nib(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__NibLoaded *from = message;
  hp_nib *nib = made;
  for (size_t i = 1; i < from->n_nodes; i++) {
    if (from->nodes[i]->id <= from->nodes[i - 1]->id) {
      hp_maker_fail(maker, HP_ERROR_PROTOCOL, "the server sent nodes out of order");
      return;
    }
  }
  nib->node_count = from->n_nodes;
  nib->nodes = HP_MAKE_ARRAY(maker, hp_view_node, hp_make_view_node, from->nodes, from->n_nodes);
  nib->top_level_count = from->n_top_level;
  nib->top_level = hp_make_numbers(maker, from->top_level, from->n_top_level);
  nib->dropped_count = from->n_dropped;
  nib->dropped = hp_make_numbers(maker, from->dropped, from->n_dropped);
  nib->owner_outlet_count = from->n_owner_outlets;
  nib->owner_outlets = HP_MAKE_ARRAY(maker, hp_view_outlet, make_outlet, from->owner_outlets,
                                     from->n_owner_outlets);
  nib->file = hp_make_text(maker, from->file);
  nib->tried_count = from->n_tried;
  nib->tried = hp_make_texts(maker, from->tried, from->n_tried);
  nib->warning_count = from->n_warnings;
  nib->warnings = hp_make_texts(maker, from->warnings, from->n_warnings);
}

void hp_make_header_shown(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__HeaderShown *from = message;
  hp_header_shown *shown = made;
  shown->value =
      hp_make_optional(maker, from->value, sizeof(hp_header_footer), hp_make_header_footer);
  shown->present = from->present;
  shown->height = from->height;
  shown->view = hp_make_optional(maker, from->view, sizeof(hp_nib), hp_make_nib);
  shown->loads = from->loads;
}
