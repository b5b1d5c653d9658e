#include "sending.h"

#include "hp/scene.h"
#include "hp/view.h"
#include "hp/v1/frame.pb-c.h"

/* The requests of hp/view.h, and those of hp/scene.h that are like them. */

uint64_t hp_send_load_nib(hp_async *async, const hp_envelope *envelope, const hp_load_nib *what) {
  hp_request request;
  if (!hp_request_begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_LOAD_NIB)) {
    return 0;
  }
  hp_writer *writer = &request.writer;
  if (what->controller_class == NULL) {
    hp_write_name(writer, 1, what->name, "no nib is named");
  } else {
    hp_write_text(writer, 1, what->name);
  }
  hp_write_text(writer, 2, what->owner_class);
  hp_write_text(writer, 3, what->language);
  for (size_t i = 0; i < what->outlet_count; i++) {
    hp_write_name(writer, 4, what->outlets[i], "an outlet has no name");
  }
  if (what->keep) hp_write_bool(writer, 5, true);
  hp_write_text(writer, 6, what->controller_class);
  return hp_request_end(&request);
}

uint64_t hp_send_get_header(hp_async *async, const hp_envelope *envelope, hp_table_ref table,
                            hp_section_ref section, bool footer) {
  hp_request request;
  if (!hp_request_begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_GET_HEADER)) {
    return 0;
  }
  hp_write_table_ref(&request.writer, 1, table);
  hp_write_section_ref(&request.writer, 2, section);
  if (footer) hp_write_bool(&request.writer, 3, true);
  return hp_request_end(&request);
}

static void write_change(hp_writer *writer, const hp_view_change *change) {
  hp_write_text(writer, 4, change->title);
  if (change->enabled != NULL) hp_write_bool(writer, 5, *change->enabled);
  if (change->hidden != NULL) hp_write_bool(writer, 6, *change->hidden);
  if (change->frame != NULL) {
    size_t mark = hp_write_begin(writer, 7);
    hp_write_double(writer, 1, change->frame->x);
    hp_write_double(writer, 2, change->frame->y);
    hp_write_double(writer, 3, change->frame->width);
    hp_write_double(writer, 4, change->frame->height);
    hp_write_end(writer, mark);
  }
  hp_write_text(writer, 8, change->state);
}

uint64_t hp_send_set_view_node(hp_async *async, const hp_envelope *envelope, hp_table_ref table,
                               uint64_t node, const hp_view_change *change) {
  hp_request request;
  if (!hp_request_begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_SET_VIEW_NODE)) {
    return 0;
  }
  hp_write_table_ref(&request.writer, 1, table);
  hp_write_uint(&request.writer, 3, node);
  write_change(&request.writer, change);
  return hp_request_end(&request);
}

uint64_t hp_send_set_scene_node(hp_async *async, const hp_envelope *envelope, const char *scene,
                                uint64_t controller, uint64_t node, const hp_view_change *change) {
  hp_request request;
  if (!hp_request_begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_SET_VIEW_NODE)) {
    return 0;
  }
  hp_write_name(&request.writer, 2, scene, "no scene is named");
  hp_write_uint(&request.writer, 3, node);
  write_change(&request.writer, change);
  if (controller != 0) hp_write_uint(&request.writer, 9, controller);
  return hp_request_end(&request);
}

uint64_t hp_send_set_bar_button(hp_async *async, const hp_envelope *envelope, const char *scene,
                                uint64_t controller, uint64_t button, const char *title,
                                const bool *enabled) {
  hp_request request;
  if (!hp_request_begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_SET_VIEW_NODE)) {
    return 0;
  }
  hp_writer *writer = &request.writer;
  hp_write_name(writer, 2, scene, "no scene is named");
  hp_write_text(writer, 4, title);
  if (enabled != NULL) hp_write_bool(writer, 5, *enabled);
  if (controller != 0) hp_write_uint(writer, 9, controller);
  hp_write_uint(writer, 10, button);
  return hp_request_end(&request);
}
