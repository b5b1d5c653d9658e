#include "builder.h"

#include <string.h>

/* Operations of about so many bytes go into one chunk, which is one part of an upload. */
#define CHUNK_SIZE (256u * 1024u)
/* What a frame has beside one operation. */
#define FRAME_SPARE 1024u
/* As for bytes: what closes a chunk, and what a frame has beside one operation. */
#define CHUNK_ELEMENTS 50000u
#define ELEMENT_SPARE 64u

hp_chunk *hp_chunk_new(const hp_allocator *allocator, const uint8_t *bytes, size_t size,
                       size_t elements) {
  hp_chunk *chunk = hp_allocate(allocator, sizeof *chunk + size);
  if (chunk == NULL) return NULL;
  chunk->allocator = *allocator;
  chunk->holders = 1;
  chunk->size = size;
  chunk->elements = elements;
  memcpy(chunk->bytes, bytes, size);
  return chunk;
}

void hp_chunk_release(hp_chunk *chunk) {
  chunk->holders -= 1;
  if (chunk->holders > 0) return;
  hp_allocator allocator = chunk->allocator;
  hp_release(&allocator, chunk);
}

/* Makes the first `size` bytes of the operations, which have so many elements, a chunk. */
static bool seal(hp_batch *batch, size_t size, size_t elements) {
  if (size == 0) return true;
  if (batch->chunk_count == batch->chunk_capacity) {
    size_t capacity = batch->chunk_capacity == 0 ? 16 : batch->chunk_capacity * 2;
    hp_chunk **grown = hp_allocate(&batch->allocator, capacity * sizeof *grown);
    if (grown == NULL) return false;
    if (batch->chunk_count > 0) {
      memcpy(grown, batch->chunks, batch->chunk_count * sizeof *grown);
    }
    hp_release(&batch->allocator, batch->chunks);
    batch->chunks = grown;
    batch->chunk_capacity = capacity;
  }
  hp_chunk *chunk =
      hp_chunk_new(&batch->allocator, batch->operations.bytes + batch->operations.start, size,
                   elements);
  if (chunk == NULL) return false;
  batch->chunks[batch->chunk_count++] = chunk;
  batch->chunk_bytes += size;
  batch->chunk_elements += elements;
  batch->operation_elements -= elements;
  hp_buffer_consume(&batch->operations, size);
  return true;
}

void hp_batch_drop_chunks(hp_batch *batch, size_t count) {
  for (size_t i = 0; i < count; i++) {
    batch->chunk_bytes -= batch->chunks[i]->size;
    batch->chunk_elements -= batch->chunks[i]->elements;
    hp_chunk_release(batch->chunks[i]);
  }
  batch->chunk_count -= count;
  if (count > 0 && batch->chunk_count > 0) {
    memmove(batch->chunks, batch->chunks + count, batch->chunk_count * sizeof *batch->chunks);
  }
}

static void drop_chunks(hp_batch *batch) {
  hp_batch_drop_chunks(batch, batch->chunk_count);
  hp_release(&batch->allocator, batch->chunks);
  batch->chunks = NULL;
  batch->chunk_capacity = 0;
}

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
  drop_chunks(batch);
  hp_buffer_free(&batch->conditions);
  hp_buffer_free(&batch->operations);
  hp_buffer_free(&batch->pending);
  hp_buffer_free(&batch->section_counts);
  hp_release(&allocator, batch->table_name);
  hp_release(&allocator, batch);
}

void hp_batch_clear(hp_batch *batch) {
  drop_chunks(batch);
  hp_buffer_clear(&batch->conditions);
  hp_buffer_clear(&batch->operations);
  hp_buffer_clear(&batch->pending);
  hp_buffer_clear(&batch->section_counts);
  batch->condition_elements = 0;
  batch->operation_elements = 0;
  batch->pending_elements = 0;
  batch->count_elements = 0;
  batch->count = 0;
  hp_error_set(&batch->error, HP_ERROR_NONE, 0, HP_CODE_NONE, "");
}

const hp_error *hp_batch_error(const hp_batch *batch) { return &batch->error; }

size_t hp_batch_count(const hp_batch *batch) { return batch->count; }

size_t hp_batch_size(const hp_batch *batch) {
  return hp_buffer_size(&batch->conditions) + batch->chunk_bytes +
         hp_buffer_size(&batch->operations) + hp_buffer_size(&batch->section_counts);
}

size_t hp_batch_elements(const hp_batch *batch) {
  return batch->condition_elements + batch->chunk_elements + batch->operation_elements +
         batch->count_elements;
}

void hp_batch_set_mode(hp_batch *batch, hp_batch_mode mode) { batch->mode = mode; }

void hp_batch_set_basis(hp_batch *batch, hp_basis basis) { batch->basis = basis; }

void hp_batch_set_dry_run(hp_batch *batch, bool dry_run) { batch->dry_run = dry_run; }

