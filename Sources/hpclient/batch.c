#include "builder.h"

#include <string.h>

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

bool hp_batch_settle(hp_batch *batch, const hp_writer *writer, size_t before) {
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
  if (count > 0) {
    hp_write_packed(&writer, BATCH_COUNTS, counts, count);
  } else {
    hp_write_bool(&writer, BATCH_NO_SECTIONS, true);
  }
  return hp_batch_settle(batch, &writer, 0);
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
