#include "internal.h"

hp_event *hp_event_take(const hp_event *event) {
  hp_event_box *box = hp_event_box_of(event);
  box->taken = true;
  return &box->event;
}

void hp_event_free(hp_event *event) {
  if (event != NULL) hp_arena_free(hp_event_box_of(event)->arena);
}

const char *hp_end_reason_name(hp_end_reason reason) {
  switch (reason) {
    case HP_END_UNSPECIFIED: return "unspecified";
    case HP_END_COMPACTED: return "compacted";
    case HP_END_REVOKED: return "revoked";
    case HP_END_UNSUPPORTED: return "unsupported";
    case HP_END_EXPIRED: return "expired";
    case HP_END_EPOCH_CHANGED: return "epoch_changed";
    case HP_END_TOO_SLOW: return "too_slow";
    case HP_END_TABLE_DROPPED: return "table_dropped";
    case HP_END_SCENE_REMOVED: return "scene_removed";
    default: return "unknown";
  }
}