/* The count of what stands in a buffer of the builder. */
static size_t *elements_in(hp_batch *batch, const hp_buffer *buffer) {
  if (buffer == &batch->conditions) return &batch->condition_elements;
  if (buffer == &batch->pending) return &batch->pending_elements;
  if (buffer == &batch->section_counts) return &batch->count_elements;
  return &batch->operation_elements;
}

/* Closes a chunk once the operations are enough for one; the last of them, which begins at byte
 * `before`, gets one of its own where it does not fit. */
static bool close_chunk(hp_batch *batch, size_t before, size_t elements_before) {
  size_t size = hp_buffer_size(&batch->operations);
  if (size < CHUNK_SIZE && batch->operation_elements < CHUNK_ELEMENTS) return true;
  bool apart = size > HP_FRAME_UP - FRAME_SPARE || batch->operation_elements > 2 * CHUNK_ELEMENTS;
  return (!apart || seal(batch, before, elements_before)) &&
         seal(batch, hp_buffer_size(&batch->operations), batch->operation_elements);
}

bool hp_batch_settle(hp_batch *batch, const hp_writer *writer, size_t before) {
  hp_error_kind fault = writer->fault;
  const char *why = writer->why;
  size_t size = hp_buffer_size(writer->out);
  if (fault == HP_ERROR_NONE && size - before > HP_FRAME_UP - FRAME_SPARE) {
    fault = HP_ERROR_TOO_LARGE;
    why = "an operation is larger than a frame may be";
  }
  if (fault == HP_ERROR_NONE && writer->elements > HP_FRAME_UP_ELEMENTS - ELEMENT_SPARE) {
    fault = HP_ERROR_TOO_LARGE;
    why = "an operation has more elements than a frame may";
  }
  if (fault == HP_ERROR_NONE) {
    size_t *elements = elements_in(batch, writer->out);
    size_t elements_before = *elements;
    *elements += writer->elements;
    if (writer->out == &batch->operations && !close_chunk(batch, before, elements_before)) {
      /* What stands in the buffer stays there; the builder is broken all the same. */
      fault = HP_ERROR_MEMORY;
      why = "no memory for the batch";
    }
  }
  if (fault == HP_ERROR_NONE) return true;
  if (hp_buffer_size(writer->out) >= before) writer->out->end = writer->out->start + before;
  hp_error_set(&batch->error, fault, 0, HP_CODE_NONE, why);
  return false;
}

bool hp_batch_set_section_counts(hp_batch *batch, const uint64_t *counts, size_t count) {
  if (batch->error.kind != HP_ERROR_NONE) return false;
  hp_writer writer;
  hp_buffer_clear(&batch->section_counts);
  batch->count_elements = 0;
  hp_writer_init(&writer, &batch->section_counts);
  if (count > 0) {
    hp_write_packed(&writer, BATCH_COUNTS, counts, count);
  } else {
    hp_write_bool(&writer, BATCH_NO_SECTIONS, true);
  }
  return hp_batch_settle(batch, &writer, 0);
}

static void write_buffer(hp_writer *writer, const hp_buffer *buffer) {
  size_t size = hp_buffer_size(buffer);
  if (size > 0) hp_write_raw(writer, buffer->bytes + buffer->start, size);
}

static void check(hp_writer *writer, const hp_batch *batch) {
  if (batch->error.kind != HP_ERROR_NONE) {
    hp_writer_fail(writer, batch->error.kind, batch->error.message);
  }
  if (hp_buffer_size(&batch->pending) > 0) {
    hp_writer_fail(writer, HP_ERROR_ARGUMENT, "a condition stands after the last operation");
  }
}

static void write_front(hp_writer *writer, const hp_batch *batch) {
  check(writer, batch);
  hp_table_ref table = {batch->table, batch->table_name};
  hp_write_table_ref(writer, 1, table);
  if (batch->mode != HP_SEQUENCE) hp_write_uint(writer, 2, (uint64_t)batch->mode);
  hp_write_basis(writer, 3, batch->basis);
  write_buffer(writer, &batch->conditions);
  writer->elements += batch->condition_elements;
}

static void write_rear(hp_writer *writer, const hp_batch *batch) {
  write_buffer(writer, &batch->section_counts);
  writer->elements += batch->count_elements;
  if (batch->dry_run) hp_write_bool(writer, 7, true);
}

void hp_write_batch(hp_writer *writer, const hp_batch *batch) {
  write_front(writer, batch);
  for (size_t i = 0; i < batch->chunk_count; i++) {
    hp_write_raw(writer, batch->chunks[i]->bytes, batch->chunks[i]->size);
  }
  write_buffer(writer, &batch->operations);
  writer->elements += batch->chunk_elements + batch->operation_elements;
  write_rear(writer, batch);
}

void hp_write_batch_head(hp_writer *writer, const hp_batch *batch) {
  write_front(writer, batch);
  write_rear(writer, batch);
}
