/*
 * Scenes: named screens that several clients show and drive together, and that outlive a restart.
 *
 * A scene has tabs, each with a navigation stack of controllers, and a bar. Its steps are requests;
 * a subscription with `scene` tells what changed, in order with the changes of tables.
 */
#ifndef HP_SCENE_H
#define HP_SCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hp/async.h"
#include "hp/compiler.h"
#include "hp/editing.h"
#include "hp/event.h"
#include "hp/reply.h"
#include "hp/request.h"
#include "hp/value.h"
#include "hp/view.h"

HP_BEGIN_DECLS

typedef enum hp_controller_kind {
  HP_CONTROLLER_UNSPECIFIED = 0,
  HP_CONTROLLER_ITEMS = 1,    /**< the rows of a table */
  HP_CONTROLLER_DETAIL = 2,   /**< the fields of one row */
  HP_CONTROLLER_SECTIONS = 3, /**< the sections of a table */
  HP_CONTROLLER_VIEW = 4,     /**< a view of its own */
  HP_CONTROLLER_MORE = 5      /**< the tabs that found no room in the bar */
} hp_controller_kind;

/** A button of a bar. */
typedef struct hp_bar_button {
  uint64_t id; /**< 0: a new one (requests), or the usual back button */
  const char *system; /**< done, cancel, edit, save, add; or NULL */
  const char *title;  /**< or NULL; of the edit button "Edit" or "Done" */
  bool disabled;
  const char *action; /**< the selector that it sends, or NULL */
  bool edit_button;   /**< the controller's one edit button */
  const char *view;   /**< the name of a view that stands for it, or NULL */
} hp_bar_button;

/** What a controller says for the bar while it is on top. */
typedef struct hp_navigation_item {
  const char *title;
  const char *title_view;
  const char *prompt;
  const hp_bar_button *left;
  size_t left_count;
  const hp_bar_button *right;
  size_t right_count;
  const hp_bar_button *back; /**< what the next controller's back button is, or NULL */
  bool hides_back;
  bool left_supplements_back;
} hp_navigation_item;

/** What the bar shows. */
typedef struct hp_bar {
  const char *title;
  const char *title_view;
  const char *prompt;
  const hp_bar_button *back; /**< NULL: none */
  const hp_bar_button *left;
  size_t left_count;
  const hp_bar_button *right;
  size_t right_count;
} hp_bar;

/** A view that stands for a controller's title or for one of its bar buttons, where the server's
 * bundle has it. */
typedef struct hp_item_view {
  uint64_t button; /**< 0: the title */
  const hp_view_node *nodes;
  size_t node_count;
} hp_item_view;

typedef struct hp_controller {
  uint64_t id;
  hp_controller_kind kind;
  const char *class_name; /**< NULL in an event: known already */
  const char *nib_name;   /**< or NULL */
  uint64_t table;
  uint64_t row;
  uint64_t section;
  bool view_loaded;
  bool editing;
  bool gone; /**< what a root showed is not there now */
  hp_navigation_item item;
  const hp_view_node *nodes; /**< of its own view; with HP_SCENE_EVENT_VIEW_LOADED and states */
  size_t node_count;
  const hp_item_view *item_views; /**< likewise, and with HP_SCENE_EVENT_ITEM */
  size_t item_view_count;
} hp_controller;

/** A tab: controllers, the root first. */
typedef struct hp_navigation_stack {
  uint64_t id;
  const char *tab_title; /**< or NULL */
  const hp_controller *controllers;
  size_t controller_count;
} hp_navigation_stack;

/** Who has the keyboard where. */
typedef struct hp_responder {
  hp_holder holder;
  uint64_t controller;
  uint64_t column; /**< of a detail screen's field */
  uint64_t node;
} hp_responder;

typedef struct hp_scene_state {
  const char *name;
  const char *language; /**< or NULL */
  const hp_navigation_stack *stacks;
  size_t stack_count;
  bool more_selected;
  uint64_t selected; /**< unless more_selected */
  uint64_t visible;  /**< the one controller that can be seen */
  const hp_bar *bar; /**< NULL in a list of scenes */
  const hp_controller *more; /**< NULL: every tab stands in the bar */
  const hp_holder *attached;
  size_t attached_count;
  const hp_responder *responders;
  size_t responder_count;
  uint64_t sequence; /**< of its last event */
} hp_scene_state;

