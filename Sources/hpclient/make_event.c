#include "make.h"

#include "hp/editing.h"
#include "hp/scene.h"

static void make_reached(hp_maker *maker, const void *message, void *made) {
  (void)maker;
  const Hp__V1__Goodbye__Reached *from = message;
  hp_reached *reached = made;
  reached->subscription = from->subscription;
  reached->revision = from->revision;
}

bool hp_make_goodbye(hp_maker *maker, hp_goodbye *goodbye, const uint8_t *body, size_t size) {
  const Hp__V1__Goodbye *from =
      hp_make_unpack(maker, &hp__v1__goodbye__descriptor, body, size);
  if (from == NULL) return false;
  goodbye->code = (hp_code)from->code;
  goodbye->message = hp_make_text(maker, from->message == NULL ? "" : from->message);
  goodbye->reached_count = from->n_reached;
  goodbye->reached =
      HP_MAKE_ARRAY(maker, hp_reached, make_reached, from->reached, from->n_reached);
  goodbye->version_min = from->version_min;
  goodbye->version_max = from->version_max;
  goodbye->has_offset = from->has_offset;
  goodbye->offset = from->offset;
  goodbye->resume_token = hp_make_text(maker, from->resume_token);
  return maker->fault == HP_ERROR_NONE;
}

const hp_goodbye *hp_copy_goodbye(hp_maker *maker, const hp_goodbye *goodbye) {
  hp_goodbye *copy = hp_make_array(maker, 1, sizeof *copy);
  hp_reached *reached = hp_make_array(maker, goodbye->reached_count, sizeof *reached);
  if (copy == NULL || maker->fault != HP_ERROR_NONE) return NULL;
  *copy = *goodbye;
  copy->message = hp_make_text(maker, goodbye->message);
  copy->resume_token = hp_make_text(maker, goodbye->resume_token);
  for (size_t i = 0; i < goodbye->reached_count; i++) reached[i] = goodbye->reached[i];
  copy->reached = reached;
  return maker->fault == HP_ERROR_NONE ? copy : NULL;
}

static bool make_snapshot(hp_maker *maker, hp_event *event, const uint8_t *body, size_t size) {
  const Hp__V1__SnapshotHead *from =
      hp_make_unpack(maker, &hp__v1__snapshot_head__descriptor, body, size);
  if (from == NULL) return false;
  event->kind = HP_EVENT_SNAPSHOT;
  event->cursor = hp_make_cursor(from->cursor);
  event->revision = event->cursor.revision;
  event->table_count = from->n_tables;
  event->tables = HP_MAKE_ARRAY(maker, hp_table_info, hp_make_table, from->tables, from->n_tables);
  return true;
}

static bool make_rows(hp_maker *maker, hp_event *event, const uint8_t *body, size_t size) {
  const Hp__V1__SnapshotRows *from =
      hp_make_unpack(maker, &hp__v1__snapshot_rows__descriptor, body, size);
  if (from == NULL) return false;
  event->kind = HP_EVENT_SNAPSHOT_ROWS;
  event->table = from->table;
  event->section = from->section;
  event->first = from->first;
  event->row_count = from->n_rows;
  event->rows = HP_MAKE_ARRAY(maker, hp_row, hp_make_row, from->rows, from->n_rows);
  event->row_policy_count = from->n_policies;
  event->row_policies = HP_MAKE_ARRAY(maker, hp_row_policy, hp_make_row_policy, from->policies,
                                      from->n_policies);
  return true;
}

static bool make_change(hp_maker *maker, hp_event *event, const uint8_t *body, size_t size) {
  const Hp__V1__Change *from = hp_make_unpack(maker, &hp__v1__change__descriptor, body, size);
  if (from == NULL) return false;
  event->kind = HP_EVENT_CHANGE;
  event->change = hp_make_optional(maker, from, sizeof(hp_change), hp_make_change);
  event->revision = from->revision;
  return true;
}

static bool make_live(hp_maker *maker, hp_event *event, const uint8_t *body, size_t size) {
  const Hp__V1__Live *from = hp_make_unpack(maker, &hp__v1__live__descriptor, body, size);
  if (from == NULL) return false;
  event->kind = HP_EVENT_LIVE;
  event->cursor = hp_make_cursor(from->cursor);
  event->revision = event->cursor.revision;
  event->resumed = from->resumed;
  return true;
}

