/*
 * Requests of the asynchronous core.
 *
 * Each function queues one request and returns its id (from 1, rising), or 0 with the reason in
 * hp_async_error: HP_ERROR_ARGUMENT, HP_ERROR_TOO_LARGE, HP_ERROR_FULL, HP_ERROR_MEMORY (nothing
 * was queued, the connection goes on) or HP_ERROR_STATE. Everything passed is read during the call
 * only. The reply comes to the reply callback, replies in the order of the requests (contract K8).
 */
#ifndef HP_REQUEST_H
#define HP_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hp/async.h"
#include "hp/batch.h"
#include "hp/compiler.h"
#include "hp/value.h"

HP_BEGIN_DECLS

/** What any request may carry (contract K5). All zero, or NULL for the whole: nothing. */
typedef struct hp_envelope {
  const char *key;     /**< idempotency key of a change */
  int64_t retry_until; /**< on the server's running clock; 0: not said */
  hp_cursor at_least;  /**< reads: answered at or after it */
  uint64_t lease;
  hp_cursor expect;    /**< changes and steps: the table is unchanged since (contract E1) */
  void *tag;           /**< not sent; hp_reply_tag gives it back */
} hp_envelope;

/** Answered by HP_REPLY_PONG. */
HP_API uint64_t hp_send_ping(hp_async *async, const hp_envelope *envelope, const void *payload,
                             size_t size);
/** Answered by HP_REPLY_INFO. */
HP_API uint64_t hp_send_info(hp_async *async, const hp_envelope *envelope);

/* Reads. */

/** Answered by HP_REPLY_TABLES. */
HP_API uint64_t hp_send_list_tables(hp_async *async, const hp_envelope *envelope);
/** Answered by HP_REPLY_TABLE: columns, sections and all. */
HP_API uint64_t hp_send_describe_table(hp_async *async, const hp_envelope *envelope,
                                       hp_table_ref table);
/** Answered by HP_REPLY_ROWS; ids that are not there are `missing`. */
HP_API uint64_t hp_send_get_rows(hp_async *async, const hp_envelope *envelope, hp_table_ref table,
                                 const uint64_t *ids, size_t count);

/** Which rows to list. All zero: the first page of the whole table. */
typedef struct hp_list_options {
  hp_section_ref section; /**< none: the whole table, by flat position */
  uint64_t first;
  uint64_t count;    /**< 0: as many as fit a page */
  uint64_t snapshot; /**< of the page before; 0: as it is now */
  const char *const *columns; /**< none: all */
  size_t column_count;
} hp_list_options;

/** Answered by HP_REPLY_ROWS. `options` may be NULL. */
HP_API uint64_t hp_send_list_rows(hp_async *async, const hp_envelope *envelope,
                                  hp_table_ref table, const hp_list_options *options);
/** Answered by HP_REPLY_LOCATION. */
HP_API uint64_t hp_send_locate_row(hp_async *async, const hp_envelope *envelope,
                                   hp_table_ref table, uint64_t row);
/** Answered by HP_REPLY_COUNT. `filter` may be NULL. */
HP_API uint64_t hp_send_count_rows(hp_async *async, const hp_envelope *envelope,
                                   hp_table_ref table, hp_section_ref section,
                                   const hp_filter *filter);

/** What to find. All zero: every row in its order. */
typedef struct hp_find_options {
  hp_section_ref section;  /**< none: the whole table */
  const hp_filter *filter; /**< NULL: every row */
  const hp_sort *sort;     /**< the most important first; none: the table's order */
  size_t sort_count;
  bool has_limit;
  uint64_t limit; /**< rows at most */
  uint64_t skip;  /**< rows left out in front */
  /* Of a further page; the rest of what was asked first is known to the server then. */
  uint64_t first;    /**< `next` of the page before */
  uint64_t snapshot; /**< of the page before; 0: this is the first one */
} hp_find_options;

/** Answered by HP_REPLY_ROWS. `options` may be NULL. */
HP_API uint64_t hp_send_find_rows(hp_async *async, const hp_envelope *envelope,
                                  hp_table_ref table, const hp_find_options *options);
