/*
 * Events: what a subscription sends.
 *
 * An event passed to a callback is valid until the callback returns; hp_event_take keeps it.
 * An event got from hp_wait_event belongs to the caller. All that an event points at lives as
 * long as the event.
 */
#ifndef HP_EVENT_H
#define HP_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hp/compiler.h"
#include "hp/error.h"
#include "hp/value.h"

HP_BEGIN_DECLS

/** `count` rows from (section, row) on, with ids id, id + 1, … */
typedef struct hp_row_run {
  uint64_t section;
  uint64_t row;
  uint64_t count;
  uint64_t id;
  bool moved; /**< the other half of a move that is told as delete + insert */
  hp_animation animation;
} hp_row_run;

/** `count` neighbours that stay neighbours. */
typedef struct hp_row_move {
  hp_path from;
  hp_path to;
  uint64_t count;
  uint64_t id;
} hp_row_move;

typedef struct hp_row_reload {
  hp_path old_path;
  hp_path path;
  uint64_t id;
  const uint64_t *columns; /**< ids of the columns whose values changed */
  size_t column_count;
  hp_animation animation;
} hp_row_reload;

typedef struct hp_section_move {
  uint64_t from;
  uint64_t to;
} hp_section_move;

typedef struct hp_section_reload {
  uint64_t old_section;
  uint64_t section;
  bool with_rows;
  hp_animation animation;
} hp_section_reload;

/** How a section that comes or goes should be shown. */
typedef struct hp_section_animation {
  uint64_t section; /**< the index among the inserts or the deletes */
  bool inserted;
  hp_animation animation;
} hp_section_animation;

typedef enum hp_stage_kind {
  HP_STAGE_MAIN = 1,  /**< sections, and rows of sections that did not move */
  HP_STAGE_MOVED = 2, /**< rows with an end in a section that moved */
  HP_STAGE_RELOAD = 3 /**< reloads, old path to final path */
} hp_stage_kind;

/** Deletes and the first ends of moves count in the copy as the stage before left it; inserts
 * and second ends in the copy after this stage. Reloads: old table to final table. */
typedef struct hp_stage {
  hp_stage_kind kind;
  const hp_id_run *delete_sections; /**< runs of indices */
  size_t delete_section_count;
  const hp_id_run *insert_sections; /**< runs of indices */
  size_t insert_section_count;
  const hp_section_move *move_sections;
  size_t move_section_count;
  const hp_section_reload *reload_sections;
  size_t reload_section_count;
  const hp_row_run *deletes;
  size_t delete_count;
  const hp_row_run *inserts;
  size_t insert_count;
  const hp_row_move *moves;
  size_t move_count;
  const hp_row_reload *reloads;
  size_t reload_count;
  const hp_row_run *contents; /**< rows that inserted sections bring; not among the inserts */
  size_t content_count;
  const hp_section_animation *section_animations;
  size_t section_animation_count;
} hp_stage;

typedef enum hp_table_event {
  HP_TABLE_CHANGED = 0,
  HP_TABLE_CREATED = 1,
  HP_TABLE_RENAMED = 2,
  HP_TABLE_DROPPED = 3,
  HP_TABLE_RELOADED = 4
} hp_table_event;

/** One table's part of a revision. Columns stand before rows, stages in the order to apply. */
typedef struct hp_table_change {
  uint64_t table;
  uint64_t schema_revision;
  hp_table_event event;
  const char *name;            /**< created and renamed tables */
  bool columns_changed;
  const hp_column *columns;    /**< all of them, where the schema changed */
  size_t column_count;
  const hp_stage *stages;
  size_t stage_count;
  const hp_section *sections;  /**< new and changed ones */
  size_t section_count;
  const hp_row *rows;          /**< new and changed ones, after the change */
  size_t row_count;
  const hp_id_run *deleted;    /**< ids of rows that are gone */
  size_t deleted_count;
  bool headers_changed;        /**< `header` and `footer` are the table's new ones */
  const hp_header_footer *header;
  const hp_header_footer *footer;
  bool policy_changed;
  const hp_policy *policy;
  const hp_row_policy *row_policies; /**< of rows whose own policy changed */
  size_t row_policy_count;
} hp_table_change;

/** One revision, or, with separate parts, a part of one. It takes effect at its last part. */
typedef struct hp_change {
  uint64_t revision;
  int64_t time; /**< microseconds since 1970; only to be shown */
  uint64_t uid;
  const char *actor;
  uint64_t client;
  uint64_t request; /**< id of the request that caused it */
  uint64_t undoes;  /**< revision taken back, or 0 */
  uint64_t redoes;
  const char *cause;   /**< what the user did, such as "commit_delete", or NULL */
  uint64_t cause_row;  /**< whose control it was, or 0 */
  const hp_table_change *tables;
  size_t table_count;
  const hp_row *old_rows; /**< on request: rows before the change */
  size_t old_row_count;
} hp_change;

/** A row that comes into a window. */
typedef struct hp_window_row {
  uint64_t index;
  uint64_t section; /**< id of the section it stands in */
  uint64_t id;
} hp_window_row;

typedef struct hp_window_move {
  uint64_t from;
  uint64_t to;
  uint64_t section; /**< id of the section it stands in now; 0: not told */
} hp_window_move;

/** What a revision, or a moved window, did to a window (contract F3). Deletes and first ends of moves
 * count in the window before, the others in the window after; all else keeps its order. */
