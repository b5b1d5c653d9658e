#include "live.h"

#include <string.h>

/*
 * Counted trees. A leaf holds slots, an inner node its children and how many rows each has below
 * it; both are of one size and lie in chunks, so that a node is a number of 32 bits. A slot knows
 * its leaf, a node its parent, a root its list: so a place is found from above and from below.
 *
 * Nodes that become small join a neighbour. A leaf that is full where something is put behind its
 * end stays full, so that rows which come in order are packed densely.
 */

static hp_node *node_at(const hp_order *order, uint32_t number) {
  return &order->chunks[number / HP_NODE_CHUNK][number % HP_NODE_CHUNK];
}

void hp_order_init(hp_order *order, const hp_allocator *allocator) {
  memset(order, 0, sizeof *order);
  order->allocator = allocator;
  order->free_node = HP_NONE;
}

void hp_order_free(hp_order *order) {
  for (size_t i = 0; i < order->chunk_count; i++) hp_release(order->allocator, order->chunks[i]);
  hp_release(order->allocator, order->chunks);
  hp_release(order->allocator, order->roots);
  hp_release(order->allocator, order->counts);
  hp_release(order->allocator, order->leaf_of);
  hp_list_free(order->allocator, &order->free_lists);
  hp_order_init(order, order->allocator);
}

/* A larger copy of an array, or NULL. */
static void *grown(const hp_allocator *allocator, void *items, size_t count, size_t capacity,
                   size_t size) {
  if (capacity > SIZE_MAX / 4 / size) return NULL;
  void *more = hp_allocate(allocator, capacity * size);
  if (more == NULL) return NULL;
  if (count > 0) memcpy(more, items, count * size);
  hp_release(allocator, items);
  return more;
}

/* Nodes */

static bool add_chunk(hp_order *order) {
  if (order->chunk_count >= HP_NONE / HP_NODE_CHUNK - 1) return false;
  if (order->chunk_count == order->chunk_capacity) {
    size_t capacity = order->chunk_capacity == 0 ? 8 : order->chunk_capacity * 2;
    hp_node **chunks = grown(order->allocator, order->chunks, order->chunk_count, capacity,
                             sizeof *chunks);
    if (chunks == NULL) return false;
    order->chunks = chunks;
    order->chunk_capacity = capacity;
  }
  hp_node *chunk = hp_allocate(order->allocator, HP_NODE_CHUNK * sizeof *chunk);
  if (chunk == NULL) return false;
  uint32_t first = (uint32_t)order->chunk_count * HP_NODE_CHUNK;
  order->chunks[order->chunk_count++] = chunk;
  for (uint32_t i = HP_NODE_CHUNK; i-- > 0;) {
    chunk[i].parent = order->free_node;
    order->free_node = first + i;
  }
  order->free_count += HP_NODE_CHUNK;
  return true;
}

static uint32_t take_node(hp_order *order, uint32_t list, bool is_leaf) {
  uint32_t number = order->free_node;
  hp_node *node = node_at(order, number);
  order->free_node = node->parent;
  order->free_count -= 1;
  node->parent = HP_NONE;
  node->list = list;
  node->count = 0;
  node->is_leaf = is_leaf;
  return number;
}

static void give_node(hp_order *order, uint32_t number) {
  node_at(order, number)->parent = order->free_node;
  order->free_node = number;
  order->free_count += 1;
}

/* Which child of its parent a node is. */
static unsigned child_index(const hp_node *parent, uint32_t child) {
  unsigned at = 0;
  while (parent->of.inner.child[at] != child) at++;
  return at;
}

static uint32_t rows_below(const hp_node *node) {
  if (node->is_leaf) return node->count;
  uint32_t rows = 0;
  for (unsigned i = 0; i < node->count; i++) rows += node->of.inner.rows[i];
  return rows;
}

/* Lists and slots */

