/*
 * Replies: what the server answers to a request.
 *
 * A reply belongs to whoever got it and is freed with hp_reply_free; it may outlive the
 * connection. Everything read from it lives as long as the reply.
 */
#ifndef HP_REPLY_H
#define HP_REPLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hp/compiler.h"
#include "hp/error.h"
#include "hp/event.h"
#include "hp/value.h"

HP_BEGIN_DECLS

typedef struct hp_reply hp_reply;

/** The server's limits (first values of the promises; 0: not told). */
typedef struct hp_limits {
  uint64_t frame_up;
  uint64_t frame_down;
  uint64_t text;
  uint64_t depth;
  uint64_t elements;
  uint64_t row;
  uint64_t columns;
  uint64_t sections;
  uint64_t title;
  uint64_t key;
  uint64_t subscriptions;
  uint64_t requests_in_flight;
  uint64_t clients;
  uint64_t clients_per_uid;
  uint64_t output;
  uint64_t filter_nodes;
  uint64_t keys_per_uid;
  uint64_t history_revisions;
  uint64_t history_bytes;
  uint64_t history_seconds;
  uint64_t undo_steps;
  uint64_t undo_bytes;
  uint64_t undo_seconds;
  uint64_t key_seconds;
  uint64_t unmaterialised_operations;
  uint64_t unmaterialised_bytes;
  uint64_t request_seconds;
  uint64_t upload; /**< bytes of one upload; below: of a connection's, of a user's, of all */
  uint64_t upload_connection;
  uint64_t upload_uid;
  uint64_t upload_total;
  uint64_t upload_seconds;
} hp_limits;

typedef enum hp_durability {
  HP_DURABILITY_COMMIT = 0,
  HP_DURABILITY_INTERVAL = 1,
  HP_DURABILITY_NONE = 2
} hp_durability;

/** What the server said when the connection was made. */
typedef struct hp_hello {
  uint32_t version;
  const char *server; /**< name and version */
  uint64_t epoch;
  uint64_t revision;
  uint64_t oldest_revision;
  uint64_t client; /**< this connection's id, unique in the epoch */
  uint64_t uid;
  hp_limits limits;
  hp_durability durability;
  const char *const *features;
  size_t feature_count;
  const char *resume_token;
  int64_t running_clock;    /**< microseconds; what retry_until is held against */
  const char *last_goodbye; /**< why the connection of the resume token ended */
  uint64_t start;           /**< this run of the server */
} hp_hello;

typedef struct hp_counter {
  const char *name;
  int64_t value;
} hp_counter;

typedef struct hp_info {
  const char *server;
  uint64_t pid;
  const char *socket;
  const char *store;
  hp_cursor cursor;
  uint64_t oldest_revision;
  uint64_t materialised;
  uint64_t clients;
  uint64_t subscriptions;
  uint64_t memory; /**< resident bytes */
  uint64_t uptime; /**< seconds */
  hp_durability durability;
  hp_limits limits;
  const hp_table_info *tables; /**< without columns and sections */
  size_t table_count;
  const hp_counter *counters;
  size_t counter_count;
} hp_info;

typedef struct hp_table_list {
  const hp_table_info *tables;
  size_t count;
  hp_cursor cursor;
} hp_table_list;

/** A page of rows. */
typedef struct hp_row_page {
  hp_cursor cursor;
  const hp_row *rows;
  size_t count;
  bool has_next;
  uint64_t next; /**< where the next page begins */
  uint64_t last_changed;
  uint64_t snapshot;       /**< names the view a next page is read from; 0: none */
  const uint64_t *missing; /**< ids that are not there */
  size_t missing_count;
  uint64_t schema_revision;
} hp_row_page;

typedef struct hp_row_location {
  hp_path path;
  uint64_t section; /**< id */
  uint64_t position; /**< flat */
  hp_cursor cursor;
} hp_row_location;

typedef struct hp_row_count {
  uint64_t rows;
  hp_cursor cursor;
} hp_row_count;

/** The sum of a column, in its smallest unit. */
typedef struct hp_column_sum {
  int64_t sum;
  uint64_t rows;  /**< that have a value */
  uint64_t nulls; /**< that have none */
  hp_cursor cursor;
} hp_column_sum;

typedef struct hp_counts {
  uint64_t rows_inserted;
  uint64_t rows_deleted;
  uint64_t rows_moved;
  uint64_t rows_updated;
  uint64_t sections_inserted;
  uint64_t sections_deleted;
  uint64_t sections_moved;
  uint64_t sections_updated;
  uint64_t matched;
} hp_counts;

