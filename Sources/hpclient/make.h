/* Shared by the make_*.c files: public structs from protobuf ones. Not installed. */
#ifndef HP_MAKE_H
#define HP_MAKE_H

#include "internal.h"

#include "hp/v1/frame.pb-c.h"

/** Makes an array of `count` public structs, each by `make` from one message. The message
 * pointers are read through `void`, since protobuf-c's arrays are all of pointers. */
#define HP_MAKE_ARRAY(maker, type, make, messages, count)                            \
  ((const type *)hp_make_each((maker), (const void *const *)(messages), (count),     \
                              sizeof(type), (make)))

typedef void hp_make_one(hp_maker *maker, const void *message, void *made);

const void *hp_make_each(hp_maker *maker, const void *const *messages, size_t count, size_t size,
                         hp_make_one *make);
/** One struct, or NULL where there is no message. */
const void *hp_make_optional(hp_maker *maker, const void *message, size_t size, hp_make_one *make);
const uint64_t *hp_make_numbers(hp_maker *maker, const uint64_t *numbers, size_t count);
const char *const *hp_make_texts(hp_maker *maker, char *const *texts, size_t count);

hp_cursor hp_make_cursor(const Hp__V1__Cursor *cursor);
hp_path hp_make_path(const Hp__V1__Path *path);

hp_make_one hp_make_id_run;
hp_make_one hp_make_cell;
hp_make_one hp_make_row;
hp_make_one hp_make_placed_row;
hp_make_one hp_make_column;
hp_make_one hp_make_header_footer;
hp_make_one hp_make_sentinel;
hp_make_one hp_make_section;
hp_make_one hp_make_policy;
hp_make_one hp_make_row_policy;
hp_make_one hp_make_table;
hp_make_one hp_make_change;
void hp_make_counts(const Hp__V1__Counts *from, hp_counts *counts);
hp_make_one hp_make_window;

/* make_editing.c */
hp_make_one hp_make_leases;
hp_make_one hp_make_editing_result;
hp_make_one hp_make_editing_state;
hp_make_one hp_make_policies;
hp_make_one hp_make_live_event;
hp_make_one hp_make_holder;

/* make_scene.c */
hp_make_one hp_make_scene_result;
hp_make_one hp_make_scene_event;

/* make_steps.c */
hp_make_one hp_make_history;

/* make_view.c */
hp_make_one hp_make_view_node;
hp_make_one hp_make_nib;
hp_make_one hp_make_header_shown;

/** Stages of one table; those of one kind are parts of one stage and become one. */
const hp_stage *hp_make_stages(hp_maker *maker, Hp__V1__Stage *const *stages, size_t count,
                               size_t *made_count);

#endif
