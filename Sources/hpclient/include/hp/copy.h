/*
 * A copy of a table, kept exact by folding the events of a subscription (contracts K1, K2, E10).
 *
 * A copy does no input or output: hand it each event of one subscription with hp_copy_take. Most
 * programs let an hp_table (hp/table.h) do that, which also connects, resumes and starts anew after
 * a gap; what is here reads the copy of either.
 *
 *   hp_gap gap = hp_copy_take(copy, event);
 *   if (gap != HP_GAP_NONE) …subscribe anew; the copy goes on with the next snapshot…
 *
 * Structs and texts read from a copy live until the next call that takes an event or reads a row or
 * a section of that copy, unless more is said. Reading a row by its id or its path costs O(log n) in
 * the number of rows, an event O(k log n) in the number of its operations; a million rows of four
 * cells take less than 100 bytes each.
 */
#ifndef HP_COPY_H
#define HP_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hp/async.h"
#include "hp/compiler.h"
#include "hp/event.h"
#include "hp/reply.h"
#include "hp/value.h"

HP_BEGIN_DECLS

/** Why a copy can't go on from where it is. */
typedef enum hp_gap {
  HP_GAP_NONE = 0,
  HP_GAP_ASKED = 1,         /**< the program asked for a fresh start */
  HP_GAP_EPOCH = 2,         /**< the store is another one, or was restored */
  HP_GAP_FUTURE = 3,        /**< the store has not come as far as the copy */
  HP_GAP_COMPACTED = 4,     /**< history does not reach back that far */
  HP_GAP_OTHER_FILTER = 5,  /**< the filter is another one now */
  HP_GAP_EXPIRED = 6,       /**< the snapshot could not be kept until it was read */
  HP_GAP_TOO_SLOW = 7,      /**< too much waited unread */
  HP_GAP_REVOKED = 8,       /**< the table may not be read any more */
  HP_GAP_UNSUPPORTED = 9,   /**< a revision needs what this library can't fold */
  HP_GAP_TABLE_DROPPED = 10, /**< there is no such table any more */
  HP_GAP_ORDER = 11,        /**< an event does not begin where the copy stands (contract K1) */
  HP_GAP_CONTENT = 12,      /**< an event does not fit the copy: one of the two is wrong */
  HP_GAP_MEMORY = 13,       /**< an allocation failed */
  HP_GAP_SCENE_REMOVED = 14, /**< there is no such scene any more */
  HP_GAP_WINDOW = 15        /**< the row, section or position of the window is gone, see hp_table_callbacks */
} hp_gap;

/** Stable name such as "compacted", or "unknown". Static. */
HP_API const char *hp_gap_name(hp_gap gap);

typedef struct hp_copy hp_copy;

/** One revision, as far as it concerns the table. Valid during the callback only. */
typedef struct hp_update {
  uint64_t from; /**< the copy's revision before it */
  uint64_t revision;
  int64_t time; /**< microseconds since 1970; only to be shown */
  uint64_t uid;
  const char *actor;
  uint64_t client;
  uint64_t request;
  uint64_t undoes;
  uint64_t redoes;
  const char *cause;  /**< what the user did, such as "commit_delete", or NULL */
  uint64_t cause_row; /**< whose control it was, or 0 */
  hp_table_event event;
  bool columns_changed;
  bool headers_changed;
  bool policy_changed;
  const hp_stage *stages; /**< those that are not empty, in the order to apply */
  size_t stage_count;
  const uint64_t *rows;   /**< ids of rows that are new or have new cells */
  size_t row_count;
  const uint64_t *sections; /**< ids of sections that are new or have another record */
  size_t section_count;
  const hp_row_policy *row_policies; /**< of rows whose own policy changed */
  size_t row_policy_count;
  const hp_id_run *deleted; /**< ids of rows that are gone */
  size_t deleted_count;
} hp_update;

/**
 * What is called from hp_copy_take, in the form of UIKit's batch updates. Each may be NULL. They may
 * read the copy but hand it no event.
 *
 * For a revision that concerns the table: will_change, then each stage, then did_change. After
 * will_change there may come a reset instead, when an event does not fit or memory runs out.
 */
typedef struct hp_copy_callbacks {
  /** The content is another one altogether: a whole snapshot was taken over, or (then
   * hp_copy_is_whole is false) a revision could not be folded and the copy is empty. */
  void (*reset)(const hp_copy *copy, void *context);
  /** Everything can still be read as it was. */
  void (*will_change)(const hp_copy *copy, const hp_update *update, void *context);
  /** A stage was applied: deletes and first ends of moves count in the copy before this stage,
   * inserts and second ends in the copy as it can be read now. Rows have their new cells. Stages
   * HP_STAGE_MAIN and HP_STAGE_MOVED can each be given to a view as one batch update; the rows that
   * inserted sections bring are `contents`, not inserts. */
  void (*stage)(const hp_copy *copy, const hp_update *update, const hp_stage *stage,
                void *context);
  /** All of the revision was applied. */
  void (*did_change)(const hp_copy *copy, const hp_update *update, void *context);
  /** The snapshot and what came after it, or all of what was missed, has been folded. */
  void (*live)(const hp_copy *copy, void *context);
} hp_copy_callbacks;

