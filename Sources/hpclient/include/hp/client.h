/*
 * hpclient: the C library of hpd. This header includes all the others.
 *
 * This file itself is the blocking layer: calls that wait, with timeouts.
 *
 *   hp_client *client = hp_client_new(NULL);
 *   if (client && hp_client_connect(client, NULL)) {
 *     hp_reply *reply = hp_run_list_rows(client, NULL, hp_table_named("items"), NULL);
 *     if (reply) …hp_reply_rows(reply)…
 *     hp_reply_free(reply);
 *   }
 *   if (client && hp_client_error(client)->kind) puts(hp_client_error(client)->message);
 *   hp_client_free(client);
 *
 * Errors stick: once a call failed, every later one fails at once with the same error, until
 * hp_client_clear_error. So a run of calls needs one look at the end.
 */
#ifndef HP_CLIENT_H
#define HP_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hp/async.h"
#include "hp/batch.h"
#include "hp/compiler.h"
#include "hp/copy.h"
#include "hp/editing.h"
#include "hp/error.h"
#include "hp/event.h"
#include "hp/reply.h"
#include "hp/request.h"
#include "hp/scene.h"
#include "hp/scene_copy.h"
#include "hp/steps.h"
#include "hp/table.h"
#include "hp/transition.h"
#include "hp/value.h"
#include "hp/version.h"
#include "hp/view.h"

HP_BEGIN_DECLS

/** Milliseconds that a call waits for its reply, unless set. */
#define HP_REPLY_TIMEOUT 30000
/** Bytes of events that may wait to be taken, unless set. */
#define HP_EVENT_QUEUE_LIMIT (16u * 1024u * 1024u)

typedef struct hp_client hp_client;

/** Makes a client that is not connected. `options` may be NULL. Returns NULL when memory runs
 * out. Free it with hp_client_free. */
HP_API HP_CHECK hp_client *hp_client_new(const hp_async_options *options);

/** Closes and frees a client with its waiting events. NULL is allowed. */
HP_API void hp_client_free(hp_client *client);

/** Milliseconds each later call may wait for its reply; 0: HP_REPLY_TIMEOUT, negative: for ever. */
HP_API void hp_client_set_timeout(hp_client *client, int milliseconds);

/** Bytes of events that may wait to be taken; 0: HP_EVENT_QUEUE_LIMIT. Beyond it a call that
 * waits for a reply fails with HP_ERROR_EVENTS_WAITING; nothing is lost, and hp_client_receive can
 * be called for that reply once events were taken. */
HP_API void hp_client_set_event_limit(hp_client *client, size_t bytes);

/**
 * Connects to the socket at `path` (NULL: found by hp_socket_path) and waits for the server's
 * hello, at most the options' connect_timeout. Once for each client.
 *
 * Errors: HP_ERROR_SOCKET_PATH, HP_ERROR_CONNECT, HP_ERROR_TIMEOUT, HP_ERROR_GOODBYE, …
 */
HP_API bool hp_client_connect(hp_client *client, const char *path);

/** Like hp_client_connect, over a connected stream socket, which the client then closes. */
HP_API bool hp_client_adopt(hp_client *client, int fd);

/** Called while a batch that does not fit one frame is sent: the server has `taken` of `total`
 * bytes. It must not use the client. */
typedef void (*hp_progress)(uint64_t taken, uint64_t total, void *context);

/** Has `progress` called from calls that wait; NULL: no more. A call's time begins anew with each
 * part that the server has taken. */
HP_API void hp_client_set_progress(hp_client *client, hp_progress progress, void *context);

/** What the server's hello said, or NULL. Lives as long as the client. */
HP_API HP_PURE const hp_hello *hp_client_hello(const hp_client *client);

/** The error that sticks, never NULL (kind HP_ERROR_NONE: none). */
HP_API HP_PURE const hp_error *hp_client_error(const hp_client *client);

/** All that the server said with HP_ERROR_SERVER, else NULL. Lives until the error is cleared. */
HP_API HP_PURE const hp_server_error *hp_client_server_error(const hp_client *client);

/** Why the server ended the connection, or NULL. Lives as long as the client. */
HP_API HP_PURE const hp_goodbye *hp_client_goodbye(const hp_client *client);

/** Forgets the error. Returns false when the connection is over: that error stays. */
HP_API bool hp_client_clear_error(hp_client *client);

/** The connection underneath, for hp_send_… functions and polling; it belongs to the client. Only
 * the client's own calls may process it. */
HP_API HP_PURE hp_async *hp_client_async(hp_client *client);

/**
 * Waits for the reply to a request sent with an hp_send_… function on hp_client_async.
 *
 * Returns the reply (free it) or NULL. Id 0 (the send failed) takes over the send's error. A
 * refusal is NULL with HP_ERROR_SERVER. Replies to ids that are asked for later are kept; a reply
 * that nobody asks for is freed with the client.
 */
HP_API HP_CHECK hp_reply *hp_client_receive(hp_client *client, uint64_t request);

/** Waits until everything sent was given to the kernel. */
HP_API bool hp_client_flush(hp_client *client);

