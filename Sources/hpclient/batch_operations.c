#include "builder.h"

#include "hp/v1/batch.pb-c.h"

/* The operations of a batch: each is one function. */

typedef struct operation {
  hp_batch *batch;
  hp_writer writer;
  uint32_t number;
  size_t before;
  size_t outer;
  size_t inner;
} operation;

static void write_pending(operation *begun) {
  const hp_buffer *pending = &begun->batch->pending;
  size_t size = hp_buffer_size(pending);
  if (size > 0) hp_write_raw(&begun->writer, pending->bytes + pending->start, size);
  begun->writer.elements += begun->batch->pending_elements;
}

static bool begin(operation *begun, hp_batch *batch, uint32_t number) {
  if (batch->error.kind != HP_ERROR_NONE) return false;
  begun->batch = batch;
  begun->number = number;
  begun->before = hp_buffer_size(&batch->operations);
  hp_writer_init(&begun->writer, &batch->operations);
  begun->outer = hp_write_begin(&begun->writer, BATCH_OPERATIONS);
  if (number > OPERATION_CONDITIONS) write_pending(begun);
  begun->inner = hp_write_begin(&begun->writer, number);
  return true;
}

static bool end(operation *begun) {
  hp_write_end(&begun->writer, begun->inner);
  if (begun->number < OPERATION_CONDITIONS) write_pending(begun);
  hp_write_end(&begun->writer, begun->outer);
  if (!hp_batch_settle(begun->batch, &begun->writer, begun->before)) return false;
  hp_buffer_clear(&begun->batch->pending);
  begun->batch->pending_elements = 0;
  begun->batch->count += 1;
  return true;
}

bool hp_batch_insert_row(hp_batch *batch, hp_place at, const hp_cell *cells, size_t count) {
  hp_new_row row = {cells, count, 0};
  return hp_batch_insert_new_row(batch, at, &row, HP_ANIMATION_DEFAULT);
}

bool hp_batch_insert_new_row(hp_batch *batch, hp_place at, const hp_new_row *row,
                             hp_animation animation) {
  operation begun;
  if (!begin(&begun, batch, HP__V1__OPERATION__OPERATION_INSERT_ROW)) return false;
  hp_write_place(&begun.writer, 1, at);
  hp_write_new_row(&begun.writer, 2, row);
  hp_write_animation(&begun.writer, 3, animation);
  return end(&begun);
}

bool hp_batch_delete_row(hp_batch *batch, hp_row_ref row, hp_animation animation) {
  operation begun;
  if (!begin(&begun, batch, HP__V1__OPERATION__OPERATION_DELETE_ROW)) return false;
  hp_write_row_ref(&begun.writer, 1, row);
  hp_write_animation(&begun.writer, 2, animation);
  return end(&begun);
}

bool hp_batch_move_row(hp_batch *batch, hp_row_ref row, hp_place to) {
  operation begun;
  if (!begin(&begun, batch, HP__V1__OPERATION__OPERATION_MOVE_ROW)) return false;
  hp_write_row_ref(&begun.writer, 1, row);
  hp_write_place(&begun.writer, 2, to);
  return end(&begun);
}

bool hp_batch_update_row(hp_batch *batch, hp_row_ref row, const hp_cell *cells, size_t count) {
  operation begun;
  if (!begin(&begun, batch, HP__V1__OPERATION__OPERATION_UPDATE_ROW)) return false;
  hp_write_row_ref(&begun.writer, 1, row);
  hp_write_cells(&begun.writer, 2, cells, count);
  return end(&begun);
}

bool hp_batch_reload_row(hp_batch *batch, hp_row_ref row, const hp_cell *cells, size_t count,
                         hp_animation animation) {
  operation begun;
  if (!begin(&begun, batch, HP__V1__OPERATION__OPERATION_RELOAD_ROW)) return false;
  hp_write_row_ref(&begun.writer, 1, row);
  hp_write_cells(&begun.writer, 2, cells, count);
  hp_write_animation(&begun.writer, 3, animation);
  return end(&begun);
}