uint32_t hp_order_add_list(hp_order *order) {
  if (order->free_lists.count > 0) {
    return ((uint32_t *)order->free_lists.items)[--order->free_lists.count];
  }
  if (order->list_count == order->list_capacity) {
    if (order->list_capacity > HP_NONE / 4) return HP_NONE;
    uint32_t capacity = order->list_capacity == 0 ? 4 : order->list_capacity * 2;
    uint32_t *roots =
        grown(order->allocator, order->roots, order->list_count, capacity, sizeof *roots);
    if (roots == NULL) return HP_NONE;
    order->roots = roots;
    uint32_t *counts =
        grown(order->allocator, order->counts, order->list_count, capacity, sizeof *counts);
    if (counts == NULL) return HP_NONE;
    order->counts = counts;
    /* So that a list can be given back without memory. */
    if (!hp_list_reserve(order->allocator, &order->free_lists, capacity, sizeof(uint32_t))) {
      return HP_NONE;
    }
    order->list_capacity = capacity;
  }
  order->roots[order->list_count] = HP_NONE;
  order->counts[order->list_count] = 0;
  return order->list_count++;
}

static void clear_node(hp_order *order, uint32_t number) {
  hp_node *node = node_at(order, number);
  if (node->is_leaf) {
    for (unsigned i = 0; i < node->count; i++) order->leaf_of[node->of.slots[i]] = HP_NONE;
    order->placed -= node->count;
  } else {
    /* As deep as the tree: a handful of levels. */
    for (unsigned i = 0; i < node->count; i++) clear_node(order, node->of.inner.child[i]);
  }
  give_node(order, number);
}

void hp_order_clear_list(hp_order *order, uint32_t list) {
  if (order->roots[list] != HP_NONE) clear_node(order, order->roots[list]);
  order->roots[list] = HP_NONE;
  order->counts[list] = 0;
}

void hp_order_drop_list(hp_order *order, uint32_t list) {
  hp_order_clear_list(order, list);
  ((uint32_t *)order->free_lists.items)[order->free_lists.count++] = list;
}

bool hp_order_know_slot(hp_order *order, uint32_t slot) {
  if (slot < order->slot_capacity) return true;
  size_t capacity = order->slot_capacity < 64 ? 64 : order->slot_capacity * 2;
  uint32_t *leaf_of = grown(order->allocator, order->leaf_of, order->slot_capacity, capacity,
                            sizeof *leaf_of);
  if (leaf_of == NULL) return false;
  memset(leaf_of + order->slot_capacity, 0xff,
         (capacity - order->slot_capacity) * sizeof *leaf_of);
  order->leaf_of = leaf_of;
  order->slot_capacity = capacity;
  return true;
}

/* Looking */

void hp_order_find(const hp_order *order, uint32_t slot, uint32_t *list, uint32_t *index) {
  uint32_t number = order->leaf_of[slot];
  const hp_node *node = node_at(order, number);
  uint32_t before = 0;
  while (node->of.slots[before] != slot) before++;
  while (node->parent != HP_NONE) {
    const hp_node *parent = node_at(order, node->parent);
    for (unsigned i = 0; parent->of.inner.child[i] != number; i++) {
      before += parent->of.inner.rows[i];
    }
    number = node->parent;
    node = parent;
  }
  *list = node->list;
  *index = before;
}

/* The leaf with an index; the index within the leaf is left in `*index`. */
static const hp_node *leaf_at(const hp_order *order, uint32_t list, uint32_t *index) {
  const hp_node *node = node_at(order, order->roots[list]);
  while (!node->is_leaf) {
    unsigned i = 0;
    while (*index >= node->of.inner.rows[i]) *index -= node->of.inner.rows[i++];
    node = node_at(order, node->of.inner.child[i]);
  }
  return node;
}

uint32_t hp_order_at(const hp_order *order, uint32_t list, uint32_t index) {
  const hp_node *leaf = leaf_at(order, list, &index);
  return leaf->of.slots[index];
}

uint32_t hp_order_read(const hp_order *order, uint32_t list, uint32_t index, uint32_t *slots,
                       uint32_t most) {
  const hp_node *leaf = leaf_at(order, list, &index);
  uint32_t some = leaf->count - index;
  if (some > most) some = most;
  memcpy(slots, leaf->of.slots + index, some * sizeof *slots);
  return some;
}

/* Putting in */

