#include "internal.h"

#include <string.h>

#include "hp/v1/batch.pb-c.h"

struct hp_batch {
  hp_allocator allocator;
  uint64_t table;
  char *table_name;
  hp_batch_mode mode;
  hp_basis basis;
  bool dry_run;
  size_t count;
  hp_buffer conditions;    /* encoded fields of hp.v1.Batch */
  hp_buffer operations;    /* likewise */
  hp_buffer pending;       /* conditions of the next operation: fields of hp.v1.Operation */
  hp_buffer section_counts; /* the packed field */
  hp_error error;
};

/* Field numbers of hp.v1.Batch and hp.v1.Operation. */
enum { BATCH_CONDITIONS = 4, BATCH_OPERATIONS = 5, BATCH_COUNTS = 6, OPERATION_CONDITIONS = 16 };

hp_batch *hp_batch_new(hp_table_ref table, const hp_allocator *allocator) {
  hp_allocator standard = hp_allocator_or_default(allocator);
  hp_batch *batch = hp_allocate(&standard, sizeof *batch);
  if (batch == NULL) return NULL;
  memset(batch, 0, sizeof *batch);
  batch->allocator = standard;
  hp_buffer_init(&batch->conditions, &batch->allocator);
  hp_buffer_init(&batch->operations, &batch->allocator);
  hp_buffer_init(&batch->pending, &batch->allocator);
  hp_buffer_init(&batch->section_counts, &batch->allocator);
  bool failed = false;
  batch->table = table.id;
  batch->table_name = hp_copy_text(&batch->allocator, table.name, &failed);
  if (failed) {
    hp_batch_free(batch);
    return NULL;
  }
  return batch;
}

void hp_batch_free(hp_batch *batch) {
  if (batch == NULL) return;
  hp_allocator allocator = batch->allocator;
  hp_buffer_free(&batch->conditions);
  hp_buffer_free(&batch->operations);
  hp_buffer_free(&batch->pending);
  hp_buffer_free(&batch->section_counts);
  hp_release(&allocator, batch->table_name);
  hp_release(&allocator, batch);
}

void hp_batch_clear(hp_batch *batch) {
  hp_buffer_clear(&batch->conditions);
  hp_buffer_clear(&batch->operations);
  hp_buffer_clear(&batch->pending);
  hp_buffer_clear(&batch->section_counts);
  batch->count = 0;
  hp_error_set(&batch->error, HP_ERROR_NONE, 0, HP_CODE_NONE, "");
}

const hp_error *hp_batch_error(const hp_batch *batch) { return &batch->error; }

size_t hp_batch_count(const hp_batch *batch) { return batch->count; }

size_t hp_batch_size(const hp_batch *batch) {
  return hp_buffer_size(&batch->conditions) + hp_buffer_size(&batch->operations) +
         hp_buffer_size(&batch->section_counts);
}

void hp_batch_set_mode(hp_batch *batch, hp_batch_mode mode) { batch->mode = mode; }

void hp_batch_set_basis(hp_batch *batch, hp_basis basis) { batch->basis = basis; }

void hp_batch_set_dry_run(hp_batch *batch, bool dry_run) { batch->dry_run = dry_run; }

static bool settle(hp_batch *batch, const hp_writer *writer, size_t before) {
  hp_error_kind fault = writer->fault;
  const char *why = writer->why;
  if (fault == HP_ERROR_NONE &&
      hp_batch_size(batch) + hp_buffer_size(&batch->pending) > HP_FRAME_UP) {
    fault = HP_ERROR_TOO_LARGE;
    why = "the batch is larger than a frame may be";
  }
  if (fault == HP_ERROR_NONE) return true;
  writer->out->end = writer->out->start + before;
  hp_error_set(&batch->error, fault, 0, HP_CODE_NONE, why);
  return false;
}

bool hp_batch_set_section_counts(hp_batch *batch, const uint64_t *counts, size_t count) {
  if (batch->error.kind != HP_ERROR_NONE) return false;
  hp_writer writer;
  hp_buffer_clear(&batch->section_counts);
  hp_writer_init(&writer, &batch->section_counts);
  hp_write_packed(&writer, BATCH_COUNTS, counts, count);
  return settle(batch, &writer, 0);
}

void hp_write_batch(hp_writer *writer, const hp_batch *batch) {
  if (batch->error.kind != HP_ERROR_NONE) {
    hp_writer_fail(writer, batch->error.kind, batch->error.message);
  }
  if (hp_buffer_size(&batch->pending) > 0) {
    hp_writer_fail(writer, HP_ERROR_ARGUMENT, "a condition stands after the last operation");
  }
  hp_table_ref table = {batch->table, batch->table_name};
  hp_write_table_ref(writer, 1, table);
  if (batch->mode != HP_SEQUENCE) hp_write_uint(writer, 2, (uint64_t)batch->mode);
  hp_write_basis(writer, 3, batch->basis);
  const hp_buffer *parts[] = {&batch->conditions, &batch->operations, &batch->section_counts};
  for (size_t i = 0; i < 3; i++) {
    size_t size = hp_buffer_size(parts[i]);
    if (size > 0) hp_write_raw(writer, parts[i]->bytes + parts[i]->start, size);
  }
  if (batch->dry_run) hp_write_bool(writer, 7, true);
}

/* Conditions */

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
  return settle(begun->batch, &begun->writer, begun->before);
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

/* Operations */

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
  if (!settle(begun->batch, &begun->writer, begun->before)) return false;
  hp_buffer_clear(&begun->batch->pending);
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

static bool end_policy(operation *begun, const hp_policy *policy) {
  if (policy != NULL) {
    hp_write_policy(&begun->writer, 4, policy);
  } else {
    hp_write_bool(&begun->writer, 5, true);
  }
  return end(begun);
}

bool hp_batch_set_table_policy(hp_batch *batch, const hp_policy *policy) {
  operation begun;
  if (!begin(&begun, batch, HP__V1__OPERATION__OPERATION_SET_POLICY)) return false;
  hp_write_bool(&begun.writer, 1, true);
  return end_policy(&begun, policy);
}

bool hp_batch_set_section_policy(hp_batch *batch, hp_section_ref section,
                                 const hp_policy *policy) {
  operation begun;
  if (!begin(&begun, batch, HP__V1__OPERATION__OPERATION_SET_POLICY)) return false;
  hp_write_needed_section(&begun.writer, 2, section);
  return end_policy(&begun, policy);
}

bool hp_batch_set_row_policy(hp_batch *batch, hp_row_ref row, const hp_policy *policy) {
  operation begun;
  if (!begin(&begun, batch, HP__V1__OPERATION__OPERATION_SET_POLICY)) return false;
  hp_write_row_ref(&begun.writer, 3, row);
  return end_policy(&begun, policy);
}

bool hp_batch_set_sentinel(hp_batch *batch, hp_section_ref section, const hp_sentinel *sentinel) {
  static const hp_sentinel none = {NULL, false, 0};
  operation begun;
  if (!begin(&begun, batch, HP__V1__OPERATION__OPERATION_SET_POLICY)) return false;
  hp_write_needed_section(&begun.writer, 2, section);
  hp_write_sentinel(&begun.writer, 6, sentinel != NULL ? sentinel : &none);
  return end(&begun);
}