/** Answered by HP_REPLY_SUM. `filter` may be NULL. */
HP_API uint64_t hp_send_sum_column(hp_async *async, const hp_envelope *envelope,
                                   hp_table_ref table, const char *column,
                                   const hp_filter *filter);

/* Changes. */

/** Answered by HP_REPLY_BATCH. `batch` is not consumed. */
HP_API uint64_t hp_send_batch(hp_async *async, const hp_envelope *envelope, const hp_batch *batch);

/*
 * A batch of many operations can be sent while it is built, so that the server works on what is
 * there already: begin, then after some operations part, then end. Nothing is applied before the
 * end; one that is given up, or whose connection ends, leaves nothing. Other requests may be made
 * meanwhile. The outcome is the reply to the request that begin returned: HP_REPLY_BATCH, or what
 * the server refused, which may come before the end.
 */

/** Begins to send a batch with the table, mode, basis, conditions, section counts and dry run that
 * it has now. `bytes`: about how many its operations will take, so that the server can refuse
 * them at once; 0: not known. Returns the request, or 0: nothing is sent then. */
HP_API uint64_t hp_send_batch_begin(hp_async *async, void *tag, const hp_batch *batch,
                                    uint64_t bytes);
/** Queues the operations that fill a part and takes them out of the batch, which may have few
 * more; hp_batch_count goes on counting them. False with HP_ERROR_STATE: the outcome is there
 * already; with HP_ERROR_FULL: too much waits to be sent, and what was not queued is still in the
 * batch. */
HP_API bool hp_send_batch_part(hp_async *async, uint64_t request, hp_batch *batch);
/** Queues what is left of the batch, and its end. Key, expectation and lease of the envelope are
 * the batch's. False as in hp_send_batch_part. */
HP_API bool hp_send_batch_end(hp_async *async, const hp_envelope *envelope, uint64_t request,
                              hp_batch *batch);
/** Gives it up: no reply comes. False: it has its outcome, or the connection cannot be used. */
HP_API bool hp_send_batch_abort(hp_async *async, uint64_t request);

/** A random item of the server's making. Answered by HP_REPLY_BATCH. */
HP_API uint64_t hp_send_new_item(hp_async *async, const hp_envelope *envelope, hp_table_ref table,
                                 hp_place at, hp_basis basis, bool dry_run);

/** Rows to be copied to a table, or moved to another one (contract E13). The envelope's `expect` is
 * about `from`. Columns are matched by name and kind; a value that can't be carried is refused. */
typedef struct hp_transfer {
  hp_table_ref from;
  hp_table_ref to;
  const uint64_t *ids; /**< in the order in which they shall stand */
  size_t id_count;
  const hp_filter *filter; /**< instead of ids: in the order of `from`; NULL: ids */
  hp_place at;             /**< in `to`; none: last of its last section */
  hp_basis basis;          /**< what a path or an index in `at` means */
  bool remove;             /**< move: the rows leave `from` and keep their ids */
  bool dry_run;
  hp_cursor expect_to; /**< `to` has not changed since; all zero: it may */
  bool has_matched;
  uint64_t matched;           /**< how many rows have to be taken */
  const char *const *without; /**< columns of `from` whose values are left behind */
  size_t without_count;
} hp_transfer;

/** Answered by HP_REPLY_BATCH. `transfer` is not kept. */
HP_API uint64_t hp_send_transfer_rows(hp_async *async, const hp_envelope *envelope,
                                      const hp_transfer *transfer);
/** Without columns: those of an item. Answered by HP_REPLY_BATCH, HP_REPLY_TABLE or
 * HP_REPLY_DONE. */
HP_API uint64_t hp_send_create_table(hp_async *async, const hp_envelope *envelope, const char *name,
                                     const hp_column *columns, size_t column_count,
                                     const char *const *sections, size_t section_count);
/** Answered like hp_send_create_table. */
HP_API uint64_t hp_send_rename_table(hp_async *async, const hp_envelope *envelope,
                                     hp_table_ref table, const char *name);
/** Answered like hp_send_create_table. */
HP_API uint64_t hp_send_drop_table(hp_async *async, const hp_envelope *envelope,
                                   hp_table_ref table);

