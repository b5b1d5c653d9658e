/* A stack of its own for work that is carried on in turns. One thread; nothing runs at once. */
#ifndef HP_FIBER_H
#define HP_FIBER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct hp_fiber hp_fiber;

/** Makes a stack of `size` bytes, with a guard page below it, on which `body` will run. NULL when
 * memory runs out. */
hp_fiber *hp_fiber_new(size_t size, void (*body)(void *context), void *context);
/** Runs the body until it pauses or returns. Returns whether it paused. */
bool hp_fiber_resume(hp_fiber *fiber);
/** Called on the fiber's stack: goes back to who resumed it. */
void hp_fiber_pause(hp_fiber *fiber);
/** Frees a fiber whose body has returned, or was never begun. */
void hp_fiber_free(hp_fiber *fiber);

#endif
