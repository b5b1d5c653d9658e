/*
 * Editing: policies, leases, editing mode, the delete and insert controls, swipe, drag, selection
 * and drafts, which the server shares between all its clients.
 *
 * Whatever can be held is held by the connection, and ends with it, or by a lease that is named in
 * the envelope (contract K4). Live state takes no revision; a subscription with `live_state` tells
 * it in order with the changes, and hp_editing keeps a copy of it.
 */
#ifndef HP_EDITING_H
#define HP_EDITING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hp/async.h"
#include "hp/compiler.h"
#include "hp/event.h"
#include "hp/reply.h"
#include "hp/request.h"
#include "hp/value.h"
#include "hp/view.h"

HP_BEGIN_DECLS

typedef struct hp_client hp_client;

/** Who holds something: a connection (`client`) or a lease. The texts are never NULL. */
typedef struct hp_holder {
  uint64_t uid;
  const char *actor;
  uint64_t client; /**< 0: a lease's */
  uint64_t lease;  /**< 0: a connection's */
  const char *lease_name;
} hp_holder;

/** Whether both are the same connection or the same lease. */
HP_API HP_PURE bool hp_holder_is(const hp_holder *holder, const hp_holder *other);

typedef struct hp_lease {
  uint64_t id;
  uint64_t uid;
  const char *name;
  const char *actor;
  bool has_end;
  int64_t ends; /**< microseconds on the server's running clock */
} hp_lease;

typedef struct hp_lease_list {
  const hp_lease *leases;
  size_t count;
} hp_lease_list;

typedef enum hp_editing_mode {
  HP_MODE_NONE = 0,
  HP_MODE_EDITING = 1,
  HP_MODE_SWIPE = 2 /**< the flag is up, the controls of other rows stay hidden */
} hp_editing_mode;

/** An open swipe, or the open confirm button of a minus control. */
typedef struct hp_swipe_state {
  uint64_t row;
  hp_holder holder;
  bool leading;
  const char *delete_title; /**< what the button says; never NULL */
} hp_swipe_state;

typedef struct hp_drag_state {
  uint64_t row;
  hp_holder holder;
  hp_path target; /**< where a drop would put it */
} hp_drag_state;

/** A cell that somebody edits, or a text that could not be written. */
typedef struct hp_draft_state {
  hp_holder holder;
  uint64_t row;
  uint64_t column;
  const char *text; /**< never NULL */
  bool rejected;    /**< ended by force; kept until it is discarded */
  const char *reason; /**< name of an hp_code, or NULL */
} hp_draft_state;

typedef struct hp_selection_state {
  hp_holder holder;
  const hp_id_run *rows;
  size_t row_count;
} hp_selection_state;

/** The live state of one table. */
typedef struct hp_editing_state {
  uint64_t table;
  bool editing;      /**< the flag, a swipe included */
  const char *title; /**< of the edit button: "Edit" or "Done" */
  hp_editing_mode mode;
  const hp_holder *exclusive; /**< NULL: nobody holds it alone */
  const hp_holder *holders;
  size_t holder_count;
  const hp_swipe_state *swipe; /**< NULL: none is open */
  const hp_swipe_state *confirm;
  const hp_drag_state *drag;
  const hp_selection_state *selections;
  size_t selection_count;
  const hp_draft_state *drafts;
  size_t draft_count;
} hp_editing_state;

