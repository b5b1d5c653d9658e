#include "scenetext.h"

#include <inttypes.h>

/* Texts are told in hexadecimal, so that a line is one line. */
static void tell_text(FILE *to, const char *text) {
  if (text == NULL) {
    fputs(" -", to);
    return;
  }
  fputs(" \"", to);
  for (const char *at = text; *at != 0; at++) fprintf(to, "%02x", (unsigned char)*at);
}

static void tell_button(FILE *to, const char *side, const hp_bar_button *button) {
  fprintf(to, "button %s %" PRIu64 " %d %d", side, button->id, button->disabled,
          button->edit_button);
  tell_text(to, button->system);
  tell_text(to, button->title);
  tell_text(to, button->action);
  tell_text(to, button->view);
  fputc('\n', to);
}

static void tell_buttons(FILE *to, const char *side, const hp_bar_button *buttons, size_t count) {
  for (size_t i = 0; i < count; i++) tell_button(to, side, &buttons[i]);
}

static void tell_node(FILE *to, const hp_view_node *node) {
  fprintf(to, "node %" PRIu64 " %" PRIu64 " %d %d", node->id, node->parent, node->enabled,
          node->hidden);
  tell_text(to, node->class_name);
  tell_text(to, node->module);
  tell_text(to, node->key);
  tell_text(to, node->xib_id);
  tell_text(to, node->text);
  tell_text(to, node->placeholder);
  if (node->has_frame) {
    fprintf(to, " frame %g %g %g %g", node->frame.x, node->frame.y, node->frame.width,
            node->frame.height);
  }
  for (size_t i = 0; i < node->title_count; i++) {
    tell_text(to, node->titles[i].state);
    tell_text(to, node->titles[i].title);
  }
  for (size_t i = 0; i < node->action_count; i++) {
    tell_text(to, node->actions[i].event);
    tell_text(to, node->actions[i].selector);
    fprintf(to, " %" PRId64, node->actions[i].target);
  }
  for (size_t i = 0; i < node->outlet_count; i++) {
    tell_text(to, node->outlets[i].property);
    fprintf(to, " %" PRId64 " %d", node->outlets[i].target, node->outlets[i].collection);
  }
  if (node->background != NULL) fprintf(to, " background %g", node->background->alpha);
  for (size_t i = 0; i < node->color_count; i++) {
    tell_text(to, node->colors[i].key);
    tell_text(to, node->colors[i].name);
  }
  for (size_t i = 0; i < node->autoresizing_count; i++) tell_text(to, node->autoresizing[i]);
  for (size_t i = 0; i < node->setting_count; i++) {
    tell_text(to, node->settings[i].key);
    tell_text(to, node->settings[i].value);
  }
  for (size_t i = 0; i < node->constraint_count; i++) {
    tell_text(to, node->constraints[i].first_attribute);
    tell_text(to, node->constraints[i].second_guide);
    tell_text(to, node->constraints[i].constant);
  }
  fputc('\n', to);
}

static void tell_controller(FILE *to, const hp_controller *controller) {
  const hp_navigation_item *item = &controller->item;
  fprintf(to, "controller %" PRIu64 " %d %" PRIu64 " %" PRIu64 " %" PRIu64 " %d %d %d",
          controller->id, (int)controller->kind, controller->table, controller->row,
          controller->section, controller->view_loaded, controller->editing, controller->gone);
  tell_text(to, controller->class_name);
  tell_text(to, controller->nib_name);
  fprintf(to, "\nitem %d %d", item->hides_back, item->left_supplements_back);
  tell_text(to, item->title);
  tell_text(to, item->title_view);
  tell_text(to, item->prompt);
  fputc('\n', to);
  tell_buttons(to, "left", item->left, item->left_count);
  tell_buttons(to, "right", item->right, item->right_count);
  if (item->back != NULL) tell_button(to, "back", item->back);
  for (size_t i = 0; i < controller->node_count; i++) tell_node(to, &controller->nodes[i]);
  for (size_t i = 0; i < controller->item_view_count; i++) {
    const hp_item_view *view = &controller->item_views[i];
    fprintf(to, "view %" PRIu64 "\n", view->button);
    for (size_t j = 0; j < view->node_count; j++) tell_node(to, &view->nodes[j]);
  }
}

static void tell_holder(FILE *to, const char *what, const hp_holder *holder) {
  fprintf(to, "%s %" PRIu64 " %" PRIu64 " %" PRIu64, what, holder->uid, holder->client,
          holder->lease);
  tell_text(to, holder->actor);
  tell_text(to, holder->lease_name);
}

void scene_tell(FILE *to, const hp_scene_state *scene) {
  fprintf(to, "scene %" PRIu64 " %" PRIu64, scene->sequence, scene->visible);
  if (scene->more_selected) {
    fputs(" more", to);
  } else {
    fprintf(to, " %" PRIu64, scene->selected);
  }
  tell_text(to, scene->name);
  tell_text(to, scene->language);
  fputc('\n', to);
  for (size_t i = 0; i < scene->stack_count; i++) {
    const hp_navigation_stack *stack = &scene->stacks[i];
    fprintf(to, "stack %" PRIu64, stack->id);
    tell_text(to, stack->tab_title);
    fputc('\n', to);
    for (size_t j = 0; j < stack->controller_count; j++) {
      tell_controller(to, &stack->controllers[j]);
    }
  }
  if (scene->more != NULL) {
    fputs("more\n", to);
    tell_controller(to, scene->more);
  }
  if (scene->bar != NULL) {
    fputs("bar", to);
    tell_text(to, scene->bar->title);
    tell_text(to, scene->bar->title_view);
    tell_text(to, scene->bar->prompt);
    fputc('\n', to);
    if (scene->bar->back != NULL) tell_button(to, "back", scene->bar->back);
    tell_buttons(to, "left", scene->bar->left, scene->bar->left_count);
    tell_buttons(to, "right", scene->bar->right, scene->bar->right_count);
  }
  for (size_t i = 0; i < scene->attached_count; i++) {
    tell_holder(to, "attached", &scene->attached[i]);
    fputc('\n', to);
  }
  for (size_t i = 0; i < scene->responder_count; i++) {
    const hp_responder *responder = &scene->responders[i];
    tell_holder(to, "responder", &responder->holder);
    fprintf(to, " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", responder->controller,
            responder->column, responder->node);
  }
}
