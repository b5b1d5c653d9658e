/*
 * A table of plain lists and random changes of it, each told as an event of the feed would tell it:
 * what a copy is held against. Written from Docs/protocol.md alone.
 */
#ifndef FEEDMODEL_H
#define FEEDMODEL_H

#include "test.h"

#define MODEL_ROWS 400
#define MODEL_SECTIONS 24
#define MODEL_LIST 1024

typedef struct model_row {
  uint64_t id;
  uint64_t revision;
  int64_t value; /* column 2; a multiple of 7 is null there. Column 1 is "n" and it */
} model_row;

typedef struct model_section {
  uint64_t id;
  unsigned title; /* "t" and it; 0: untitled */
  model_row rows[MODEL_ROWS];
  size_t count;
} model_section;

typedef struct model {
  uint32_t seed;
  uint64_t revision;
  uint64_t next_id;
  model_section *sections; /* MODEL_SECTIONS of them */
  size_t count;
} model;

/** One event with all that it points at; it is filled anew by each call. */
typedef struct model_event {
  hp_event event;
  hp_change change;
  hp_table_change table;
  hp_stage stages[3];
  hp_id_run delete_sections[MODEL_LIST], insert_sections[MODEL_LIST];
  hp_section_move move_sections[MODEL_LIST];
  hp_section_reload reload_sections[MODEL_LIST];
  hp_row_run deletes[MODEL_LIST], inserts[MODEL_LIST], contents[MODEL_LIST];
  hp_row_run new_contents[MODEL_LIST];
  hp_row_move moves[MODEL_LIST];
  hp_row_reload reloads[MODEL_LIST];
  uint64_t columns[MODEL_LIST];
  hp_section sections[MODEL_LIST];
  hp_row rows[MODEL_LIST];
  hp_cell cells[2 * MODEL_LIST];
  char texts[MODEL_LIST][24];
  hp_id_run deleted[MODEL_LIST];
  hp_table_info info;
  hp_column info_columns[2];
} model_event;

uint32_t model_random(model *model, uint32_t below);
void model_begin(model *model, uint32_t seed);
void model_end(model *model);
size_t model_row_count(const model *model);

/** The first part of a snapshot; `last` where there are no rows. */
void model_snapshot(const model *model, model_event *out);
/** The rows of a section, as part `part`. */
void model_rows(const model *model, size_t section, uint32_t part, bool last, model_event *out);
void model_live(const model *model, model_event *out);
/** Changes the model at random, and tells it as one revision. */
void model_change(model *model, model_event *out);
/** Feeds a whole snapshot and `live`. Returns the first gap. */
hp_gap model_feed(const model *model, model_event *scratch, hp_copy *copy);
/** Whether the copy holds what the model does, and is consistent in itself. */
bool model_equals(const model *model, const hp_copy *copy);
/** Whether places, ids and counts of the copy agree with each other. */
bool copy_is_consistent(const hp_copy *copy);

#endif