typedef enum hp_live_kind {
  HP_LIVE_UNSPECIFIED = 0,
  HP_LIVE_STATE = 1,              /**< states: all of it */
  HP_LIVE_EDITING_CHANGED = 2,    /**< editing, title, mode, holders, exclusive, ended, animated */
  HP_LIVE_WILL_BEGIN_EDITING = 3, /**< row; before a swipe opens */
  HP_LIVE_DID_END_EDITING = 4,    /**< row (0: it is gone); after a swipe closed */
  HP_LIVE_SWIPE_OPENED = 5,       /**< swipe */
  HP_LIVE_SWIPE_CLOSED = 6,       /**< row */
  HP_LIVE_DRAG_BEGAN = 7,         /**< drag */
  HP_LIVE_DRAG_MOVED = 8,         /**< drag */
  HP_LIVE_DRAG_ENDED = 9,         /**< row */
  HP_LIVE_DRAG_CANCELLED = 10,    /**< row */
  HP_LIVE_SELECTION_CHANGED = 11, /**< holder; cleared, deselected, selected in this order */
  HP_LIVE_DRAFT_BEGAN = 12,       /**< draft */
  HP_LIVE_DRAFT_TEXT = 13,        /**< draft */
  HP_LIVE_DRAFT_ENDED = 14,       /**< draft: holder, row, column */
  HP_LIVE_DRAFT_REJECTED = 15,    /**< draft */
  HP_LIVE_HOLDER_GONE = 16,       /**< holder; after all that it held was released */
  HP_LIVE_LEASE_ENDED = 17,       /**< holder; likewise */
  HP_LIVE_CONFIRM_OPENED = 18,    /**< confirm */
  HP_LIVE_CONFIRM_CLOSED = 19,    /**< row */
  HP_LIVE_TABLE_GONE = 20,        /**< all live state of the table went with it */
  HP_LIVE_VIEW_CHANGED = 21       /**< node, section, footer: as it is shown now */
} hp_live_kind;

/** Stable name such as "editing_changed", or "unknown". Static. */
HP_API const char *hp_live_kind_name(hp_live_kind kind);

/** One step of live state. Which fields count is said at its kind; the others are zero. */
typedef struct hp_live_event {
  uint64_t start;    /**< the server's run */
  uint64_t sequence; /**< rises with each event of that run */
  uint64_t revision; /**< at which it holds */
  hp_live_kind kind;
  const hp_editing_state *states;
  size_t state_count;
  uint64_t table;
  const hp_holder *by; /**< whose request caused it, or NULL */
  uint64_t row;
  bool animated;
  bool editing;
  const char *title;
  hp_editing_mode mode;
  const hp_holder *holders;
  size_t holder_count;
  const hp_holder *exclusive;
  const hp_holder *ended; /**< holds of editing that ended with it */
  size_t ended_count;
  const hp_swipe_state *swipe;
  const hp_swipe_state *confirm;
  const hp_drag_state *drag;
  const hp_draft_state *draft;
  const hp_holder *holder;
  bool cleared;
  const hp_id_run *deselected;
  size_t deselected_count;
  const hp_id_run *selected;
  size_t selected_count;
  const hp_view_node *node;
  uint64_t section; /**< whose header or footer shows the node; 0: the table's */
  bool footer;
} hp_live_event;

/** The outcome of a request that changed live state alone. */
typedef struct hp_editing_result {
  hp_cursor cursor;  /**< where the tables stand */
  uint64_t sequence; /**< of the last live event that is there now */
  bool unchanged;
  bool replayed; /**< the first outcome of this key */
  uint64_t table;
  bool editing;
  const char *title;
  hp_editing_mode mode;
  uint64_t row;
  const char *delete_title; /**< swipe and confirm: what the button says, or NULL */
  bool has_target;
  hp_path target;              /**< drag: where a drop would put the row */
  const hp_draft_state *draft; /**< drafts: as it stands; NULL once it is gone */
  bool resigned;               /**< drafts: it is not the first responder any more */
} hp_editing_result;

/** The policy of the table (both ids 0), of a section or of a row. */
typedef struct hp_policy_entry {
  uint64_t section;
  uint64_t row;
  const hp_policy *own;       /**< NULL: none set at this level */
  const hp_policy *effective; /**< every field, inherited ones and defaults too */
  const hp_sentinel *sentinel;
  bool has_path;
  hp_path path;
} hp_policy_entry;

typedef struct hp_policy_list {
  hp_cursor cursor;
  const hp_policy_entry *entries;
  size_t count;
} hp_policy_list;

/* Leases. */

/** Takes the lease of this name, or renews it. `seconds` 0: until it is ended. Answered by
 * HP_REPLY_LEASES with that one. */
HP_API uint64_t hp_send_take_lease(hp_async *async, const hp_envelope *envelope, const char *name,
                                   uint64_t seconds);
/** Ends a lease by id, or one's own by name where `lease` is 0, and all that it holds. Answered by
 * HP_REPLY_DONE. */
HP_API uint64_t hp_send_end_lease(hp_async *async, const hp_envelope *envelope, uint64_t lease,
                                  const char *name);
/** Answered by HP_REPLY_LEASES. */
HP_API uint64_t hp_send_list_leases(hp_async *async, const hp_envelope *envelope);

