/* The batch builder, shared by its files. Not installed. */
#ifndef HP_BUILDER_H
#define HP_BUILDER_H

#include "internal.h"

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
  hp_buffer section_counts; /* the packed field, or the one that says there are none */
  hp_error error;
};

/* Field numbers of hp.v1.Batch and hp.v1.Operation. */
enum { BATCH_CONDITIONS = 4, BATCH_OPERATIONS = 5, BATCH_COUNTS = 6, BATCH_NO_SECTIONS = 8, OPERATION_CONDITIONS = 16 };

/** Ends an addition to `writer`'s buffer: keeps it, or takes it back to `before` bytes and breaks
 * the builder. */
bool hp_batch_settle(hp_batch *batch, const hp_writer *writer, size_t before);

#endif
