#include "internal.h"

#include <string.h>

/* Where the subscription is, or would stand. */
static size_t place_of(const hp_async *async, uint64_t id) {
  size_t low = 0;
  size_t high = async->subscription_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (async->subscriptions[middle].id < id) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

hp_subscription *hp_async_subscription(hp_async *async, uint64_t id) {
  size_t at = place_of(async, id);
  if (at == async->subscription_count || async->subscriptions[at].id != id) return NULL;
  return &async->subscriptions[at];
}

bool hp_async_add_subscription(hp_async *async, uint64_t id) {
  size_t count = async->subscription_count;
  if (count == async->subscription_capacity) {
    size_t capacity = count == 0 ? 4 : count * 2;
    hp_subscription *grown = hp_allocate(&async->allocator, capacity * sizeof *grown);
    if (grown == NULL) return false;
    if (count > 0) memcpy(grown, async->subscriptions, count * sizeof *grown);
    hp_release(&async->allocator, async->subscriptions);
    async->subscriptions = grown;
    async->subscription_capacity = capacity;
  }
  size_t at = place_of(async, id);
  hp_subscription *slot = &async->subscriptions[at];
  memmove(slot + 1, slot, (count - at) * sizeof *slot);
  memset(slot, 0, sizeof *slot);
  slot->id = id;
  hp_buffer_init(&slot->parts, &async->allocator);
  async->subscription_count = count + 1;
  return true;
}

void hp_async_drop_subscription(hp_async *async, uint64_t id) {
  hp_subscription *slot = hp_async_subscription(async, id);
  if (slot == NULL) return;
  hp_buffer_free(&slot->parts);
  size_t at = (size_t)(slot - async->subscriptions);
  memmove(slot, slot + 1, (async->subscription_count - at - 1) * sizeof *slot);
  async->subscription_count -= 1;
}
