/* Owned copies of what live state is made of. Not installed. */
#ifndef HP_EDITING_PARTS_H
#define HP_EDITING_PARTS_H

#include "internal.h"

#include "hp/editing.h"

/** Gives back memory that is held through a pointer to const. NULL is allowed. */
void hp_drop(const hp_allocator *allocator, const void *memory);

/* Each copies into `*to`, which need not be initialised; false when memory runs out, and `*to` is
 * to be thrown away then without a free. */
bool hp_copy_holder(const hp_allocator *allocator, hp_holder *to, const hp_holder *from);
bool hp_copy_swipe(const hp_allocator *allocator, hp_swipe_state *to, const hp_swipe_state *from);
bool hp_copy_drag(const hp_allocator *allocator, hp_drag_state *to, const hp_drag_state *from);
bool hp_copy_draft(const hp_allocator *allocator, hp_draft_state *to, const hp_draft_state *from);

void hp_clear_holder(const hp_allocator *allocator, const hp_holder *holder);
void hp_clear_swipe(const hp_allocator *allocator, const hp_swipe_state *swipe);
void hp_clear_drag(const hp_allocator *allocator, const hp_drag_state *drag);
void hp_clear_draft(const hp_allocator *allocator, const hp_draft_state *draft);

/** Row ids as runs, rising and never touching. */
typedef struct hp_runs {
  hp_id_run *runs;
  size_t count;
  size_t capacity;
} hp_runs;

void hp_runs_free(const hp_allocator *allocator, hp_runs *runs);
/** Adds ids; O(n). False when memory runs out or the run is none: `*runs` is as it was then. */
bool hp_runs_add(const hp_allocator *allocator, hp_runs *runs, hp_id_run run);
/** Takes ids away; likewise. */
bool hp_runs_remove(const hp_allocator *allocator, hp_runs *runs, hp_id_run run);

#endif
