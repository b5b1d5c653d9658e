/*
 * Shared by the live_*.c files: what a copy of a table is made of. Not installed.
 *
 * A copy holds its rows as compact images in a pool, found by their slot; an index from id to slot;
 * and for each section a counted tree of slots. A row's place follows from its slot, and a slot from
 * its place, in O(log n); a move touches neither image nor index.
 */
#ifndef HP_LIVE_H
#define HP_LIVE_H

#include "internal.h"

#include "hp/copy.h"
#include "hp/table.h"

/** No slot, no node, no list. */
#define HP_NONE UINT32_MAX

/* live_list.c */

/** A growing array. Its memory is used again unless it became large. */
typedef struct hp_list {
  void *items;
  size_t count;
  size_t capacity;
} hp_list;

/** Room for `more` items of `size` bytes behind the others. False when memory runs out. */
bool hp_list_reserve(const hp_allocator *allocator, hp_list *list, size_t more, size_t size);
bool hp_list_add(const hp_allocator *allocator, hp_list *list, const void *items, size_t count,
                 size_t size);
/** Empties it; gives a large block back. */
void hp_list_clear(const hp_allocator *allocator, hp_list *list, size_t size);
void hp_list_free(const hp_allocator *allocator, hp_list *list);

/** Sorts in place, in O(n log n), and without memory of its own. */
void hp_sort_items(void *items, size_t count, size_t size, int (*compare)(const void *, const void *));

/* live_row.c */

/** One row: its cells stand encoded behind it, by rising column. */
typedef struct hp_image {
  uint64_t id;
  uint64_t revision;
  uint32_t size; /* of the cells */
} hp_image;

/** Blocks of memory for images, sorted by size; what is given back is used again. */
typedef struct hp_pool {
  const hp_allocator *allocator;
  struct hp_pool_chunk *chunks;
  struct hp_pool_chunk *large; /* blocks of their own */
  size_t used;                 /* of the newest chunk */
  void *free[64];              /* by size in units */
  size_t bytes;
} hp_pool;

void hp_pool_init(hp_pool *pool, const hp_allocator *allocator);
void hp_pool_free_all(hp_pool *pool);
/** The image of a row, or NULL when memory runs out. */
hp_image *hp_image_make(hp_pool *pool, const hp_row *row);
void hp_image_free(hp_pool *pool, hp_image *image);
/** Reads the next cell at `*at` (0 at first). False behind the last one. Texts lie in the image. */
bool hp_image_next(const hp_image *image, size_t *at, hp_cell *cell);

/* live_ids.c */

/** Finds numbers of 32 bits by the id of what they stand for. */
typedef struct hp_ids {
  const hp_allocator *allocator;
  uint64_t (*id_of)(const void *context, uint32_t value);
  const void *context;
  uint32_t *table; /* HP_NONE: empty */
  size_t capacity; /* a power of two, or 0 */
  size_t count;
} hp_ids;

void hp_ids_init(hp_ids *ids, const hp_allocator *allocator,
                 uint64_t (*id_of)(const void *context, uint32_t value), const void *context);
void hp_ids_free(hp_ids *ids);
/** HP_NONE where there is none. */
uint32_t hp_ids_find(const hp_ids *ids, uint64_t id);
/** Room for one more. False when memory runs out. */
bool hp_ids_reserve(hp_ids *ids);
/** The id is not there yet, and room was reserved. */
void hp_ids_add(hp_ids *ids, uint64_t id, uint32_t value);
/** The id is there. */
void hp_ids_remove(hp_ids *ids, uint64_t id);

/* live_order.c */

#define HP_LEAF_SLOTS 64
#define HP_INNER_CHILDREN 32
#define HP_NODE_CHUNK 128
/** Levels that 2^32 rows can need, and some. */
#define HP_ORDER_DEPTH 16

typedef struct hp_node {
  uint32_t parent; /* HP_NONE: the root of `list`; in the chain of free ones the next of them */
  uint32_t list;
  uint16_t count;
  uint16_t is_leaf;
  union {
    uint32_t slots[HP_LEAF_SLOTS];
    struct {
      uint32_t child[HP_INNER_CHILDREN];
      uint32_t rows[HP_INNER_CHILDREN];
    } inner;
  } of;
} hp_node;