bool hp_batch_upsert(hp_batch *batch, const char *column, const hp_new_row *row, hp_place at) {
  operation begun;
  if (!begin(&begun, batch, HP__V1__OPERATION__OPERATION_UPSERT)) return false;
  hp_write_name(&begun.writer, 1, column, "an upsert names no column");
  hp_write_new_row(&begun.writer, 2, row);
  hp_write_place(&begun.writer, 3, at);
  return end(&begun);
}

bool hp_batch_add_to_cell(hp_batch *batch, hp_row_ref row, hp_cell amount, const int64_t *floor,
                          const int64_t *ceiling) {
  operation begun;
  if (!begin(&begun, batch, HP__V1__OPERATION__OPERATION_ADD_TO_CELL)) return false;
  hp_write_row_ref(&begun.writer, 1, row);
  hp_write_cell(&begun.writer, 2, &amount, true);
  if (floor != NULL) hp_write_sint(&begun.writer, 3, *floor);
  if (ceiling != NULL) hp_write_sint(&begun.writer, 4, *ceiling);
  return end(&begun);
}

bool hp_batch_move_ids(hp_batch *batch, const uint64_t *ids, size_t count, hp_place to) {
  operation begun;
  if (!begin(&begun, batch, HP__V1__OPERATION__OPERATION_MOVE_MANY)) return false;
  hp_write_packed(&begun.writer, 3, ids, count);
  hp_write_place(&begun.writer, 4, to);
  return end(&begun);
}

bool hp_batch_move_run(hp_batch *batch, hp_id_run run, hp_place to) {
  operation begun;
  if (!begin(&begun, batch, HP__V1__OPERATION__OPERATION_MOVE_MANY)) return false;
  size_t mark = hp_write_begin(&begun.writer, 1);
  hp_write_uint(&begun.writer, 1, run.first);
  hp_write_uint(&begun.writer, 2, run.count);
  hp_write_end(&begun.writer, mark);
  hp_write_place(&begun.writer, 4, to);
  return end(&begun);
}

static void write_needed_filter(hp_writer *writer, uint32_t number, const hp_filter *filter) {
  if (filter == NULL) hp_writer_fail(writer, HP_ERROR_ARGUMENT, "no filter is given");
  hp_write_filter(writer, number, filter);
}

bool hp_batch_move_where(hp_batch *batch, const hp_filter *filter, hp_place to) {
  operation begun;
  if (!begin(&begun, batch, HP__V1__OPERATION__OPERATION_MOVE_MANY)) return false;
  write_needed_filter(&begun.writer, 2, filter);
  hp_write_place(&begun.writer, 4, to);
  return end(&begun);
}

bool hp_batch_delete_where(hp_batch *batch, const hp_filter *filter) {
  operation begun;
  if (!begin(&begun, batch, HP__V1__OPERATION__OPERATION_DELETE_WHERE)) return false;
  write_needed_filter(&begun.writer, 1, filter);
  return end(&begun);
}

bool hp_batch_update_where(hp_batch *batch, const hp_filter *filter, const hp_cell *cells,
                           size_t count) {
  operation begun;
  if (!begin(&begun, batch, HP__V1__OPERATION__OPERATION_UPDATE_WHERE)) return false;
  write_needed_filter(&begun.writer, 1, filter);
  hp_write_cells(&begun.writer, 2, cells, count);
  return end(&begun);
}

bool hp_batch_sort_section(hp_batch *batch, hp_section_ref section, const hp_sort *by,
                           size_t count) {
  operation begun;
  if (!begin(&begun, batch, HP__V1__OPERATION__OPERATION_SORT_SECTION)) return false;
  hp_write_needed_section(&begun.writer, 1, section);
  for (size_t i = 0; i < count; i++) hp_write_sort(&begun.writer, 2, &by[i]);
  return end(&begun);
}