typedef struct hp_window_change {
  uint64_t generation; /**< how often the window was moved */
  uint64_t revision;
  uint64_t first;  /**< position of its first row: in its section or the table */
  uint64_t before; /**< rows of the section or table before the window */
  uint64_t after;  /**< and behind it */
  bool reset;      /**< this is all of it: what was there before is gone */
  uint64_t anchor; /**< the row that it hangs on now, or 0 */
  const uint64_t *deletes; /**< indices */
  size_t delete_count;
  const hp_window_row *inserts;
  size_t insert_count;
  const hp_window_move *moves;
  size_t move_count;
  const uint64_t *reloads; /**< indices after, of rows inside to be drawn again */
  size_t reload_count;
  const hp_row *rows; /**< that came in, and those inside with new cells */
  size_t row_count;
  const hp_section *sections; /**< all that have rows in the window; none: as they were */
  size_t section_count;
  uint64_t schema_revision;
  const hp_column *columns; /**< with `reset` */
  size_t column_count;
  uint64_t uid;
  const char *actor;
  uint64_t client;
  uint64_t request;
  int64_t time;
} hp_window_change;

typedef enum hp_end_reason {
  HP_END_UNSPECIFIED = 0,
  HP_END_COMPACTED = 1,
  HP_END_REVOKED = 2,
  HP_END_UNSUPPORTED = 3,
  HP_END_EXPIRED = 4,
  HP_END_EPOCH_CHANGED = 5,
  HP_END_TOO_SLOW = 6,
  HP_END_TABLE_DROPPED = 7,
  HP_END_SCENE_REMOVED = 8
} hp_end_reason;

/** Stable name such as "compacted", or "unknown". Static. */
HP_API const char *hp_end_reason_name(hp_end_reason reason);

typedef enum hp_event_kind {
  HP_EVENT_OTHER = 0,         /**< a kind this library has no structs for: see `body` */
  HP_EVENT_SNAPSHOT = 1,      /**< begin of a snapshot: `cursor`, `tables`, all but the rows */
  HP_EVENT_SNAPSHOT_ROWS = 2, /**< `rows` of one section, from `first` on */
  HP_EVENT_LIVE = 3,          /**< `cursor`; the snapshot is whole or history was caught up */
  HP_EVENT_CHANGE = 4,        /**< `change` */
  HP_EVENT_PROGRESS = 5,      /**< `revision`: nothing that matches lies up to it */
  HP_EVENT_BARRIER = 6,       /**< `token`, `revision` */
  HP_EVENT_ENDED = 7,         /**< `reason`, `revision`; the last event of the subscription */
  HP_EVENT_GOODBYE = 8,       /**< `goodbye` (hp_wait_event only); the last of the connection */
  HP_EVENT_WINDOW = 9,        /**< `window` */
  HP_EVENT_EDITING = 10,      /**< `live`: a step of live state (hp/editing.h) */
  HP_EVENT_SCENE = 11         /**< `scene`: what happened in a scene (hp/scene.h) */
} hp_event_kind;

/** What a subscription reached before a goodbye. */
typedef struct hp_reached {
  uint64_t subscription;
  uint64_t revision;
} hp_reached;

/** Why the server ends the connection. A client resumes from what it folded itself. */
typedef struct hp_goodbye {
  hp_code code;
  const char *message; /**< never NULL */
  const hp_reached *reached;
  size_t reached_count;
  uint32_t version_min; /**< with HP_CODE_VERSION: what the server speaks */
  uint32_t version_max;
  bool has_offset;
  uint64_t offset; /**< byte of the frame at fault */
  const char *resume_token;
} hp_goodbye;

/** One event. Which fields count is said at its kind; the others are zero. */
typedef struct hp_event {
  hp_event_kind kind;
  uint64_t subscription; /**< 0: the whole connection (barrier, goodbye) */
  uint64_t from;         /**< the subscription's revision before this event (contract K1) */
  uint32_t part;         /**< number of this part, or of the last joined one */
  bool last;             /**< false: further parts of the same revision follow */

  hp_cursor cursor;
  bool resumed; /**< HP_EVENT_LIVE: history was sent, no snapshot */
  uint64_t revision;
  uint64_t token;
  hp_end_reason reason;

  const hp_table_info *tables;
  size_t table_count;

  uint64_t table;   /**< HP_EVENT_SNAPSHOT_ROWS: id of the table */
  uint64_t section; /**< HP_EVENT_SNAPSHOT_ROWS: id of the section */
  uint64_t first;
  const hp_row *rows;
  size_t row_count;
  const hp_row_policy *row_policies; /**< HP_EVENT_SNAPSHOT_ROWS: of rows with one of their own */
  size_t row_policy_count;

  const hp_change *change;
  const hp_window_change *window;
  const hp_goodbye *goodbye;
  const struct hp_live_event *live;
  const struct hp_scene_event *scene;

  uint32_t body_number; /**< HP_EVENT_OTHER: field of hp.v1.Event (0: a newer one) */
  const uint8_t *body;  /**< HP_EVENT_OTHER: the encoded message in that field */
  size_t body_size;
} hp_event;

/**
 * Keeps an event beyond its callback. Only inside the event callback that got `event`.
 *
 * Returns the same event, now owned by the caller; free it with hp_event_free. It may outlive
 * the connection. Cannot fail: nothing is copied.
 */
HP_API hp_event *hp_event_take(const hp_event *event);

/** Frees an event that was taken or came from hp_wait_event. NULL is allowed. */
HP_API void hp_event_free(hp_event *event);

HP_END_DECLS

#endif
