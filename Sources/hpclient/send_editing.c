#include "sending.h"

#include "hp/editing.h"
#include "hp/v1/frame.pb-c.h"

/* The requests of hp/editing.h. */

static bool begin(hp_request *request, hp_async *async, const hp_envelope *envelope,
                  uint32_t number, hp_table_ref table) {
  if (!hp_request_begin(request, async, envelope, number)) return false;
  hp_write_table_ref(&request->writer, 1, table);
  return true;
}

static void write_optional_row(hp_writer *writer, uint32_t number, hp_row_ref row) {
  if (row.by != HP_BY_NOTHING) hp_write_row_ref(writer, number, row);
}

uint64_t hp_send_take_lease(hp_async *async, const hp_envelope *envelope, const char *name,
                            uint64_t seconds) {
  hp_request request;
  if (!hp_request_begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_TAKE_LEASE)) {
    return 0;
  }
  hp_write_name(&request.writer, 1, name, "a lease has no name");
  if (seconds != 0) hp_write_uint(&request.writer, 2, seconds);
  return hp_request_end(&request);
}

uint64_t hp_send_end_lease(hp_async *async, const hp_envelope *envelope, uint64_t lease,
                           const char *name) {
  hp_request request;
  if (!hp_request_begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_END_LEASE)) {
    return 0;
  }
  if (lease != 0) {
    hp_write_uint(&request.writer, 1, lease);
  } else {
    hp_write_name(&request.writer, 2, name, "no lease is named");
  }
  return hp_request_end(&request);
}

uint64_t hp_send_list_leases(hp_async *async, const hp_envelope *envelope) {
  hp_request request;
  if (!hp_request_begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_LIST_LEASES)) {
    return 0;
  }
  return hp_request_end(&request);
}

uint64_t hp_send_set_editing(hp_async *async, const hp_envelope *envelope, hp_table_ref table,
                             hp_set_editing how) {
  hp_request request;
  if (!begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_SET_EDITING, table)) {
    return 0;
  }
  hp_write_bool(&request.writer, 2, how.on);
  if (how.animated) hp_write_bool(&request.writer, 3, true);
  if (how.exclusive) hp_write_bool(&request.writer, 4, true);
  if (how.break_hold) hp_write_bool(&request.writer, 5, true);
  return hp_request_end(&request);
}

uint64_t hp_send_toggle_editing(hp_async *async, const hp_envelope *envelope, hp_table_ref table,
                                const bool *expected, bool animated) {
  hp_request request;
  if (!begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_TOGGLE_EDITING, table)) {
    return 0;
  }
  if (expected != NULL) hp_write_bool(&request.writer, 2, *expected);
  if (animated) hp_write_bool(&request.writer, 3, true);
  return hp_request_end(&request);
}

uint64_t hp_send_commit_editing(hp_async *async, const hp_envelope *envelope, hp_table_ref table,
                                hp_row_ref row, hp_editing_style style, const hp_new_row *new_row,
                                hp_animation animation, hp_basis basis) {
  hp_request request;
  if (!begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_COMMIT_EDITING, table)) {
    return 0;
  }
  hp_writer *writer = &request.writer;
  hp_write_row_ref(writer, 2, row);
  if (style == HP_STYLE_INHERITED) {
    hp_writer_fail(writer, HP_ERROR_ARGUMENT, "a commit is neither delete nor insert");
  }
  hp_write_uint(writer, 3, (uint64_t)style - 1);
  hp_write_animation(writer, 4, animation);
  hp_write_basis(writer, 5, basis);
  if (new_row != NULL) hp_write_new_row(writer, 6, new_row);
  return hp_request_end(&request);
}

uint64_t hp_send_swipe(hp_async *async, const hp_envelope *envelope, hp_table_ref table,
                       hp_button_step step, hp_row_ref row, bool leading, hp_animation animation,
                       hp_basis basis) {
  hp_request request;
  if (!begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_SWIPE, table)) return 0;
  hp_write_uint(&request.writer, 2, (uint64_t)step);
  write_optional_row(&request.writer, 3, row);
  if (leading) hp_write_bool(&request.writer, 4, true);
  hp_write_basis(&request.writer, 5, basis);
  hp_write_animation(&request.writer, 6, animation);
  return hp_request_end(&request);
}

uint64_t hp_send_confirm(hp_async *async, const hp_envelope *envelope, hp_table_ref table,
                         hp_button_step step, hp_row_ref row, hp_animation animation,
                         hp_basis basis) {
  hp_request request;
  if (!begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_CONFIRM, table)) return 0;
  hp_write_uint(&request.writer, 2, (uint64_t)step);
  write_optional_row(&request.writer, 3, row);
  hp_write_basis(&request.writer, 4, basis);
  hp_write_animation(&request.writer, 5, animation);
  return hp_request_end(&request);
}

uint64_t hp_send_drag(hp_async *async, const hp_envelope *envelope, hp_table_ref table,
                      hp_drag_step step, hp_row_ref row, const hp_path *target, hp_basis basis) {
  hp_request request;
  if (!begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_DRAG, table)) return 0;
  hp_write_uint(&request.writer, 2, (uint64_t)step);
  write_optional_row(&request.writer, 3, row);
  if (target != NULL) hp_write_path(&request.writer, 4, *target);
  hp_write_basis(&request.writer, 5, basis);
  return hp_request_end(&request);
}

uint64_t hp_send_select(hp_async *async, const hp_envelope *envelope, hp_table_ref table,
                        const hp_row_ref *rows, size_t count, bool on, bool clear_others,
                        hp_basis basis) {
  hp_request request;
  if (!begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_SELECT, table)) return 0;
  hp_writer *writer = &request.writer;
  for (size_t i = 0; i < count && writer->fault == HP_ERROR_NONE; i++) {
    hp_write_row_ref(writer, 2, rows[i]);
  }
  hp_write_bool(writer, 3, on);
  if (clear_others) hp_write_bool(writer, 4, true);
  hp_write_basis(writer, 5, basis);
  return hp_request_end(&request);
}

uint64_t hp_send_draft(hp_async *async, const hp_envelope *envelope, hp_table_ref table,
                       const hp_draft *draft) {
  hp_request request;
  if (!begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_DRAFT, table)) return 0;
  hp_writer *writer = &request.writer;
  hp_write_uint(writer, 2, (uint64_t)draft->step);
  if (draft->row != 0) hp_write_uint(writer, 3, draft->row);
  hp_write_text(writer, 4, draft->column);
  hp_write_text(writer, 5, draft->text);
  if (draft->force) hp_write_bool(writer, 6, true);
  return hp_request_end(&request);
}

uint64_t hp_send_get_editing(hp_async *async, const hp_envelope *envelope, hp_table_ref table) {
  hp_request request;
  if (!begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_GET_EDITING, table)) {
    return 0;
  }
  return hp_request_end(&request);
}

uint64_t hp_send_get_policy(hp_async *async, const hp_envelope *envelope, hp_table_ref table,
                            hp_section_ref section, const hp_row_ref *rows, size_t count) {
  hp_request request;
  if (!begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_GET_POLICY, table)) return 0;
  hp_writer *writer = &request.writer;
  hp_write_section_ref(writer, 2, section);
  for (size_t i = 0; i < count && writer->fault == HP_ERROR_NONE; i++) {
    hp_write_row_ref(writer, 3, rows[i]);
  }
  return hp_request_end(&request);
}