static bool make_progress(hp_maker *maker, hp_event *event, const uint8_t *body, size_t size) {
  const Hp__V1__Progress *from = hp_make_unpack(maker, &hp__v1__progress__descriptor, body, size);
  if (from == NULL) return false;
  event->kind = HP_EVENT_PROGRESS;
  event->revision = from->revision;
  return true;
}

static bool make_barrier(hp_maker *maker, hp_event *event, const uint8_t *body, size_t size) {
  const Hp__V1__BarrierReached *from =
      hp_make_unpack(maker, &hp__v1__barrier_reached__descriptor, body, size);
  if (from == NULL) return false;
  event->kind = HP_EVENT_BARRIER;
  event->token = from->token;
  event->revision = from->revision;
  return true;
}

static bool make_window(hp_maker *maker, hp_event *event, const uint8_t *body, size_t size) {
  const Hp__V1__WindowChange *from =
      hp_make_unpack(maker, &hp__v1__window_change__descriptor, body, size);
  if (from == NULL) return false;
  event->kind = HP_EVENT_WINDOW;
  event->window = hp_make_optional(maker, from, sizeof(hp_window_change), hp_make_window);
  event->revision = from->revision;
  return true;
}

static bool make_ended(hp_maker *maker, hp_event *event, const uint8_t *body, size_t size) {
  const Hp__V1__Ended *from = hp_make_unpack(maker, &hp__v1__ended__descriptor, body, size);
  if (from == NULL) return false;
  event->kind = HP_EVENT_ENDED;
  event->reason = (hp_end_reason)from->reason;
  event->revision = from->revision;
  return true;
}

static bool make_live_state(hp_maker *maker, hp_event *event, const uint8_t *body, size_t size) {
  const Hp__V1__LiveEvent *from =
      hp_make_unpack(maker, &hp__v1__live_event__descriptor, body, size);
  if (from == NULL) return false;
  event->kind = HP_EVENT_EDITING;
  event->live = hp_make_optional(maker, from, sizeof(hp_live_event), hp_make_live_event);
  event->revision = from->revision;
  return true;
}

static bool make_scene(hp_maker *maker, hp_event *event, const uint8_t *body, size_t size) {
  const Hp__V1__SceneEvent *from =
      hp_make_unpack(maker, &hp__v1__scene_event__descriptor, body, size);
  if (from == NULL) return false;
  event->kind = HP_EVENT_SCENE;
  event->scene = hp_make_optional(maker, from, sizeof(hp_scene_event), hp_make_scene_event);
  event->revision = from->revision;
  return true;
}

bool hp_make_event(hp_maker *maker, hp_event *event, uint32_t number, const uint8_t *body,
                   size_t size) {
  switch (number) {
    case HP__V1__EVENT__BODY_CHANGE: return make_change(maker, event, body, size) && !maker->fault;
    case HP__V1__EVENT__BODY_SNAPSHOT:
      return make_snapshot(maker, event, body, size) && !maker->fault;
    case HP__V1__EVENT__BODY_ROWS: return make_rows(maker, event, body, size) && !maker->fault;
    case HP__V1__EVENT__BODY_LIVE: return make_live(maker, event, body, size) && !maker->fault;
    case HP__V1__EVENT__BODY_PROGRESS:
      return make_progress(maker, event, body, size) && !maker->fault;
    case HP__V1__EVENT__BODY_BARRIER:
      return make_barrier(maker, event, body, size) && !maker->fault;
    case HP__V1__EVENT__BODY_WINDOW: return make_window(maker, event, body, size) && !maker->fault;
    case HP__V1__EVENT__BODY_ENDED: return make_ended(maker, event, body, size) && !maker->fault;
    case HP__V1__EVENT__BODY_LIVE_STATE:
      return make_live_state(maker, event, body, size) && !maker->fault;
    case HP__V1__EVENT__BODY_SCENE: return make_scene(maker, event, body, size) && !maker->fault;
    default:
      event->kind = HP_EVENT_OTHER;
      event->body_number = number;
      event->body = hp_make_bytes(maker, body, size);
      event->body_size = size;
      return !maker->fault;
  }
}
