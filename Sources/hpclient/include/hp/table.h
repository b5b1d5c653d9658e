/*
 * The live table: a copy of a table that keeps itself exact.
 *
 * It connects, subscribes, folds every event into its hp_copy (hp/copy.h), and after a lost
 * connection connects again by itself, with growing pauses, and goes on from its cursor: nothing is
 * missed and nothing comes twice. Where that can't be done it takes a fresh snapshot and tells of the
 * gap. While there is no connection the copy can be read as it was last.
 *
 *   hp_table_options options = {.table = hp_table_named("items")};
 *   hp_table *table = hp_table_new(&options, NULL, NULL);
 *   if (table && hp_table_connect(table, NULL) && hp_table_wait(table, 0, 5000)) {
 *     const hp_row *row = hp_copy_row_at(hp_table_copy(table), hp_path_make(0, 0));
 *     …
 *   }
 *   hp_table_free(table);
 *
 * In an event loop: poll hp_table_fd for hp_table_events, at most hp_table_timeout milliseconds, then
 * call hp_table_process; or let hp_table_poll, hp_table_wait and the others below do so.
 *
 * Callbacks may call any function of the table but those that wait; hp_table_free takes effect when
 * the call returns that they came from. A table is used by one thread at a time.
 */
#ifndef HP_TABLE_H
#define HP_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hp/async.h"
#include "hp/compiler.h"
#include "hp/copy.h"
#include "hp/editing.h"
#include "hp/error.h"
#include "hp/event.h"
#include "hp/reply.h"
#include "hp/request.h"
#include "hp/scene_copy.h"
#include "hp/value.h"

HP_BEGIN_DECLS

/** Milliseconds before connecting again: the first pause, and the longest; unless set. */
#define HP_RETRY_FIRST 20
#define HP_RETRY_MAX 2000

typedef struct hp_table hp_table;

typedef enum hp_phase {
  HP_PHASE_NEW = 0,         /**< hp_table_connect was not called yet */
  HP_PHASE_CONNECTING = 1,  /**< until the server's hello and its answer to the subscription */
  HP_PHASE_CATCHING_UP = 2, /**< a snapshot or what was missed is coming */
  HP_PHASE_LIVE = 3,        /**< every change comes as it is made */
  HP_PHASE_WAITING = 4,     /**< a pause before the next try; hp_table_error says why */
  HP_PHASE_ENDED = 5        /**< for good; hp_table_error and hp_table_gap say why */
} hp_phase;

/** Stable name such as "catching_up", or "unknown". Static. */
HP_API const char *hp_phase_name(hp_phase phase);

/** What is called from hp_table_process. Each may be NULL; all get the same context. */
typedef struct hp_table_callbacks {
  /** Of the copy. */
  hp_copy_callbacks copy;
  /** The table is in another phase. */
  void (*phase)(hp_table *table, hp_phase phase, void *context);
  /** The copy can't go on from its cursor: a fresh snapshot will come, and then `reset`, unless the
   * table ended (HP_GAP_REVOKED, HP_GAP_UNSUPPORTED, HP_GAP_TABLE_DROPPED, HP_GAP_SCENE_REMOVED).
   * Not called for the first snapshot.
   *
   * HP_GAP_WINDOW: after a lost connection the window can't be opened where it stood, since its row
   * or its section is gone, or the table ends before it. What the copy holds can still be read, and
   * hp_table_move_window, called from here, lets the table go on elsewhere; else it ends, with
   * HP_CODE_NO_SUCH_ROW, HP_CODE_NO_SUCH_SECTION or HP_CODE_OUT_OF_RANGE in hp_table_error. */
  void (*gap)(hp_table *table, hp_gap gap, void *context);
  /** The answer to a request that the program sent on hp_table_async; it belongs to the callback:
   * hp_reply_free. */
  void (*reply)(hp_table *table, hp_reply *reply, void *context);
  /** An event that the copy has no part in: of another subscription of the program's own on
   * hp_table_async, a barrier of its own, a step of live state (HP_EVENT_EDITING), one of the scene
   * (HP_EVENT_SCENE), or one of a kind that this library has no structs for.
   * Changes come in parts here. Valid until the callback returns, unless hp_event_take keeps it. */
  void (*event)(hp_table *table, const hp_event *event, void *context);
} hp_table_callbacks;

/** What to keep. All of it is copied. */
typedef struct hp_table_options {
  hp_table_ref table;
  const hp_async_options *connection; /**< NULL: all zero. `separate_parts` is always on. */
  /* View filters (contract F1). */
  const uint64_t *sections; /**< ids; none: all */
  size_t section_count;
  const char *const *columns; /**< none: all */
  size_t column_count;
  const hp_window *window; /**< NULL: all of the table; else see hp_copy_window */
  bool live_state; /**< editing state as well, in one order with the changes (hp/editing.h); of a
                    * window that of the table itself and of the rows inside */
  const char *scene; /**< NULL, or a scene as well, in the same order: hp_table_scene */
  bool once;       /**< end with the connection instead of connecting again */
  int retry_first; /**< milliseconds; 0: HP_RETRY_FIRST */
  int retry_max;   /**< milliseconds; 0: HP_RETRY_MAX */
} hp_table_options;

