/*
 * Steps: undo, redo, what happened, and the return of removed rows.
 *
 * One request that changes something is one step of its actor, which is the user's id and the name
 * that the hello gave. Undo takes the newest step of the own actor back, or the one that is named;
 * it is refused with HP_CODE_CONFLICT, and the later steps that stand in the way in
 * hp_server_error's `conflicts`, where it would take somebody else's work back with it.
 */
#ifndef HP_STEPS_H
#define HP_STEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hp/async.h"
#include "hp/compiler.h"
#include "hp/event.h"
#include "hp/reply.h"
#include "hp/request.h"
#include "hp/value.h"

HP_BEGIN_DECLS

/** Which step. All zero: the newest one of the own actor in any table. */
typedef struct hp_step_options {
  hp_table_ref table;   /**< only steps of this table */
  uint64_t step;        /**< its revision; 0: the newest one */
  uint64_t expect_step; /**< refused with HP_CODE_STALE unless this is the one; 0: any */
  bool any;             /**< also steps of other actors */
  bool dry_run;         /**< judge and tell, change nothing */
} hp_step_options;

/** Takes a step back. NULL `options`: all zero. Answered by HP_REPLY_BATCH, whose `step` says which
 * one it was; HP_CODE_NOTHING_TO_UNDO where there is none. */
HP_API uint64_t hp_send_undo(hp_async *async, const hp_envelope *envelope,
                             const hp_step_options *options);
/** Makes a step again that was taken back. Answered like hp_send_undo; HP_CODE_NOTHING_TO_REDO. */
HP_API uint64_t hp_send_redo(hp_async *async, const hp_envelope *envelope,
                             const hp_step_options *options);
/** Brings a removed row back, under its id and to its old place, as a step. Answered by
 * HP_REPLY_BATCH; HP_CODE_ROW_EXISTS, HP_CODE_NO_SUCH_ROW, HP_CODE_COMPACTED. */
HP_API uint64_t hp_send_restore_row(hp_async *async, const hp_envelope *envelope,
                                    hp_table_ref table, uint64_t row, bool dry_run);

/** A page of history. All zero: the newest entries of all tables. */
typedef struct hp_history_options {
  hp_table_ref table;
  uint64_t before;   /**< only revisions before this one, as a page's `next`; 0: from the newest */
  uint64_t limit;    /**< entries; 0: as many as fit a page */
  const char *actor; /**< only this actor's; NULL: everybody's */
  bool has_uid;      /**< the actor's user is `uid`; else the own one */
  uint64_t uid;
} hp_history_options;

/** What happened, newest first. NULL `options`: all zero. Answered by HP_REPLY_HISTORY. */
HP_API uint64_t hp_send_history(hp_async *async, const hp_envelope *envelope,
                                const hp_history_options *options);
/** What happened to one row, which may be gone, newest first. `before` and `limit` as above.
 * Answered by HP_REPLY_HISTORY. */
HP_API uint64_t hp_send_row_history(hp_async *async, const hp_envelope *envelope,
                                    hp_table_ref table, uint64_t row, uint64_t before,
                                    uint64_t limit);

/** One revision. */
typedef struct hp_history_entry {
  uint64_t revision;
  int64_t time; /**< microseconds since 1970 */
  uint64_t uid;
  const char *actor; /**< never NULL */
  uint64_t table;
  hp_table_event event;
  uint64_t undoes;    /**< the step that it took back, or 0 */
  uint64_t redoes;    /**< the step that it made again, or 0 */
  uint64_t undone_by; /**< the revision that took it back, or 0: it stands */
  bool undoable;      /**< a step that stands and whose old values are kept */
  bool columns_changed;
  bool headers_changed;
  bool policy_changed; /**< of a row's history: the row's own */
  hp_counts counts;    /**< of a table's history */
  /* Of a row's history. */
  bool inserted;
  bool deleted;
  bool moved;
  const hp_cell *old_cells; /**< the cells that changed, by column id, as they were */
  size_t old_cell_count;
  const hp_cell *new_cells; /**< and as they became */
  size_t new_cell_count;
} hp_history_entry;

/** A page of history, newest first. */
typedef struct hp_history_page {
  const hp_history_entry *entries;
  size_t count;
  bool has_next;
  uint64_t next; /**< give it as `before` for the next page */
  hp_cursor cursor;
} hp_history_page;

/** The page of an HP_REPLY_HISTORY, else NULL. Lives as long as the reply. */
HP_API HP_PURE const hp_history_page *hp_reply_history(const hp_reply *reply);

HP_END_DECLS

#endif