/**
 * Makes an empty copy.
 *
 * `table` is the id of the table to keep of a subscription to several; 0: the first one of the
 * snapshot. `callbacks` (may be NULL) and `allocator` (NULL: malloc and free) are copied.
 *
 * Returns NULL when memory runs out. Free it with hp_copy_free, but not inside a callback.
 */
HP_API HP_CHECK hp_copy *hp_copy_new(uint64_t table, const hp_copy_callbacks *callbacks,
                                     void *context, const hp_allocator *allocator);

/** NULL is allowed. */
HP_API void hp_copy_free(hp_copy *copy);

/**
 * Folds the next event of the subscription that feeds the copy.
 *
 * Returns HP_GAP_NONE, or why the copy can't go on; it then takes nothing but the first part of a
 * snapshot. What it holds stays as it was, unless the fold itself failed: then it is empty. Events
 * of no concern (barriers, live state) change nothing.
 */
HP_API HP_CHECK hp_gap hp_copy_take(hp_copy *copy, const hp_event *event);

/** Says that another subscription feeds the copy from now on: one that goes on after the copy's
 * cursor, or one that begins with a snapshot. Parts of an unfinished revision or snapshot are
 * forgotten. `subscribed` is the answer to it; of a first subscription it may be left out unless
 * that is to some sections only, whose order the copy then makes up: as they came. */
HP_API void hp_copy_resume(hp_copy *copy, const hp_subscribed *subscribed);

/** What did not fit, for people, after HP_GAP_ORDER or HP_GAP_CONTENT; else "". Static. */
HP_API HP_PURE const char *hp_copy_reason(const hp_copy *copy);

/** Where a window stands (contract F3). */
typedef struct hp_window_place {
  uint64_t generation; /**< how often it was moved */
  uint64_t first;      /**< position of its first row: in its section or the table */
  uint64_t before;     /**< rows before the window */
  uint64_t after;      /**< and behind it */
  uint64_t anchor;     /**< the row that it hangs on, or 0 */
  const hp_section *sections; /**< those that have rows in it */
  size_t section_count;
} hp_window_place;

/** Of a subscription with a window: where it stands (in `will_change` already after the change), else
 * NULL. Its rows are the rows of one section, 0, of the copy; `section` of a row read is the id of
 * the one that it stands in. The copy's table has an id and columns, but no name. What a row inside
 * shows anew comes as a stage of reloads. Lives until the next event. */
HP_API HP_PURE const hp_window_place *hp_copy_window(const hp_copy *copy);

/** Whether it holds a table at a whole revision. */
HP_API HP_PURE bool hp_copy_is_whole(const hp_copy *copy);

/** Whether all that there was when the subscription began has been folded. */
HP_API HP_PURE bool hp_copy_is_live(const hp_copy *copy);

/** What it has folded; {0, 0} before the first snapshot is whole. */
HP_API HP_PURE hp_cursor hp_copy_cursor(const hp_copy *copy);

/** The table: name, columns, header, footer, policy, how many rows and sections; `sections` itself
 * is NULL. Never NULL itself; all zero while the copy is not whole. Lives until the next event. */
HP_API const hp_table_info *hp_copy_table(const hp_copy *copy);

HP_API HP_PURE size_t hp_copy_row_count(const hp_copy *copy);
HP_API HP_PURE size_t hp_copy_section_count(const hp_copy *copy);

/** The section at an index, with its count of rows, or NULL. */
HP_API const hp_section *hp_copy_section_at(const hp_copy *copy, uint64_t index);
/** The section of that id, or NULL. */
HP_API const hp_section *hp_copy_section(const hp_copy *copy, uint64_t id);

/** The row at an index path, `placed`, or NULL. */
HP_API const hp_row *hp_copy_row_at(const hp_copy *copy, hp_path path);
/** The row of that id, `placed`, or NULL. */
HP_API const hp_row *hp_copy_row(const hp_copy *copy, uint64_t id);

/** The id of the row at an index path, or 0. */
HP_API HP_PURE uint64_t hp_copy_id_at(const hp_copy *copy, hp_path path);
/** Where a row stands. False when it is not there. */
HP_API HP_CHECK bool hp_copy_locate(const hp_copy *copy, uint64_t id, hp_path *path);

/** The policy that a row has of its own, or NULL. Lives until the next event. */
HP_API HP_PURE const hp_policy *hp_copy_row_policy(const hp_copy *copy, uint64_t id);

/** One cell of a row, HP_NULL where it has no value. Its text lives until the next event. False when
 * there is no such row or column. */
HP_API HP_CHECK bool hp_copy_cell(const hp_copy *copy, uint64_t id, uint64_t column,
                                  hp_cell *cell);

/** Bytes that the copy holds. */
HP_API size_t hp_copy_memory(const hp_copy *copy);

HP_END_DECLS

#endif