/**
 * Makes a table that is not connected. `callbacks` (may be NULL) is copied, `context` handed to each
 * of them.
 *
 * Returns NULL when memory runs out. Free it with hp_table_free.
 */
HP_API HP_CHECK hp_table *hp_table_new(const hp_table_options *options,
                                       const hp_table_callbacks *callbacks, void *context);

/** Closes and frees without calling back. NULL is allowed. */
HP_API void hp_table_free(hp_table *table);

/**
 * Begins to connect to the socket at `path` (NULL: found anew by hp_socket_path at each try). Once
 * for each table.
 *
 * Returns false when the table ended at once, see hp_table_error: with `once` where nobody answers,
 * else only where nothing can become of it.
 */
HP_API HP_CHECK bool hp_table_connect(hp_table *table, const char *path);

/** The descriptor to poll, or -1 while there is none. It changes: ask before each poll. */
HP_API HP_PURE int hp_table_fd(const hp_table *table);
/** The events to poll for: POLLIN, POLLOUT or both (0: none). */
HP_API HP_PURE short hp_table_events(const hp_table *table);
/** Milliseconds until hp_table_process has to be called in any case, or -1. */
HP_API int hp_table_timeout(const hp_table *table);
/** Does what is due. `revents` is what poll said (0 when its time ran out). Returns false when the
 * table has ended. */
HP_API bool hp_table_process(hp_table *table, short revents);

HP_API HP_PURE hp_phase hp_table_phase(const hp_table *table);
/** Why the connection was lost or the table ended, or why the last call that waited failed; never
 * NULL (kind HP_ERROR_NONE: nothing). Lives as long as the table. */
HP_API HP_PURE const hp_error *hp_table_error(const hp_table *table);
/** Why the copy was last begun anew, or HP_GAP_NONE. */
HP_API HP_PURE hp_gap hp_table_gap(const hp_table *table);

/** The copy, also while there is no connection. It belongs to the table and is there as long; it
 * must be handed no event. */
HP_API HP_PURE const hp_copy *hp_table_copy(const hp_table *table);

/** The live state of the table's editing, or NULL unless `live_state` is set: read it with
 * hp_editing_of. Each step of it comes to `event` once it was folded. */
HP_API HP_PURE const hp_editing *hp_table_editing(const hp_table *table);

/** The copy of the scene, also while there is no connection, or NULL unless `scene` is set. The table
 * is live once the scene's state has come as well. It belongs to the table; it must be handed no
 * event. Each event of it comes to `event` once it was folded. */
HP_API HP_PURE const hp_scene_copy *hp_table_scene(const hp_table *table);

/** The connection of the moment, for hp_send_… functions, or NULL: it belongs to the table and is
 * another one after each reconnection; requests without an answer have an unknown outcome then. Only
 * the table's own calls may process it. */
HP_API HP_PURE hp_async *hp_table_async(hp_table *table);

/** Lets a table with a window look elsewhere; rows that stay are not sent again. Also what a new
 * connection asks for from then on (a window does not resume, contract F2: its content is sent
 * anew, of the same table even if that was renamed, from the row on that it hangs on by then). False when the table has no window or the request can't be sent. */
HP_API HP_CHECK bool hp_table_move_window(hp_table *table, const hp_window *window);

/** Asks for a fresh snapshot. False when there is no subscription to replace. */
HP_API bool hp_table_resync(hp_table *table);

/* Calls that wait, for programs without an event loop. They process the table as well, so callbacks
 * are called. Milliseconds: negative waits for ever. Inside a callback they fail with
 * HP_ERROR_STATE. */

/** Polls and processes once. Returns false when the table has ended. */
HP_API bool hp_table_poll(hp_table *table, int milliseconds);

/** Waits until the copy has folded `revision` (0: until it is live). Returns false when the time ran
 * out (HP_ERROR_TIMEOUT) or the table ended. */
HP_API HP_CHECK bool hp_table_wait(hp_table *table, uint64_t revision, int milliseconds);

/** Waits until the copy has folded all that was committed when the server read this request (a
 * barrier, contract K8), over reconnections too. Returns false as hp_table_wait does. */
HP_API HP_CHECK bool hp_table_sync(hp_table *table, int milliseconds);

/** Waits for the answer to a request sent on hp_table_async, a refusal included (hp_reply_error).
 * Returns it (free it), or NULL: HP_ERROR_TIMEOUT, HP_ERROR_STATE for an id that waits for none, or
 * why the connection was lost; its outcome is unknown then. */
HP_API HP_CHECK hp_reply *hp_table_receive(hp_table *table, uint64_t request, int milliseconds);

HP_END_DECLS

#endif