bool hp_batch_insert_section(hp_batch *batch, hp_section_place at, const hp_new_section *section,
                             hp_animation animation) {
  operation begun;
  if (!begin(&begun, batch, HP__V1__OPERATION__OPERATION_INSERT_SECTION)) return false;
  hp_write_section_place(&begun.writer, 1, at);
  hp_write_text(&begun.writer, 2, section->title);
  for (size_t i = 0; i < section->row_count; i++) {
    hp_write_new_row(&begun.writer, 3, &section->rows[i]);
  }
  if (section->as != 0) hp_write_uint(&begun.writer, 4, section->as);
  hp_write_header_footer(&begun.writer, 5, section->header);
  hp_write_header_footer(&begun.writer, 6, section->footer);
  hp_write_animation(&begun.writer, 7, animation);
  return end(&begun);
}

bool hp_batch_delete_section(hp_batch *batch, hp_section_ref section, hp_animation animation) {
  operation begun;
  if (!begin(&begun, batch, HP__V1__OPERATION__OPERATION_DELETE_SECTION)) return false;
  hp_write_needed_section(&begun.writer, 1, section);
  hp_write_animation(&begun.writer, 2, animation);
  return end(&begun);
}

bool hp_batch_move_section(hp_batch *batch, hp_section_ref section, hp_section_place to) {
  operation begun;
  if (!begin(&begun, batch, HP__V1__OPERATION__OPERATION_MOVE_SECTION)) return false;
  hp_write_needed_section(&begun.writer, 1, section);
  hp_write_section_place(&begun.writer, 2, to);
  return end(&begun);
}

bool hp_batch_retitle_section(hp_batch *batch, hp_section_ref section, const char *title) {
  operation begun;
  if (!begin(&begun, batch, HP__V1__OPERATION__OPERATION_RETITLE_SECTION)) return false;
  hp_write_needed_section(&begun.writer, 1, section);
  hp_write_text(&begun.writer, 2, title);
  return end(&begun);
}

bool hp_batch_reload_section(hp_batch *batch, hp_section_ref section, hp_animation animation) {
  operation begun;
  if (!begin(&begun, batch, HP__V1__OPERATION__OPERATION_RELOAD_SECTION)) return false;
  hp_write_needed_section(&begun.writer, 1, section);
  hp_write_animation(&begun.writer, 4, animation);
  return end(&begun);
}

bool hp_batch_reload_section_rows(hp_batch *batch, hp_section_ref section, const hp_new_row *rows,
                                  size_t count, hp_animation animation) {
  operation begun;
  if (!begin(&begun, batch, HP__V1__OPERATION__OPERATION_RELOAD_SECTION)) return false;
  hp_write_needed_section(&begun.writer, 1, section);
  hp_write_bool(&begun.writer, 2, true);
  for (size_t i = 0; i < count; i++) hp_write_new_row(&begun.writer, 3, &rows[i]);
  hp_write_animation(&begun.writer, 4, animation);
  return end(&begun);
}

static bool set_header_footer(hp_batch *batch, hp_section_ref section, bool footer,
                              const hp_header_footer *value) {
  operation begun;
  if (!begin(&begun, batch, HP__V1__OPERATION__OPERATION_SET_HEADER_FOOTER)) return false;
  hp_write_section_ref(&begun.writer, 1, section);
  if (footer) hp_write_bool(&begun.writer, 2, true);
  hp_write_header_footer(&begun.writer, 3, value);
  return end(&begun);
}

bool hp_batch_set_header(hp_batch *batch, hp_section_ref section, const hp_header_footer *value) {
  return set_header_footer(batch, section, false, value);
}

bool hp_batch_set_footer(hp_batch *batch, hp_section_ref section, const hp_header_footer *value) {
  return set_header_footer(batch, section, true, value);
}

bool hp_batch_add_column(hp_batch *batch, const hp_column *column, const char *before) {
  operation begun;
  if (!begin(&begun, batch, HP__V1__OPERATION__OPERATION_ADD_COLUMN)) return false;
  hp_write_column(&begun.writer, 1, column);
  hp_write_text(&begun.writer, 2, before);
  return end(&begun);
}

