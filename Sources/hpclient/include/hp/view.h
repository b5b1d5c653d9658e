/*
 * Views: what .xib files of the server's bundle hold, as data, and what headers and footers show.
 *
 * A view tree is a flat list of nodes; a node's parent stands before it. Node ids are unique in one
 * run of the server. All that a reply gives belongs to it and lives as long.
 */
#ifndef HP_VIEW_H
#define HP_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hp/async.h"
#include "hp/compiler.h"
#include "hp/reply.h"
#include "hp/request.h"
#include "hp/value.h"

HP_BEGIN_DECLS

/** What connections lead to besides nodes, which are above 0. */
typedef enum hp_view_target {
  HP_TARGET_OWNER = -1,
  HP_TARGET_FIRST_RESPONDER = -2, /**< whoever in the responder chain takes it */
  HP_TARGET_APPLICATION = -3
} hp_view_target;

/** Points, in the parent's space. */
typedef struct hp_view_frame {
  double x;
  double y;
  double width;
  double height;
} hp_view_frame;

/** Components from 0 to 1, a name, or both. */
typedef struct hp_view_color {
  const char *key;   /**< its place: "tintColor"; NULL for a background */
  const char *state; /**< of a title's colour, or NULL */
  bool has_components;
  double red;
  double green;
  double blue;
  double alpha; /**< 0: clear, whatever the components */
  const char *name;
  bool system; /**< the name is the system's */
} hp_view_color;

typedef struct hp_state_title {
  const char *state; /**< "normal", "highlighted", "disabled", "selected" */
  const char *title;
} hp_state_title;

typedef struct hp_view_action {
  const char *event; /**< "touchUpInside"; NULL at a bar button's */
  const char *selector;
  int64_t target; /**< a node's id, or an hp_view_target */
} hp_view_action;

typedef struct hp_view_outlet {
  const char *property;
  int64_t target; /**< a node's id, or an hp_view_target */
  bool collection;
} hp_view_outlet;

/** An attribute as it stands in the file. */
typedef struct hp_view_setting {
  const char *key;
  const char *value;
} hp_view_setting;

/** Kept, never solved. An item is a node (0: none) or a guide by its id in the file. */
typedef struct hp_view_constraint {
  uint64_t first;
  const char *first_guide;
  const char *first_attribute;
  const char *relation; /**< NULL: equal */
  uint64_t second;
  const char *second_guide;
  const char *second_attribute;
  const char *constant;
  const char *multiplier;
  const char *priority;
} hp_view_constraint;

typedef struct hp_view_node {
  uint64_t id;
  uint64_t parent;        /**< 0: none */
  const char *class_name; /**< never NULL */
  const char *module;     /**< of a custom class, or NULL */
  const char *key;        /**< its place in the parent; NULL: a subview */
  const char *xib_id;     /**< or NULL */
  bool has_frame;
  hp_view_frame frame;
  const hp_state_title *titles;
  size_t title_count;
  const hp_view_action *actions;
  size_t action_count;
  const hp_view_outlet *outlets;
  size_t outlet_count;
  const hp_view_color *background; /**< or NULL */
  const hp_view_color *colors;
  size_t color_count;
  bool enabled;
  bool hidden;
  const char *text;        /**< or NULL */
  const char *placeholder; /**< or NULL */
  const char *const *autoresizing;
  size_t autoresizing_count;
  const hp_view_setting *settings;
  size_t setting_count;
  const hp_view_constraint *constraints;
  size_t constraint_count;
} hp_view_node;

/** The objects that one load has made. */
typedef struct hp_nib {
  const hp_view_node *nodes;
  size_t node_count;
  const uint64_t *top_level; /**< all that were made, in the file's order */
  size_t top_level_count;
  const uint64_t *dropped; /**< of these: to which no outlet leads; with an owner they are gone */
  size_t dropped_count;
  const hp_view_outlet *owner_outlets;
  size_t owner_outlet_count;
  const char *file; /**< NULL: a blank view */
  const char *const *tried;
  size_t tried_count;
  const char *const *warnings;
  size_t warning_count;
} hp_nib;

/** The node with an id, or NULL. O(log n). */
HP_API HP_PURE const hp_view_node *hp_nib_node(const hp_nib *nib, uint64_t id);
/** The node that an outlet of the owner leads to, or NULL. */
HP_API HP_PURE const hp_view_node *hp_nib_outlet(const hp_nib *nib, const char *property);
/** The node's title in a state (NULL: normal), its normal one where it has none, or NULL. */
HP_API HP_PURE const char *hp_view_title(const hp_view_node *node, const char *state);

/** What is loaded; zero-initialise it. */
typedef struct hp_load_nib {
  const char *name;        /**< without suffix */
  const char *owner_class; /**< NULL: nobody; the reply keeps all objects then */
  const char *language;    /**< "fr", "fr-CA", or NULL */
  const char *const *outlets; /**< that the owner has; none: those that the server knows, or any */
  size_t outlet_count;
  bool keep; /**< with an owner: objects without an outlet are listed all the same */
  /** Instead: the view of a controller of this class. `name` is its explicit nib name, or NULL. */
  const char *controller_class;
} hp_load_nib;

/** New objects at each request. Reply: HP_REPLY_NIB. */
HP_API uint64_t hp_send_load_nib(hp_async *async, const hp_envelope *envelope,
                                 const hp_load_nib *what);

/** What a header or footer shows. */
typedef struct hp_header_shown {
  const hp_header_footer *value; /**< as it was set; NULL: none */
  bool present;
  double height;      /**< points; 0 where it is not present */
  const hp_nib *view; /**< NULL: none, or not present */
  uint64_t loads;     /**< how often its nib was loaded */
} hp_header_shown;

/** Of a section, or with hp_section_none() the table's own. Reply: HP_REPLY_HEADER. */
HP_API uint64_t hp_send_get_header(hp_async *async, const hp_envelope *envelope,
                                   hp_table_ref table, hp_section_ref section, bool footer);

/** What a client changes of a node; NULL stays. */
typedef struct hp_view_change {
  const char *title; /**< the text of a label or field */
  const char *state; /**< of the title; NULL: normal */
  const bool *enabled;
  const bool *hidden;
  const hp_view_frame *frame; /**< no negative size, within 10^7 points: else BAD_VALUE */
} hp_view_change;

/** Changes what a node of a header or footer shows, for all clients (HP_LIVE_VIEW_CHANGED); it takes
 * no revision. Reply: HP_REPLY_EDITING. */
HP_API uint64_t hp_send_set_view_node(hp_async *async, const hp_envelope *envelope,
                                      hp_table_ref table, uint64_t node,
                                      const hp_view_change *change);

/* NULL when the reply is of another kind. */
HP_API HP_PURE const hp_nib *hp_reply_nib(const hp_reply *reply);
HP_API HP_PURE const hp_header_shown *hp_reply_header(const hp_reply *reply);

HP_END_DECLS

#endif