/** Lists of slots, each a counted tree; one for each section. */
typedef struct hp_order {
  const hp_allocator *allocator;
  hp_node **chunks;
  size_t chunk_count;
  size_t chunk_capacity;
  uint32_t free_node;
  size_t free_count;
  uint32_t *roots; /* by list; HP_NONE: empty */
  uint32_t *counts; /* by list */
  uint32_t list_count;
  uint32_t list_capacity;
  hp_list free_lists;
  uint32_t *leaf_of; /* by slot; HP_NONE: it stands nowhere */
  size_t slot_capacity;
  size_t placed;
} hp_order;

void hp_order_init(hp_order *order, const hp_allocator *allocator);
void hp_order_free(hp_order *order);
/** An empty list, or HP_NONE when memory runs out. */
uint32_t hp_order_add_list(hp_order *order);
/** Takes all slots out of a list. */
void hp_order_clear_list(hp_order *order, uint32_t list);
void hp_order_drop_list(hp_order *order, uint32_t list);
static inline uint32_t hp_order_count(const hp_order *order, uint32_t list) {
  return order->counts[list];
}
/** Makes slots up to `slot` known, standing nowhere. False when memory runs out. */
bool hp_order_know_slot(hp_order *order, uint32_t slot);
static inline bool hp_order_is_placed(const hp_order *order, uint32_t slot) {
  return order->leaf_of[slot] != HP_NONE;
}
/** Where a placed slot stands. */
void hp_order_find(const hp_order *order, uint32_t slot, uint32_t *list, uint32_t *index);
/** The slot at an index below the count. */
uint32_t hp_order_at(const hp_order *order, uint32_t list, uint32_t index);
/** Slots from an index on, at least one, at most `most`; returns how many. */
uint32_t hp_order_read(const hp_order *order, uint32_t list, uint32_t index, uint32_t *slots,
                       uint32_t most);
/** Puts a slot that stands nowhere at an index up to the count. False when memory runs out. */
bool hp_order_insert(hp_order *order, uint32_t list, uint32_t index, uint32_t slot);
/** Takes a placed slot out. */
void hp_order_remove(hp_order *order, uint32_t slot);

/* live_policy.c */

/** The policies that rows have of their own. */
typedef struct hp_own_policies {
  hp_list list;
  hp_ids ids;
} hp_own_policies;

/** Stays where it is from then on. */
void hp_own_policies_init(hp_own_policies *own, const hp_allocator *allocator);
void hp_own_policies_free(hp_own_policies *own);
/** NULL: none any more. False when memory runs out. */
bool hp_own_policies_put(hp_own_policies *own, uint64_t row, const hp_policy *policy);
void hp_own_policies_drop(hp_own_policies *own, uint64_t row);
/** NULL where it has none. */
const hp_policy *hp_own_policies_of(const hp_own_policies *own, uint64_t row);

/* live_window.c */

/** The sections that the rows of a window stand in. */
typedef struct hp_homes {
  hp_list list;
  hp_ids ids;
} hp_homes;

/** Stays where it is from then on. */
void hp_homes_init(hp_homes *homes, const hp_allocator *allocator);
void hp_homes_free(hp_homes *homes);
uint64_t hp_homes_of(const hp_homes *homes, uint64_t row, uint64_t otherwise);

/* live_keep.c: deep copies of public structs in a maker's arena. */

void hp_keep_cell(hp_maker *maker, hp_cell *to, const hp_cell *from);
void hp_keep_column(hp_maker *maker, hp_column *to, const hp_column *from);
void hp_keep_section(hp_maker *maker, hp_section *to, const hp_section *from);
/** NULL stays NULL. */
const hp_header_footer *hp_keep_header_footer(hp_maker *maker, const hp_header_footer *from);
const hp_policy *hp_keep_policy(hp_maker *maker, const hp_policy *from);

/* live_state.c */

typedef struct hp_live_section {
  hp_section shown;  /* its texts lie in `arena` */
  hp_arena *arena;
  uint32_t list;     /* in the order; its handle too */
  uint32_t promised; /* while a snapshot comes: rows that were announced */
  uint8_t leaving;   /* while sections are folded */
} hp_live_section;