bool hp_batch_rename_column(hp_batch *batch, const char *column, const char *name) {
  operation begun;
  if (!begin(&begun, batch, HP__V1__OPERATION__OPERATION_RENAME_COLUMN)) return false;
  hp_write_name(&begun.writer, 1, column, "no column is named");
  hp_write_name(&begun.writer, 2, name, "a column has no name");
  return end(&begun);
}

bool hp_batch_move_column(hp_batch *batch, const char *column, uint64_t index) {
  operation begun;
  if (!begin(&begun, batch, HP__V1__OPERATION__OPERATION_MOVE_COLUMN)) return false;
  hp_write_name(&begun.writer, 1, column, "no column is named");
  hp_write_uint(&begun.writer, 2, index);
  return end(&begun);
}

bool hp_batch_drop_column(hp_batch *batch, const char *column) {
  operation begun;
  if (!begin(&begun, batch, HP__V1__OPERATION__OPERATION_DROP_COLUMN)) return false;
  hp_write_name(&begun.writer, 1, column, "no column is named");
  return end(&begun);
}

static bool end_policy(operation *begun, const hp_policy *policy, bool clear) {
  if (policy != NULL) hp_write_policy(&begun->writer, 4, policy);
  if (clear || policy == NULL) hp_write_bool(&begun->writer, 5, true);
  return end(begun);
}

static bool table_policy(hp_batch *batch, const hp_policy *policy, bool clear) {
  operation begun;
  if (!begin(&begun, batch, HP__V1__OPERATION__OPERATION_SET_POLICY)) return false;
  hp_write_bool(&begun.writer, 1, true);
  return end_policy(&begun, policy, clear);
}

static bool section_policy(hp_batch *batch, hp_section_ref section, const hp_policy *policy,
                           bool clear) {
  operation begun;
  if (!begin(&begun, batch, HP__V1__OPERATION__OPERATION_SET_POLICY)) return false;
  hp_write_needed_section(&begun.writer, 2, section);
  return end_policy(&begun, policy, clear);
}

static bool row_policy(hp_batch *batch, hp_row_ref row, const hp_policy *policy, bool clear) {
  operation begun;
  if (!begin(&begun, batch, HP__V1__OPERATION__OPERATION_SET_POLICY)) return false;
  hp_write_row_ref(&begun.writer, 3, row);
  return end_policy(&begun, policy, clear);
}

bool hp_batch_set_table_policy(hp_batch *batch, const hp_policy *policy) {
  return table_policy(batch, policy, false);
}

bool hp_batch_set_section_policy(hp_batch *batch, hp_section_ref section,
                                 const hp_policy *policy) {
  return section_policy(batch, section, policy, false);
}

bool hp_batch_set_row_policy(hp_batch *batch, hp_row_ref row, const hp_policy *policy) {
  return row_policy(batch, row, policy, false);
}

bool hp_batch_replace_table_policy(hp_batch *batch, const hp_policy *policy) {
  return table_policy(batch, policy, true);
}

bool hp_batch_replace_section_policy(hp_batch *batch, hp_section_ref section,
                                     const hp_policy *policy) {
  return section_policy(batch, section, policy, true);
}

bool hp_batch_replace_row_policy(hp_batch *batch, hp_row_ref row, const hp_policy *policy) {
  return row_policy(batch, row, policy, true);
}

bool hp_batch_set_sentinel(hp_batch *batch, hp_section_ref section, const hp_sentinel *sentinel) {
  operation begun;
  if (!begin(&begun, batch, HP__V1__OPERATION__OPERATION_SET_POLICY)) return false;
  hp_write_needed_section(&begun.writer, 2, section);
  if (sentinel != NULL) {
    hp_write_sentinel(&begun.writer, 6, sentinel);
  } else {
    hp_write_bool(&begun.writer, 7, true);
  }
  return end(&begun);
}