/* Puts a node behind another as child `at` of their parent, which has room. */
static void put_child(hp_node *parent, unsigned at, uint32_t child, uint32_t rows) {
  unsigned behind = parent->count - at;
  memmove(parent->of.inner.child + at + 1, parent->of.inner.child + at,
          behind * sizeof(uint32_t));
  memmove(parent->of.inner.rows + at + 1, parent->of.inner.rows + at, behind * sizeof(uint32_t));
  parent->of.inner.child[at] = child;
  parent->of.inner.rows[at] = rows;
  parent->count += 1;
}

/* Moves children or slots of `left` from `keep` on to the empty node `right`. */
static void move_half(hp_order *order, uint32_t right_number, hp_node *left, unsigned keep) {
  hp_node *right = node_at(order, right_number);
  unsigned moved = left->count - keep;
  if (left->is_leaf) {
    memcpy(right->of.slots, left->of.slots + keep, moved * sizeof(uint32_t));
    for (unsigned i = 0; i < moved; i++) order->leaf_of[right->of.slots[i]] = right_number;
  } else {
    memcpy(right->of.inner.child, left->of.inner.child + keep, moved * sizeof(uint32_t));
    memcpy(right->of.inner.rows, left->of.inner.rows + keep, moved * sizeof(uint32_t));
    for (unsigned i = 0; i < moved; i++) {
      node_at(order, right->of.inner.child[i])->parent = right_number;
    }
  }
  right->count = (uint16_t)moved;
  left->count = (uint16_t)keep;
}

/* Makes a full node two: `keep` stay. Returns the new one, which stands behind it. Nodes were
 * reserved. */
static uint32_t split(hp_order *order, uint32_t number, unsigned keep) {
  hp_node *node = node_at(order, number);
  uint32_t fresh = take_node(order, node->list, node->is_leaf);
  if (node->parent == HP_NONE) {
    uint32_t root = take_node(order, node->list, false);
    put_child(node_at(order, root), 0, number, rows_below(node));
    node->parent = root;
    order->roots[node->list] = root;
  } else if (node_at(order, node->parent)->count == HP_INNER_CHILDREN) {
    hp_node *parent = node_at(order, node->parent);
    bool is_last = parent->of.inner.child[HP_INNER_CHILDREN - 1] == number;
    split(order, node->parent, is_last ? HP_INNER_CHILDREN - 1 : HP_INNER_CHILDREN / 2);
  }
  move_half(order, fresh, node, keep);
  hp_node *parent = node_at(order, node->parent);
  unsigned at = child_index(parent, number);
  uint32_t moved = rows_below(node_at(order, fresh));
  node_at(order, fresh)->parent = node->parent;
  parent->of.inner.rows[at] -= moved;
  put_child(parent, at + 1, fresh, moved);
  return fresh;
}

bool hp_order_insert(hp_order *order, uint32_t list, uint32_t index, uint32_t slot) {
  /* A split of every level and a new root at most. */
  if (order->free_count < HP_ORDER_DEPTH && !add_chunk(order)) return false;
  if (order->roots[list] == HP_NONE) order->roots[list] = take_node(order, list, true);
  uint32_t number = order->roots[list];
  hp_node *node = node_at(order, number);
  while (!node->is_leaf) {
    unsigned i = 0;
    while (index > node->of.inner.rows[i]) index -= node->of.inner.rows[i++];
    number = node->of.inner.child[i];
    node = node_at(order, number);
  }
  if (node->count == HP_LEAF_SLOTS) {
    unsigned keep = index == HP_LEAF_SLOTS ? HP_LEAF_SLOTS : HP_LEAF_SLOTS / 2;
    uint32_t fresh = split(order, number, keep);
    if (index >= keep) {
      index -= keep;
      number = fresh;
      node = node_at(order, fresh);
    }
  }
  memmove(node->of.slots + index + 1, node->of.slots + index,
          (node->count - index) * sizeof(uint32_t));
  node->of.slots[index] = slot;
  node->count += 1;
  order->leaf_of[slot] = number;
  order->placed += 1;
  order->counts[list] += 1;
  while (node->parent != HP_NONE) {
    hp_node *parent = node_at(order, node->parent);
    parent->of.inner.rows[child_index(parent, number)] += 1;
    number = node->parent;
    node = parent;
  }
  return true;
}