/** Gives the kernel what it takes, takes what has come, and waits only while more than `bytes` are
 * left to be sent: between the parts of a batch that is sent while it is built. */
HP_API bool hp_client_flush_to(hp_client *client, size_t bytes);

/**
 * The next event, waiting at most `milliseconds` (0: only what is there; negative: for ever).
 *
 * Returns an event (free it with hp_event_free), or NULL: with HP_ERROR_NONE when the time ran out,
 * else with the error that sticks. Events that came before an error are handed out first. When the
 * server says goodbye this comes as the last event.
 */
HP_API HP_CHECK hp_event *hp_wait_event(hp_client *client, int milliseconds);

/* Each hp_run_… sends its request and waits for the reply: see hp_send_… of the same name for
 * what it asks and how it is answered. They return the reply (free it) or NULL with
 * hp_client_error set. After HP_ERROR_TIMEOUT a change may have happened all the same; its reply,
 * when it still comes, is thrown away. */

HP_API hp_reply *hp_run_ping(hp_client *client, const hp_envelope *envelope, const void *payload,
                             size_t size);
HP_API hp_reply *hp_run_info(hp_client *client, const hp_envelope *envelope);
HP_API hp_reply *hp_run_list_tables(hp_client *client, const hp_envelope *envelope);
HP_API hp_reply *hp_run_describe_table(hp_client *client, const hp_envelope *envelope,
                                       hp_table_ref table);
HP_API hp_reply *hp_run_get_rows(hp_client *client, const hp_envelope *envelope,
                                 hp_table_ref table, const uint64_t *ids, size_t count);
HP_API hp_reply *hp_run_list_rows(hp_client *client, const hp_envelope *envelope,
                                  hp_table_ref table, const hp_list_options *options);
HP_API hp_reply *hp_run_locate_row(hp_client *client, const hp_envelope *envelope,
                                   hp_table_ref table, uint64_t row);
HP_API hp_reply *hp_run_count_rows(hp_client *client, const hp_envelope *envelope,
                                   hp_table_ref table, hp_section_ref section,
                                   const hp_filter *filter);
HP_API hp_reply *hp_run_find_rows(hp_client *client, const hp_envelope *envelope,
                                  hp_table_ref table, const hp_find_options *options);
HP_API hp_reply *hp_run_sum_column(hp_client *client, const hp_envelope *envelope,
                                   hp_table_ref table, const char *column,
                                   const hp_filter *filter);
HP_API hp_reply *hp_run_batch(hp_client *client, const hp_envelope *envelope,
                              const hp_batch *batch);
HP_API hp_reply *hp_run_new_item(hp_client *client, const hp_envelope *envelope,
                                 hp_table_ref table, hp_place at, hp_basis basis, bool dry_run);
HP_API hp_reply *hp_run_transfer_rows(hp_client *client, const hp_envelope *envelope,
                                      const hp_transfer *transfer);
HP_API hp_reply *hp_run_create_table(hp_client *client, const hp_envelope *envelope,
                                     const char *name, const hp_column *columns,
                                     size_t column_count, const char *const *sections,
                                     size_t section_count);
HP_API hp_reply *hp_run_rename_table(hp_client *client, const hp_envelope *envelope,
                                     hp_table_ref table, const char *name);
HP_API hp_reply *hp_run_drop_table(hp_client *client, const hp_envelope *envelope,
                                   hp_table_ref table);
HP_API hp_reply *hp_run_undo(hp_client *client, const hp_envelope *envelope,
                             const hp_step_options *options);
HP_API hp_reply *hp_run_redo(hp_client *client, const hp_envelope *envelope,
                             const hp_step_options *options);
HP_API hp_reply *hp_run_restore_row(hp_client *client, const hp_envelope *envelope,
                                    hp_table_ref table, uint64_t row, bool dry_run);
HP_API hp_reply *hp_run_history(hp_client *client, const hp_envelope *envelope,
                                const hp_history_options *options);
HP_API hp_reply *hp_run_row_history(hp_client *client, const hp_envelope *envelope,
                                    hp_table_ref table, uint64_t row, uint64_t before,
                                    uint64_t limit);
HP_API hp_reply *hp_run_subscribe(hp_client *client, const hp_envelope *envelope,
                                  const hp_subscribe_options *options);
HP_API hp_reply *hp_run_unsubscribe(hp_client *client, const hp_envelope *envelope,
                                    uint64_t subscription);
HP_API hp_reply *hp_run_barrier(hp_client *client, const hp_envelope *envelope,
                                uint64_t subscription, uint64_t token, bool sql);
HP_API hp_reply *hp_run_list_clients(hp_client *client, const hp_envelope *envelope);
HP_API hp_reply *hp_run_kill_client(hp_client *client, const hp_envelope *envelope,
                                    uint64_t id);
HP_API hp_reply *hp_run_set_log_level(hp_client *client, const hp_envelope *envelope,
                                      const char *level);
HP_API hp_reply *hp_run_encoded(hp_client *client, const hp_envelope *envelope, uint32_t number,
                                const void *body, size_t size);

HP_END_DECLS

#endif
