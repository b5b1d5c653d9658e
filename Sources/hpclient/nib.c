#include "internal.h"

#include <string.h>

#include "hp/view.h"

const hp_view_node *hp_nib_node(const hp_nib *nib, uint64_t id) {
  size_t low = 0, high = nib->node_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (nib->nodes[middle].id < id) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < nib->node_count && nib->nodes[low].id == id ? &nib->nodes[low] : NULL;
}

const hp_view_node *hp_nib_outlet(const hp_nib *nib, const char *property) {
  for (size_t i = 0; i < nib->owner_outlet_count; i++) {
    const hp_view_outlet *outlet = &nib->owner_outlets[i];
    if (outlet->target > 0 && strcmp(outlet->property, property) == 0) {
      return hp_nib_node(nib, (uint64_t)outlet->target);
    }
  }
  return NULL;
}

const char *hp_view_title(const hp_view_node *node, const char *state) {
  const char *normal = NULL;
  for (size_t i = 0; i < node->title_count; i++) {
    if (state != NULL && strcmp(node->titles[i].state, state) == 0) return node->titles[i].title;
    if (strcmp(node->titles[i].state, "normal") == 0) normal = node->titles[i].title;
  }
  return normal;
}