/* Taking out */

/* Joins child `at` + 1 of a node to child `at`. */
static void join(hp_order *order, hp_node *parent, unsigned at) {
  uint32_t left_number = parent->of.inner.child[at];
  uint32_t right_number = parent->of.inner.child[at + 1];
  hp_node *left = node_at(order, left_number);
  hp_node *right = node_at(order, right_number);
  if (left->is_leaf) {
    memcpy(left->of.slots + left->count, right->of.slots, right->count * sizeof(uint32_t));
    for (unsigned i = 0; i < right->count; i++) order->leaf_of[right->of.slots[i]] = left_number;
  } else {
    memcpy(left->of.inner.child + left->count, right->of.inner.child,
           right->count * sizeof(uint32_t));
    memcpy(left->of.inner.rows + left->count, right->of.inner.rows,
           right->count * sizeof(uint32_t));
    for (unsigned i = 0; i < right->count; i++) {
      node_at(order, right->of.inner.child[i])->parent = left_number;
    }
  }
  left->count = (uint16_t)(left->count + right->count);
  parent->of.inner.rows[at] += parent->of.inner.rows[at + 1];
  unsigned behind = parent->count - at - 2u;
  memmove(parent->of.inner.child + at + 1, parent->of.inner.child + at + 2,
          behind * sizeof(uint32_t));
  memmove(parent->of.inner.rows + at + 1, parent->of.inner.rows + at + 2,
          behind * sizeof(uint32_t));
  parent->count -= 1;
  give_node(order, right_number);
}

/* After a node lost something: joins it with a neighbour where both fit well into one, and goes on
 * above where that made the parent smaller. */
static void tidy(hp_order *order, uint32_t number) {
  for (;;) {
    hp_node *node = node_at(order, number);
    if (node->parent == HP_NONE) {
      if (node->count == 0) {
        order->roots[node->list] = HP_NONE;
        give_node(order, number);
      } else if (!node->is_leaf && node->count == 1) {
        uint32_t child = node->of.inner.child[0];
        order->roots[node->list] = child;
        node_at(order, child)->parent = HP_NONE;
        give_node(order, number);
        number = child;
        continue;
      }
      return;
    }
    uint32_t above = node->parent;
    hp_node *parent = node_at(order, above);
    unsigned at = child_index(parent, number);
    unsigned well = node->is_leaf ? HP_LEAF_SLOTS * 3 / 4 : HP_INNER_CHILDREN * 3 / 4;
    if (at > 0 && node_at(order, parent->of.inner.child[at - 1])->count + node->count <= well) {
      join(order, parent, at - 1);
    } else if (at + 1u < parent->count &&
               node->count + node_at(order, parent->of.inner.child[at + 1])->count <= well) {
      join(order, parent, at);
    } else if (node->count == 0) {
      /* Its neighbours are full, or it is alone. */
      unsigned behind = parent->count - at - 1u;
      memmove(parent->of.inner.child + at, parent->of.inner.child + at + 1,
              behind * sizeof(uint32_t));
      memmove(parent->of.inner.rows + at, parent->of.inner.rows + at + 1,
              behind * sizeof(uint32_t));
      parent->count -= 1;
      give_node(order, number);
    } else {
      return;
    }
    number = above;
  }
}

void hp_order_remove(hp_order *order, uint32_t slot) {
  uint32_t number = order->leaf_of[slot];
  uint32_t leaf = number;
  hp_node *node = node_at(order, number);
  unsigned at = 0;
  while (node->of.slots[at] != slot) at++;
  memmove(node->of.slots + at, node->of.slots + at + 1,
          (node->count - at - 1u) * sizeof(uint32_t));
  node->count -= 1;
  order->leaf_of[slot] = HP_NONE;
  order->placed -= 1;
  while (node->parent != HP_NONE) {
    hp_node *parent = node_at(order, node->parent);
    parent->of.inner.rows[child_index(parent, number)] -= 1;
    number = node->parent;
    node = parent;
  }
  order->counts[node->list] -= 1;
  tidy(order, leaf);
}