/** All of a table at one revision. */
typedef struct hp_state {
  hp_allocator allocator;
  hp_cursor cursor;
  hp_pool pool;
  hp_image **images; /* by slot; an odd number: free, and the next free one */
  uint32_t slot_count;
  size_t image_capacity;
  uint32_t free_slot;
  hp_ids ids;
  hp_order order;
  hp_own_policies own_policies;
  hp_live_section **by_list;
  size_t by_list_capacity;
  hp_ids section_ids; /* to lists */
  hp_list sections;   /* hp_live_section *, in order */
  hp_table_info info; /* without sections */
  const hp_column **by_id; /* the columns by rising id */
  hp_arena *name_arena;
  hp_arena *columns_arena;
  hp_arena *headers_arena;
  hp_arena *policy_arena;
  bool is_window;
  hp_window_place window;
  hp_arena *window_arena; /* its sections */
  hp_homes homes;
  hp_cell *cells;     /* of the row that was read last */
  size_t cell_capacity;
  hp_row row;
  hp_section section; /* that was read last */
} hp_state;

/** NULL when memory runs out. */
hp_state *hp_state_new(const hp_allocator *allocator);
/** NULL is allowed. */
void hp_state_free(hp_state *state);

/** The slot of a row, or HP_NONE. */
uint32_t hp_state_find_row(const hp_state *state, uint64_t id);
/** Takes an image over: a new row that stands nowhere, or a row's new cells. False when memory runs
 * out; the image is the caller's then. */
bool hp_state_put_image(hp_state *state, hp_image *image);
/** Forgets a row that stands nowhere. */
void hp_state_drop_row(hp_state *state, uint32_t slot);
size_t hp_state_row_count(const hp_state *state);

/** A section that stands in no list yet, or NULL when memory runs out. The id is not there yet. */
hp_live_section *hp_state_add_section(hp_state *state, const hp_section *section);
/** New texts for a section. */
bool hp_state_put_section(hp_state *state, hp_live_section *section, const hp_section *shown);
/** Forgets a section, wherever it stands; its rows stand nowhere then. */
void hp_state_drop_section(hp_state *state, hp_live_section *section);
hp_live_section *hp_state_find_section(const hp_state *state, uint64_t id);
static inline size_t hp_state_section_count(const hp_state *state) { return state->sections.count; }
static inline hp_live_section *hp_state_section_at(const hp_state *state, size_t index) {
  return ((hp_live_section **)state->sections.items)[index];
}
/** Tells each section its index. */
void hp_state_number_sections(hp_state *state);

bool hp_state_put_name(hp_state *state, const char *name);
/** Also makes room for reading a row of so many columns. */
bool hp_state_put_columns(hp_state *state, const hp_column *columns, size_t count);
bool hp_state_put_headers(hp_state *state, const hp_header_footer *header,
                          const hp_header_footer *footer);
bool hp_state_put_policy(hp_state *state, const hp_policy *policy);

/* live_pending.c */

/** The lists of one stage, as far as its parts have come. */
typedef struct hp_pending_stage {
  hp_list delete_sections;
  hp_list insert_sections;
  hp_list move_sections;
  hp_list reload_sections;
  hp_list deletes;
  hp_list inserts;
  hp_list moves;
  hp_list reloads;
  hp_list contents;
  hp_list section_animations;
} hp_pending_stage;

/** One table's part of a revision, collected until its last part has come. */
typedef struct hp_pending {
  bool begun;
  bool touched; /* the table is in it */
  uint32_t part;
  uint64_t from;
  hp_arena *arena; /* texts, columns, sections */
  hp_update update;
  hp_pending_stage stages[3];
  hp_stage told[3];
  hp_list images;   /* hp_image *, of the state's pool */
  hp_list sections; /* hp_section */
  hp_list columns;  /* hp_column */
  hp_list deleted;  /* hp_id_run */
  hp_list policies; /* hp_row_policy */
  hp_list rows;     /* ids of `images` and of `sections`, for the update */
  hp_list section_numbers;
  uint64_t schema_revision;
  const char *name;
  const hp_header_footer *header;
  const hp_header_footer *footer;
  const hp_policy *policy;
} hp_pending;

void hp_pending_free(const hp_allocator *allocator, hp_pending *pending, hp_state *state);
/** Empties it; images that were not taken over go back to the pool. */
void hp_pending_clear(const hp_allocator *allocator, hp_pending *pending, hp_state *state);
/** Adds a part. False when memory runs out. */
bool hp_pending_add(const hp_allocator *allocator, hp_pending *pending, hp_state *state,
                    const hp_event *event, uint64_t table);
/** Makes `update` and `told` of what was collected. */
void hp_pending_close(hp_pending *pending);

/* live_copy.c, live_fold.c, live_window.c */

