#include "builder.h"

/* Conditions of a batch and of its operations (contract E4). */

typedef struct condition {
  hp_batch *batch;
  hp_writer writer;
  size_t before;
  size_t mark;
} condition;

static bool begin_condition(condition *begun, hp_batch *batch, hp_when when) {
  if (batch->error.kind != HP_ERROR_NONE) return false;
  hp_buffer *out = when == HP_NEXT ? &batch->pending : &batch->conditions;
  begun->batch = batch;
  begun->before = hp_buffer_size(out);
  hp_writer_init(&begun->writer, out);
  begun->mark =
      hp_write_begin(&begun->writer, when == HP_NEXT ? OPERATION_CONDITIONS : BATCH_CONDITIONS);
  return true;
}

static bool end_condition(condition *begun) {
  hp_write_end(&begun->writer, begun->mark);
  return hp_batch_settle(begun->batch, &begun->writer, begun->before);
}

bool hp_batch_require_row(hp_batch *batch, hp_when when, hp_row_ref row) {
  condition begun;
  if (!begin_condition(&begun, batch, when)) return false;
  hp_write_row_ref(&begun.writer, 1, row);
  return end_condition(&begun);
}

bool hp_batch_require_no_row(hp_batch *batch, hp_when when, hp_row_ref row) {
  condition begun;
  if (!begin_condition(&begun, batch, when)) return false;
  hp_write_row_ref(&begun.writer, 2, row);
  return end_condition(&begun);
}

bool hp_batch_require_revision(hp_batch *batch, hp_when when, hp_row_ref row, uint64_t revision) {
  condition begun;
  if (!begin_condition(&begun, batch, when)) return false;
  size_t mark = hp_write_begin(&begun.writer, 3);
  hp_write_row_ref(&begun.writer, 1, row);
  hp_write_uint(&begun.writer, 2, revision);
  hp_write_end(&begun.writer, mark);
  return end_condition(&begun);
}

bool hp_batch_require_cell(hp_batch *batch, hp_when when, hp_row_ref row, hp_cell cell) {
  condition begun;
  if (!begin_condition(&begun, batch, when)) return false;
  size_t mark = hp_write_begin(&begun.writer, 4);
  hp_write_row_ref(&begun.writer, 1, row);
  hp_write_cell(&begun.writer, 2, &cell, true);
  hp_write_end(&begun.writer, mark);
  return end_condition(&begun);
}

bool hp_batch_require_section_count(hp_batch *batch, hp_when when, hp_section_ref section,
                                    uint64_t rows) {
  condition begun;
  if (!begin_condition(&begun, batch, when)) return false;
  size_t mark = hp_write_begin(&begun.writer, 5);
  hp_write_needed_section(&begun.writer, 1, section);
  hp_write_uint(&begun.writer, 2, rows);
  hp_write_end(&begun.writer, mark);
  return end_condition(&begun);
}

bool hp_batch_require_section_total(hp_batch *batch, hp_when when, uint64_t sections) {
  condition begun;
  if (!begin_condition(&begun, batch, when)) return false;
  hp_write_uint(&begun.writer, 6, sections);
  return end_condition(&begun);
}

bool hp_batch_require_matched(hp_batch *batch, hp_when when, uint64_t rows) {
  condition begun;
  if (!begin_condition(&begun, batch, when)) return false;
  hp_write_uint(&begun.writer, 7, rows);
  return end_condition(&begun);
}