/* Editing mode. */

typedef struct hp_set_editing {
  bool on;
  bool animated;
  bool exclusive;  /**< with `on`: refuses the interactions of others meanwhile */
  bool break_hold; /**< admins: also where another holds exclusively */
} hp_set_editing;

/** Answered by HP_REPLY_EDITING. */
HP_API uint64_t hp_send_set_editing(hp_async *async, const hp_envelope *envelope,
                                    hp_table_ref table, hp_set_editing how);
/** `expected` is the flag as the user saw it, or NULL. Answered by HP_REPLY_EDITING. */
HP_API uint64_t hp_send_toggle_editing(hp_async *async, const hp_envelope *envelope,
                                       hp_table_ref table, const bool *expected, bool animated);
/** The control of a row was used: HP_STYLE_DELETE takes the row away, HP_STYLE_INSERT makes one at
 * its path, of `new_row` (NULL: of defaults). Answered by HP_REPLY_BATCH. */
HP_API uint64_t hp_send_commit_editing(hp_async *async, const hp_envelope *envelope,
                                       hp_table_ref table, hp_row_ref row, hp_editing_style style,
                                       const hp_new_row *new_row, hp_animation animation,
                                       hp_basis basis);

typedef enum hp_button_step {
  HP_BUTTON_OPEN = 1,
  HP_BUTTON_CONFIRM = 2, /**< deletes the row */
  HP_BUTTON_CANCEL = 3
} hp_button_step;

/** A swipe's delete button opens, is used or goes. `row` may be left out (HP_BY_NOTHING) but for
 * opening. Answered by HP_REPLY_EDITING, a confirm by HP_REPLY_BATCH. */
HP_API uint64_t hp_send_swipe(hp_async *async, const hp_envelope *envelope, hp_table_ref table,
                              hp_button_step step, hp_row_ref row, bool leading,
                              hp_animation animation, hp_basis basis);
/** Likewise the button that a minus control of editing mode opens. */
HP_API uint64_t hp_send_confirm(hp_async *async, const hp_envelope *envelope, hp_table_ref table,
                                hp_button_step step, hp_row_ref row, hp_animation animation,
                                hp_basis basis);

typedef enum hp_drag_step {
  HP_DRAG_BEGIN = 1,
  HP_DRAG_HOVER = 2,
  HP_DRAG_DROP = 3,
  HP_DRAG_CANCEL = 4
} hp_drag_step;

/** `row` counts at the begin; `target` (NULL: none) at a hover, and at a drop where it is another.
 * Targets are clamped, never refused. Answered by HP_REPLY_EDITING, a drop that moves the row by
 * HP_REPLY_BATCH. */
HP_API uint64_t hp_send_drag(hp_async *async, const hp_envelope *envelope, hp_table_ref table,
                             hp_drag_step step, hp_row_ref row, const hp_path *target,
                             hp_basis basis);
/** Selects or deselects rows for this holder. Answered by HP_REPLY_EDITING. */
HP_API uint64_t hp_send_select(hp_async *async, const hp_envelope *envelope, hp_table_ref table,
                               const hp_row_ref *rows, size_t count, bool on, bool clear_others,
                               hp_basis basis);

typedef enum hp_draft_step {
  HP_DRAFT_BEGIN = 1,  /**< becomes the first responder */
  HP_DRAFT_TEXT = 2,   /**< the text as typed */
  HP_DRAFT_END = 3,    /**< writes it; with `force` resigns in any case */
  HP_DRAFT_DISCARD = 4 /**< ends it unwritten, a rejected one too */
} hp_draft_step;

/** One step of a draft. Row and column may be left out (0, NULL) where the open one is meant. */
typedef struct hp_draft {
  hp_draft_step step;
  uint64_t row;
  const char *column;
  const char *text; /**< begin: NULL takes the cell's value as text */
  bool force;
} hp_draft;

/** Answered by HP_REPLY_EDITING, an end that writes the cell by HP_REPLY_BATCH. */
HP_API uint64_t hp_send_draft(hp_async *async, const hp_envelope *envelope, hp_table_ref table,
                              const hp_draft *draft);

/* What there is. */

/** Answered by HP_REPLY_EDITING_STATE. */
HP_API uint64_t hp_send_get_editing(hp_async *async, const hp_envelope *envelope,
                                    hp_table_ref table);