/* The feed. */

typedef enum hp_change_kind {
  HP_CHANGE_ANY = 0,
  HP_CHANGE_INSERT = 1,
  HP_CHANGE_DELETE = 2,
  HP_CHANGE_MOVE = 3,
  HP_CHANGE_UPDATE = 4,
  HP_CHANGE_SECTION = 5,
  HP_CHANGE_SCHEMA = 6
} hp_change_kind;

/** A run of rows to watch (contract F3): of one section or of the whole table. */
typedef struct hp_window {
  uint64_t row;      /**< the row it hangs on and begins with; 0: `position` */
  uint64_t position; /**< its first row, in the section or in the whole table */
  uint64_t section;  /**< id; 0: the whole table, with flat positions */
  uint64_t length;   /**< the most rows */
} hp_window;

/** What to subscribe to. All zero: every table, a snapshot first, then live. */
typedef struct hp_subscribe_options {
  hp_table_ref table;    /**< {0, NULL}: all tables */
  bool has_since;
  hp_cursor since;       /**< without: a snapshot first */
  uint64_t fingerprint;  /**< of the subscription that `since` was reached with; 0: no filter */
  bool snapshot_if_lost; /**< where `since` can't be served */
  bool only_live;        /**< no snapshot: from now on */
  bool old_rows;         /**< events carry the rows before the change */
  bool heartbeat;
  const char *scene; /**< the events of a scene as well, in the same order; or NULL */
  bool scene_only;   /**< no changes of tables, only the scene's events */
  bool live_state; /**< editing state too, in one order with the changes (hp/editing.h) */
  /* View filters: what remains can be folded (contract F1). */
  const hp_table_ref *tables;
  size_t table_count;
  const uint64_t *sections; /**< ids */
  size_t section_count;
  const char *const *columns;
  size_t column_count;
  const hp_window *window; /**< NULL: the whole table. Events are of kind HP_EVENT_WINDOW then */
  /* Notice filters: what remains can't be folded. */
  const uint64_t *notice_rows; /**< ids */
  size_t notice_row_count;
  const hp_change_kind *notice_kinds;
  size_t notice_kind_count;
} hp_subscribe_options;

/** Answered by HP_REPLY_SUBSCRIBED; the snapshot comes as events. `options` may be NULL. */
HP_API uint64_t hp_send_subscribe(hp_async *async, const hp_envelope *envelope,
                                  const hp_subscribe_options *options);
/** Moves the window of a subscription. Answered by HP_REPLY_DONE; the event has the next generation
 * and only the rows that were not there yet. */
HP_API uint64_t hp_send_move_window(hp_async *async, const hp_envelope *envelope,
                                    uint64_t subscription, const hp_window *window);
/** Answered by HP_REPLY_DONE; no event of it comes after the reply. */
HP_API uint64_t hp_send_unsubscribe(hp_async *async, const hp_envelope *envelope,
                                    uint64_t subscription);
/** Answered by HP_REPLY_DONE at once; HP_EVENT_BARRIER with `token` comes when all earlier changes
 * were delivered. `subscription` 0: all of this connection. `sql`: also readable by SQL. */
HP_API uint64_t hp_send_barrier(hp_async *async, const hp_envelope *envelope,
                                uint64_t subscription, uint64_t token, bool sql);

/* The daemon. */

/** Answered by HP_REPLY_CLIENTS. */
HP_API uint64_t hp_send_list_clients(hp_async *async, const hp_envelope *envelope);
/** Answered by HP_REPLY_DONE. */
HP_API uint64_t hp_send_kill_client(hp_async *async, const hp_envelope *envelope, uint64_t client);
/** Answered by HP_REPLY_DONE. */
HP_API uint64_t hp_send_set_log_level(hp_async *async, const hp_envelope *envelope,
                                      const char *level);

/** Any request of the schema: field `number` of hp.v1.ClientFrame with the encoded message
 * `body`. The reply may be of any kind; hp_reply_body gives what has no structs here. */
HP_API uint64_t hp_send_encoded(hp_async *async, const hp_envelope *envelope, uint32_t number,
                                const void *body, size_t size);

HP_END_DECLS

#endif