struct hp_copy {
  hp_allocator allocator;
  hp_copy_callbacks callbacks;
  void *context;
  uint64_t table;     /* id; 0: not known yet */
  hp_state *state;    /* NULL: none yet */
  hp_state *building; /* a snapshot that is not whole */
  uint32_t next_part; /* of the snapshot */
  hp_pending pending;
  uint64_t epoch;     /* of the subscription; windows do not tell it */
  uint64_t window_table; /* id, where the server told it */
  bool by_id;         /* sections are told by their ids */
  bool is_live;
  bool is_broken;     /* takes nothing but a snapshot */
  const char *why;    /* what did not fit */
  /* Scratch of a fold. */
  hp_list slots;
  hp_list places;
  hp_list sections;
  /* Parts of a window's change. */
  bool window_begun; /* all of it is coming */
  uint32_t window_part;
  hp_list window_rows;
  hp_list window_gone;
  hp_list window_sections;
  hp_arena *window_arena;
};

/** What the end of a subscription means for a copy. */
hp_gap hp_gap_of(hp_end_reason reason);
hp_gap hp_copy_take_window(hp_copy *copy, const hp_event *event);
/** Adds the stage of reloads to what was collected of a window's change: `reloads` are places after
 * it (live_reload.c). */
hp_gap hp_copy_add_reloads(hp_copy *copy, const uint64_t *reloads, size_t count);
/** Forgets parts of a window that is not whole. */
void hp_copy_forget_window(hp_copy *copy);
/** Ids of sections in what was collected become indices (live_byid.c). */
hp_gap hp_copy_number_sections(hp_copy *copy);
/** Folds what was collected into the state. */
hp_gap hp_copy_fold(hp_copy *copy);

/* scene_copy.c */

/** What it holds may be old: it takes nothing but a state. */
void hp_scene_copy_expect(hp_scene_copy *copy);

/* live_table.c, live_feed.c, live_wait.c */

struct hp_table {
  hp_allocator allocator;
  hp_arena *arena; /* the options */
  hp_table_options options;
  hp_async_options connection;
  hp_table_callbacks callbacks;
  void *context;
  hp_copy *copy;
  hp_async *async;
  char path[108];
  bool has_path;
  hp_phase phase;
  hp_error error;
  hp_gap gap;
  bool processing;       /* what runs is a callback, or calls them */
  unsigned holds;        /* calls under way: until then it is not freed */
  bool freed;
  bool closed;           /* the connection is over; dealt with after it was processed */
  char *resume_token;    /* of the last hello */
  uint64_t table;        /* id, once it is known */
  /* The subscription. */
  uint64_t request;      /* of subscribe, while it waits for its answer */
  uint64_t subscription; /* 0: none */
  uint64_t left;         /* that is being given up */
  hp_window window;      /* where there is one */
  uint64_t generation;   /* of the window that was asked for last */
  bool looked_elsewhere; /* the program moved the window */
  uint64_t fingerprint;  /* of the filter that the copy's cursor belongs to */
  bool fresh;            /* the next one takes a snapshot */
  hp_editing *editing;   /* where live state is asked for */
  hp_scene_copy *scene;  /* where a scene is */
  bool has_content;      /* the rows are live; what is waited for is the scene's state */
  /* Pauses. */
  int64_t next_try;      /* 0: none; to connect, or to subscribe where there is a connection */
  unsigned tries;        /* since it was live */
  unsigned strikes;      /* gaps that a fresh start did not cure yet */
  int64_t live_since;
  /* Calls that wait. */
  uint64_t barrier;      /* token of the one under way; 0: none */
  uint64_t last_token;
  uint64_t reached;      /* token of the last one reached */
  uint64_t awaited;      /* request */
  hp_reply *awaited_reply;
};

/** Callbacks may come until hp_table_leave, which takes what this returned, frees the table where
 * a callback asked for that, and says whether it goes on. */
bool hp_table_enter(hp_table *table);
bool hp_table_leave(hp_table *table, bool outer);
void hp_table_set_phase(hp_table *table, hp_phase phase);
/** Ends the table for good. */
void hp_table_end(hp_table *table);
/** Asks for the subscription. Failing to do so closes the connection. */
void hp_table_subscribe(hp_table *table);
/** The copy can't go on: tells, and starts anew. */
void hp_table_meet_gap(hp_table *table, hp_gap gap, bool is_subscribed);
/** When to try again, by how often it failed. */
void hp_table_pause(hp_table *table);
void hp_table_take_reply(hp_table *table, hp_reply *reply);
void hp_table_take_event(hp_table *table, const hp_event *event);

#endif
