#include "sending.h"

#include "hp/steps.h"
#include "hp/v1/frame.pb-c.h"

/* The requests of hp/steps.h. */

static const hp_step_options newest_step;
static const hp_history_options whole_history;

static void write_table(hp_writer *writer, hp_table_ref table) {
  if (table.id != 0 || table.name != NULL) hp_write_table_ref(writer, 1, table);
}

uint64_t hp_send_undo(hp_async *async, const hp_envelope *envelope,
                      const hp_step_options *options) {
  if (options == NULL) options = &newest_step;
  hp_request request;
  if (!hp_request_begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_UNDO)) return 0;
  hp_writer *writer = &request.writer;
  write_table(writer, options->table);
  if (options->step != 0) hp_write_uint(writer, 2, options->step);
  if (options->any) hp_write_bool(writer, 3, true);
  if (options->dry_run) hp_write_bool(writer, 4, true);
  if (options->expect_step != 0) hp_write_uint(writer, 5, options->expect_step);
  return hp_request_end(&request);
}

uint64_t hp_send_redo(hp_async *async, const hp_envelope *envelope,
                      const hp_step_options *options) {
  if (options == NULL) options = &newest_step;
  hp_request request;
  if (!hp_request_begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_REDO)) return 0;
  hp_writer *writer = &request.writer;
  write_table(writer, options->table);
  if (options->step != 0) hp_write_uint(writer, 2, options->step);
  if (options->dry_run) hp_write_bool(writer, 3, true);
  if (options->any) hp_write_bool(writer, 4, true);
  if (options->expect_step != 0) hp_write_uint(writer, 5, options->expect_step);
  return hp_request_end(&request);
}

uint64_t hp_send_restore_row(hp_async *async, const hp_envelope *envelope, hp_table_ref table,
                             uint64_t row, bool dry_run) {
  hp_request request;
  if (!hp_request_begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_RESTORE_ROW)) {
    return 0;
  }
  hp_write_table_ref(&request.writer, 1, table);
  hp_write_uint(&request.writer, 2, row);
  if (dry_run) hp_write_bool(&request.writer, 3, true);
  return hp_request_end(&request);
}

uint64_t hp_send_history(hp_async *async, const hp_envelope *envelope,
                         const hp_history_options *options) {
  if (options == NULL) options = &whole_history;
  hp_request request;
  if (!hp_request_begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_HISTORY)) {
    return 0;
  }
  hp_writer *writer = &request.writer;
  write_table(writer, options->table);
  if (options->before != 0) hp_write_uint(writer, 2, options->before);
  if (options->limit != 0) hp_write_uint(writer, 3, options->limit);
  if (options->actor != NULL) hp_write_name(writer, 4, options->actor, "an actor has no name");
  if (options->has_uid) hp_write_uint(writer, 5, options->uid);
  return hp_request_end(&request);
}

uint64_t hp_send_row_history(hp_async *async, const hp_envelope *envelope, hp_table_ref table,
                             uint64_t row, uint64_t before, uint64_t limit) {
  hp_request request;
  if (!hp_request_begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_ROW_HISTORY)) {
    return 0;
  }
  hp_write_table_ref(&request.writer, 1, table);
  hp_write_uint(&request.writer, 2, row);
  if (before != 0) hp_write_uint(&request.writer, 3, before);
  if (limit != 0) hp_write_uint(&request.writer, 4, limit);
  return hp_request_end(&request);
}