/** The controller with an id, or NULL. */
HP_API HP_PURE const hp_controller *hp_scene_controller(const hp_scene_state *scene, uint64_t id);

/** A text that was not written when its screen was left. */
typedef struct hp_rejected_field {
  uint64_t row;
  uint64_t column;
  const char *text;
  const char *reason; /**< name of an hp_code */
  hp_holder holder;
} hp_rejected_field;

/** What a step came to. */
typedef struct hp_scene_result {
  hp_cursor cursor;
  const hp_scene_state *scenes; /**< MAKE, SHOW: one; LIST: all, without stacks and bars */
  size_t scene_count;
  const uint64_t *popped;
  size_t popped_count;
  uint64_t pushed; /**< 0: none */
  bool has_resigned;
  bool resigned;
  const char *const *performed; /**< selectors that the server performed */
  size_t performed_count;
  const char *const *sent; /**< selectors that went to those who look on */
  size_t sent_count;
  const uint64_t *revisions; /**< what the step changed in tables */
  size_t revision_count;
  const hp_id_run *inserted;
  size_t inserted_count;
  const hp_rejected_field *rejected;
  size_t rejected_count;
  bool unchanged;
  bool replayed;
  bool has_editing;
  bool editing;
  uint64_t sequence;
  const char *refused;      /**< a selector, after others were performed; or NULL */
  const char *refused_code; /**< why: name of an hp_code */
} hp_scene_result;

/** The result of an HP_REPLY_SCENE, else NULL. Lives as long as the reply. */
HP_API HP_PURE const hp_scene_result *hp_reply_scene(const hp_reply *reply);

/** A controller that is to be made. */
typedef struct hp_controller_spec {
  hp_controller_kind kind;
  const char *class_name; /**< NULL: the server's own of the kind */
  const char *nib_name;
  hp_table_ref table;
  uint64_t row;
  uint64_t section;
  const char *title;
  const char *tab_title;
} hp_controller_spec;

typedef enum hp_scene_step_kind {
  HP_SCENE_MAKE = 1,        /**< roots (none: the rows of `items`), language */
  HP_SCENE_SHOW = 2,
  HP_SCENE_ATTACH = 3,
  HP_SCENE_DETACH = 4,
  HP_SCENE_PUSH = 5,        /**< one root */
  HP_SCENE_POP = 6,
  HP_SCENE_POP_TO_ROOT = 7,
  HP_SCENE_POP_TO = 8,      /**< controller */
  HP_SCENE_SELECT_TAB = 9,  /**< has_index, index; without: More */
  HP_SCENE_SEND_EVENT = 10, /**< node, event */
  HP_SCENE_TAP_BAR_BUTTON = 11, /**< button; 0: the back button */
  HP_SCENE_END_EDITING = 12,    /**< force */
  HP_SCENE_REMOVE = 13,
  HP_SCENE_SET_ITEM = 14, /**< item, controller */
  HP_SCENE_BECOME_FIRST_RESPONDER = 15, /**< column */
  HP_SCENE_LIST = 16,     /**< no scene */
  HP_SCENE_ADD_TAB = 17,  /**< one root */
  HP_SCENE_REMOVE_TAB = 18, /**< has_index, index */
  HP_SCENE_SET_EDITING = 19 /**< editing, controller */
} hp_scene_step_kind;

/** A step; what it does not need stays zero. */
typedef struct hp_scene_step {
  hp_scene_step_kind kind;
  const char *scene;
  const hp_controller_spec *roots;
  size_t root_count;
  uint64_t controller; /**< 0: the visible one */
  bool has_index;
  uint64_t index;
  uint64_t button;
  uint64_t node;
  const char *event;
  bool force;
  bool without_animation;
  const hp_navigation_item *item;
  const char *language;
  const char *column;
  bool editing;
} hp_scene_step;

