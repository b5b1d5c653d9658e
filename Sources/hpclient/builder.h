/* The batch builder, shared by its files. Not installed. */
#ifndef HP_BUILDER_H
#define HP_BUILDER_H

#include "internal.h"

/* Operations that are whole, shared by a batch and by those that send it. */
typedef struct hp_chunk {
  hp_allocator allocator;
  size_t holders;
  size_t size;
  size_t elements;
  uint8_t bytes[];
} hp_chunk;

/** A copy of bytes with so many elements, held once. NULL when memory runs out. */
hp_chunk *hp_chunk_new(const hp_allocator *allocator, const uint8_t *bytes, size_t size,
                       size_t elements);
void hp_chunk_release(hp_chunk *chunk);

struct hp_batch {
  hp_allocator allocator;
  uint64_t table;
  char *table_name;
  hp_batch_mode mode;
  hp_basis basis;
  bool dry_run;
  size_t count;
  hp_buffer conditions;    /* encoded fields of hp.v1.Batch */
  hp_chunk **chunks;       /* operations that are no longer touched */
  size_t chunk_count;
  size_t chunk_capacity;
  size_t chunk_bytes;
  /* Elements, each count as what the server finds at most: of the conditions, the chunks, and
   * the other buffers below. */
  size_t condition_elements;
  size_t chunk_elements;
  size_t operation_elements;
  size_t pending_elements;
  size_t count_elements;
  hp_buffer operations;    /* those after the chunks: encoded fields likewise */
  hp_buffer pending;       /* conditions of the next operation: fields of hp.v1.Operation */
  hp_buffer section_counts; /* the packed field, or the one that says there are none */
  hp_error error;
};

/* Field numbers of hp.v1.Batch and hp.v1.Operation. */
enum { BATCH_CONDITIONS = 4, BATCH_OPERATIONS = 5, BATCH_COUNTS = 6, BATCH_NO_SECTIONS = 8, OPERATION_CONDITIONS = 16 };

/** Ends an addition to `writer`'s buffer: keeps it, or takes it back to `before` bytes and breaks
 * the builder. */
bool hp_batch_settle(hp_batch *batch, const hp_writer *writer, size_t before);

/** How many elements a batch has in one frame, at most. */
size_t hp_batch_elements(const hp_batch *batch);

/** Takes the first chunks out. */
void hp_batch_drop_chunks(hp_batch *batch, size_t count);

#endif