/** The outcome of a request that may change something. */
typedef struct hp_batch_result {
  hp_cursor cursor;
  bool unchanged;
  bool replayed; /**< the first outcome of this key */
  bool dry_run;
  bool truncated; /**< `inserted` and `stages` were cut at a page */
  bool undoable;
  hp_counts counts;
  const hp_id_run *inserted; /**< ids of new rows */
  size_t inserted_count;
  const hp_id_run *inserted_sections;
  size_t inserted_section_count;
  const hp_stage *stages;
  size_t stage_count;
  uint64_t table;
  uint64_t last_changed;
  /* Rows that were moved to `table` from another one: that table, 0 for none, and what happened
   * there. */
  uint64_t source;
  uint64_t source_last_changed;
  const hp_stage *source_stages;
  size_t source_stage_count;
  uint64_t step; /**< undo and redo: the revision of the step it was about */
} hp_batch_result;

typedef struct hp_subscribed {
  uint64_t subscription;
  hp_cursor from; /**< the snapshot's revision, or `since` */
  bool snapshot;
  uint64_t fingerprint; /**< of the filter; goes with a cursor that is resumed from */
  bool foldable;        /**< a copy can be kept by its events */
  bool paths_by_id;     /**< sections in changes are ids, not indices */
  uint64_t table;       /**< its id, where it is of one table; else 0 */
} hp_subscribed;

typedef struct hp_client_info {
  uint64_t client;
  uint64_t uid;
  uint64_t pid;
  const char *name;
  const char *actor;
  uint64_t subscriptions;
  uint64_t queued;    /**< bytes */
  uint64_t connected; /**< seconds */
} hp_client_info;

typedef struct hp_client_list {
  const hp_client_info *clients;
  size_t count;
} hp_client_list;

/** A ping's payload back. */
typedef struct hp_pong {
  const uint8_t *payload;
  size_t size;
} hp_pong;

typedef enum hp_reply_kind {
  HP_REPLY_OTHER = 0, /**< a result this library has no structs for: see hp_reply_body */
  HP_REPLY_ERROR = 1,
  HP_REPLY_DONE = 2,
  HP_REPLY_PONG = 3,
  HP_REPLY_INFO = 4,
  HP_REPLY_SUBSCRIBED = 5,
  HP_REPLY_BATCH = 6,
  HP_REPLY_TABLES = 7,
  HP_REPLY_TABLE = 8,
  HP_REPLY_ROWS = 9,
  HP_REPLY_LOCATION = 10,
  HP_REPLY_COUNT = 11,
  HP_REPLY_CLIENTS = 12,
  HP_REPLY_SUM = 13,
  HP_REPLY_HISTORY = 14, /**< hp/steps.h */
  /* hp/editing.h */
  HP_REPLY_LEASES = 20,
  HP_REPLY_EDITING = 21,
  HP_REPLY_EDITING_STATE = 22,
  HP_REPLY_POLICIES = 23,
  /* hp/view.h */
  HP_REPLY_NIB = 30,
  HP_REPLY_HEADER = 31,
  /* hp/scene.h */
  HP_REPLY_SCENE = 40
} hp_reply_kind;

HP_API HP_PURE hp_reply_kind hp_reply_kind_of(const hp_reply *reply);

/** Id of the request that this answers. */
HP_API HP_PURE uint64_t hp_reply_request(const hp_reply *reply);

/** The `tag` of the request's envelope, or NULL. */
HP_API HP_PURE void *hp_reply_tag(const hp_reply *reply);

/** The refusal, or NULL when the request was done. */
HP_API HP_PURE const hp_server_error *hp_reply_error(const hp_reply *reply);

/* One accessor for each kind: NULL when the reply is of another kind. */
HP_API HP_PURE const hp_pong *hp_reply_pong(const hp_reply *reply);
HP_API HP_PURE const hp_info *hp_reply_info(const hp_reply *reply);
HP_API HP_PURE const hp_subscribed *hp_reply_subscribed(const hp_reply *reply);
HP_API HP_PURE const hp_batch_result *hp_reply_batch(const hp_reply *reply);
HP_API HP_PURE const hp_table_list *hp_reply_tables(const hp_reply *reply);
HP_API HP_PURE const hp_table_info *hp_reply_table(const hp_reply *reply);
HP_API HP_PURE const hp_row_page *hp_reply_rows(const hp_reply *reply);
HP_API HP_PURE const hp_row_location *hp_reply_location(const hp_reply *reply);
HP_API HP_PURE const hp_row_count *hp_reply_count(const hp_reply *reply);
HP_API HP_PURE const hp_column_sum *hp_reply_sum(const hp_reply *reply);
HP_API HP_PURE const hp_client_list *hp_reply_clients(const hp_reply *reply);

/** The cursor of a done, batch, tables, rows, location, count, sum, history or info reply; else {0, 0}. */
HP_API HP_PURE hp_cursor hp_reply_cursor(const hp_reply *reply);

/** The encoded result of an HP_REPLY_OTHER and, in `number`, its field in hp.v1.Reply (0: one that
 * the schema of this library lacks). NULL for every other kind. `number` and `size` may be NULL. */
HP_API const uint8_t *hp_reply_body(const hp_reply *reply, uint32_t *number, size_t *size);

/** Frees a reply. NULL is allowed. */
HP_API void hp_reply_free(hp_reply *reply);

HP_END_DECLS

#endif