/** Takes a step, or looks at scenes. Answered by HP_REPLY_SCENE. `step` and all that it points to
 * are read before the call returns. */
HP_API uint64_t hp_send_scene(hp_async *async, const hp_envelope *envelope,
                              const hp_scene_step *step);
HP_API hp_reply *hp_run_scene(hp_client *client, const hp_envelope *envelope,
                              const hp_scene_step *step);

/**
 * Changes what a node of a controller's views shows, for all clients (HP_SCENE_EVENT_NODE); it lasts
 * as long as the scene does.
 *
 * `controller` 0: whichever has the node. The rules of `change` are those of
 * hp_send_set_view_node. Answered by HP_REPLY_SCENE.
 */
HP_API uint64_t hp_send_set_scene_node(hp_async *async, const hp_envelope *envelope,
                                       const char *scene, uint64_t controller, uint64_t node,
                                       const hp_view_change *change);
/** Likewise a bar button: its title (NULL stays) and whether it is enabled (NULL stays). The
 * controller gets another item (HP_SCENE_EVENT_ITEM). */
HP_API uint64_t hp_send_set_bar_button(hp_async *async, const hp_envelope *envelope,
                                       const char *scene, uint64_t controller, uint64_t button,
                                       const char *title, const bool *enabled);

typedef enum hp_scene_event_kind {
  HP_SCENE_EVENT_UNSPECIFIED = 0,
  HP_SCENE_EVENT_STATE = 1,      /**< state: all of it */
  HP_SCENE_EVENT_NAVIGATION = 2, /**< stack is so now; a controller without class is known; popped */
  HP_SCENE_EVENT_TAB_SELECTED = 3, /**< has_selected, selected; without: More */
  HP_SCENE_EVENT_TABS = 4, /**< stacks, one without controllers is known; selected, more */
  HP_SCENE_EVENT_ITEM = 5,         /**< controller is so now */
  HP_SCENE_EVENT_VIEW_LOADED = 6,  /**< controller is so now */
  HP_SCENE_EVENT_NODE = 7,         /**< node of controller->id is so now */
  HP_SCENE_EVENT_BUTTON_TITLE = 8, /**< button `sender` of controller->id has `title` */
  HP_SCENE_EVENT_EDITING = 9,      /**< controller is so now */
  HP_SCENE_EVENT_RESPONDER = 10,   /**< responders of `by`: one, or none any more */
  HP_SCENE_EVENT_ATTACHED = 11,    /**< by */
  HP_SCENE_EVENT_DETACHED = 12,    /**< by */
  HP_SCENE_EVENT_ACTION = 13,      /**< selector, sender, event: for a client to perform */
  HP_SCENE_EVENT_REMOVED = 14,
  HP_SCENE_EVENT_GONE = 15,        /**< controller is so now: gone, or there again */
  HP_SCENE_EVENT_REJECTED = 16     /**< rejected */
} hp_scene_event_kind;

/** Stable name such as "tab_selected", or "unknown". Static. */
HP_API const char *hp_scene_event_kind_name(hp_scene_event_kind kind);

/** What an HP_EVENT_SCENE tells. What does not belong to its kind is zero. */
typedef struct hp_scene_event {
  hp_scene_event_kind kind;
  const char *scene;
  uint64_t sequence; /**< rises by 1 */
  uint64_t start;    /**< of the server process */
  uint64_t revision; /**< at which it holds */
  const hp_holder *by; /**< NULL: the server itself */
  bool animated;
  const hp_scene_state *state;
  const hp_navigation_stack *stack;
  const hp_navigation_stack *stacks;
  size_t stack_count;
  bool has_selected;
  uint64_t selected;
  const hp_controller *more;
  const hp_controller *controller;
  const hp_view_node *node;
  const hp_responder *responders;
  size_t responder_count;
  const char *selector;
  uint64_t sender;
  const char *event;
  const char *title;
  const uint64_t *popped;
  size_t popped_count;
  const char *reason;
  const hp_rejected_field *rejected;
  size_t rejected_count;
  const hp_bar *bar;  /**< NULL: as before */
  uint64_t visible;   /**< 0: as before */
} hp_scene_event;

HP_END_DECLS

#endif
