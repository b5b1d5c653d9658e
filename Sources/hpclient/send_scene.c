#include "sending.h"

#include "hp/scene.h"
#include "hp/v1/frame.pb-c.h"

/* The request of hp/scene.h. */

static void write_spec(hp_writer *writer, const hp_controller_spec *spec) {
  size_t mark = hp_write_begin(writer, 3);
  hp_write_uint(writer, 1, (uint64_t)spec->kind);
  hp_write_text(writer, 2, spec->class_name);
  hp_write_text(writer, 3, spec->nib_name);
  if (spec->table.id != 0 || spec->table.name != NULL) {
    hp_write_table_ref(writer, 4, spec->table);
  }
  if (spec->row != 0) hp_write_uint(writer, 5, spec->row);
  if (spec->section != 0) hp_write_uint(writer, 6, spec->section);
  hp_write_text(writer, 7, spec->title);
  hp_write_text(writer, 8, spec->tab_title);
  hp_write_end(writer, mark);
}

static void write_button(hp_writer *writer, uint32_t number, const hp_bar_button *button) {
  size_t mark = hp_write_begin(writer, number);
  if (button->id != 0) hp_write_uint(writer, 1, button->id);
  hp_write_text(writer, 2, button->system);
  hp_write_text(writer, 3, button->title);
  if (button->disabled) hp_write_bool(writer, 4, false);
  hp_write_text(writer, 5, button->action);
  if (button->edit_button) hp_write_bool(writer, 6, true);
  hp_write_text(writer, 7, button->view);
  hp_write_end(writer, mark);
}

static void write_item(hp_writer *writer, const hp_navigation_item *item) {
  size_t mark = hp_write_begin(writer, 11);
  hp_write_text(writer, 1, item->title);
  hp_write_text(writer, 2, item->title_view);
  for (size_t i = 0; i < item->left_count; i++) write_button(writer, 3, &item->left[i]);
  for (size_t i = 0; i < item->right_count; i++) write_button(writer, 4, &item->right[i]);
  if (item->back != NULL) write_button(writer, 5, item->back);
  hp_write_text(writer, 6, item->prompt);
  if (item->hides_back) hp_write_bool(writer, 7, true);
  if (item->left_supplements_back) hp_write_bool(writer, 8, true);
  hp_write_end(writer, mark);
}

uint64_t hp_send_scene(hp_async *async, const hp_envelope *envelope, const hp_scene_step *step) {
  hp_request request;
  if (!hp_request_begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_SCENE)) {
    return 0;
  }
  hp_writer *writer = &request.writer;
  if (step->kind == HP_SCENE_LIST) {
    hp_write_text(writer, 1, step->scene);
  } else {
    hp_write_name(writer, 1, step->scene, "no scene is named");
  }
  hp_write_uint(writer, 2, (uint64_t)step->kind);
  for (size_t i = 0; i < step->root_count; i++) write_spec(writer, &step->roots[i]);
  if (step->controller != 0) hp_write_uint(writer, 4, step->controller);
  if (step->has_index) hp_write_uint(writer, 5, step->index);
  if (step->button != 0) hp_write_uint(writer, 6, step->button);
  if (step->node != 0) hp_write_uint(writer, 7, step->node);
  hp_write_text(writer, 8, step->event);
  if (step->force) hp_write_bool(writer, 9, true);
  if (step->without_animation) hp_write_bool(writer, 10, false);
  if (step->item != NULL) write_item(writer, step->item);
  hp_write_text(writer, 12, step->language);
  hp_write_text(writer, 13, step->column);
  if (step->kind == HP_SCENE_SET_EDITING) hp_write_bool(writer, 14, step->editing);
  return hp_request_end(&request);
}