/** Policies: of these rows, else of the section, else of the table. Answered by
 * HP_REPLY_POLICIES. */
HP_API uint64_t hp_send_get_policy(hp_async *async, const hp_envelope *envelope,
                                   hp_table_ref table, hp_section_ref section,
                                   const hp_row_ref *rows, size_t count);

HP_API HP_PURE const hp_lease_list *hp_reply_leases(const hp_reply *reply);
HP_API HP_PURE const hp_editing_result *hp_reply_editing(const hp_reply *reply);
HP_API HP_PURE const hp_editing_state *hp_reply_editing_state(const hp_reply *reply);
HP_API HP_PURE const hp_policy_list *hp_reply_policies(const hp_reply *reply);

/* A copy of live state, kept by folding the events of one subscription. */

typedef struct hp_editing hp_editing;

/** An empty copy; `allocator` NULL: malloc and free. NULL when memory runs out. Free it with
 * hp_editing_free. */
HP_API hp_editing *hp_editing_new(const hp_allocator *allocator);
/** NULL is allowed. */
HP_API void hp_editing_free(hp_editing *editing);
/** Folds one event of kind HP_EVENT_EDITING; others are left alone. The copy is whole from the
 * first HP_LIVE_STATE on, which each begin of a subscription brings. Returns false when memory ran
 * out or the event does not fit: the copy is empty then until the next HP_LIVE_STATE. */
HP_API bool hp_editing_fold(hp_editing *editing, const hp_event *event);
/** Whether a full state has come. */
HP_API HP_PURE bool hp_editing_is_whole(const hp_editing *editing);
/** The table's live state, or NULL where it has none (nothing was ever edited) or memory ran out.
 * It belongs to the copy, until the next call with it. */
HP_API const hp_editing_state *hp_editing_of(const hp_editing *editing, uint64_t table);

/* The same requests, waiting for the reply (see hp/client.h). */

HP_API hp_reply *hp_run_take_lease(hp_client *client, const hp_envelope *envelope, const char *name,
                                   uint64_t seconds);
HP_API hp_reply *hp_run_end_lease(hp_client *client, const hp_envelope *envelope, uint64_t lease,
                                  const char *name);
HP_API hp_reply *hp_run_list_leases(hp_client *client, const hp_envelope *envelope);
HP_API hp_reply *hp_run_set_editing(hp_client *client, const hp_envelope *envelope,
                                    hp_table_ref table, hp_set_editing how);
HP_API hp_reply *hp_run_toggle_editing(hp_client *client, const hp_envelope *envelope,
                                       hp_table_ref table, const bool *expected, bool animated);
HP_API hp_reply *hp_run_commit_editing(hp_client *client, const hp_envelope *envelope,
                                       hp_table_ref table, hp_row_ref row, hp_editing_style style,
                                       const hp_new_row *new_row, hp_animation animation,
                                       hp_basis basis);
HP_API hp_reply *hp_run_swipe(hp_client *client, const hp_envelope *envelope, hp_table_ref table,
                              hp_button_step step, hp_row_ref row, bool leading,
                              hp_animation animation, hp_basis basis);
HP_API hp_reply *hp_run_confirm(hp_client *client, const hp_envelope *envelope, hp_table_ref table,
                                hp_button_step step, hp_row_ref row, hp_animation animation,
                                hp_basis basis);
HP_API hp_reply *hp_run_drag(hp_client *client, const hp_envelope *envelope, hp_table_ref table,
                             hp_drag_step step, hp_row_ref row, const hp_path *target,
                             hp_basis basis);
HP_API hp_reply *hp_run_select(hp_client *client, const hp_envelope *envelope, hp_table_ref table,
                               const hp_row_ref *rows, size_t count, bool on, bool clear_others,
                               hp_basis basis);
HP_API hp_reply *hp_run_draft(hp_client *client, const hp_envelope *envelope, hp_table_ref table,
                              const hp_draft *draft);
HP_API hp_reply *hp_run_get_editing(hp_client *client, const hp_envelope *envelope,
                                    hp_table_ref table);
HP_API hp_reply *hp_run_get_policy(hp_client *client, const hp_envelope *envelope,
                                   hp_table_ref table, hp_section_ref section,
                                   const hp_row_ref *rows, size_t count);

HP_END_DECLS

#endif
