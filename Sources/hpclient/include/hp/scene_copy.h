/*
 * A copy of a scene, kept exact by folding the events of a subscription with `scene`.
 *
 * A copy does no input or output: hand it each event of one subscription with hp_scene_copy_take.
 * Every begin of a subscription, a resumed one too, brings the whole state once it is live; then each
 * change comes as it is made. Most programs let an hp_table with `scene` (hp/table.h) do that, which
 * also connects, resumes and starts anew after a gap, and keeps the table's rows in the same order.
 *
 *   hp_gap gap = hp_scene_copy_take(copy, event);
 *   if (gap != HP_GAP_NONE) …subscribe anew; the copy goes on with the next state…
 *   const hp_scene_state *scene = hp_scene_copy_state(copy);
 */
#ifndef HP_SCENE_COPY_H
#define HP_SCENE_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hp/async.h"
#include "hp/compiler.h"
#include "hp/copy.h"
#include "hp/event.h"
#include "hp/scene.h"

HP_BEGIN_DECLS

typedef struct hp_scene_copy hp_scene_copy;

/** Makes an empty copy. `allocator` is copied; NULL: malloc and free. Returns NULL when memory runs
 * out. Free it with hp_scene_copy_free. */
HP_API HP_CHECK hp_scene_copy *hp_scene_copy_new(const hp_allocator *allocator);

/** NULL is allowed. */
HP_API void hp_scene_copy_free(hp_scene_copy *copy);

/**
 * Folds one event; those of other kinds than HP_EVENT_SCENE and HP_EVENT_ENDED are left alone, and
 * so is what comes before the first state. The event need not live longer than the call.
 *
 * Returns why the copy can't go on, or HP_GAP_NONE. After a gap it stays as it was, whole, and takes
 * nothing but a state (HP_SCENE_EVENT_STATE). HP_GAP_SCENE_REMOVED: there is no such scene any more.
 * HP_GAP_CONTENT: the event does not fit the copy; hp_scene_copy_reason says why. An event costs
 * O(n) in what it changes, and now and then in the size of the scene.
 */
HP_API HP_CHECK hp_gap hp_scene_copy_take(hp_scene_copy *copy, const hp_event *event);

/** The scene as it was told last, or NULL before the first state. It belongs to the copy, until the
 * next event that it takes. `sequence` is the last event's. */
HP_API HP_PURE const hp_scene_state *hp_scene_copy_state(const hp_scene_copy *copy);

/** Whether the copy is what the server says: false before the first state and after a gap. */
HP_API HP_PURE bool hp_scene_copy_is_whole(const hp_scene_copy *copy);

/** The server process that the state came from, as each event tells it. */
HP_API HP_PURE uint64_t hp_scene_copy_start(const hp_scene_copy *copy);

/** What did not fit in words, or "". Static. */
HP_API HP_PURE const char *hp_scene_copy_reason(const hp_scene_copy *copy);

HP_END_DECLS

#endif
