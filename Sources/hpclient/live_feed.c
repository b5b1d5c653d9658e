#include "live.h"

#include <string.h>

/* The subscription of a live table: asking for it, its events, starting anew after a gap. */

/* A table that was live for so long has recovered from what went wrong before. */
#define HP_RECOVERED 10000

/* Ends the connection for a reason of ours; the loop connects again. */
static void drop_connection(hp_table *table, const hp_error *error) {
  table->error = *error;
  hp_async_close(table->async);
  table->closed = true;
}

void hp_table_subscribe(hp_table *table) {
  if (table->async == NULL || table->request != 0 || table->subscription != 0) return;
  hp_subscribe_options options;
  memset(&options, 0, sizeof options);
  options.table = table->table != 0 ? hp_table_with_id(table->table) : table->options.table;
  options.sections = table->options.sections;
  options.section_count = table->options.section_count;
  options.columns = table->options.columns;
  options.column_count = table->options.column_count;
  options.live_state = table->options.live_state;
  options.scene = table->options.scene;
  options.window = table->options.window;
  if (!table->fresh && options.window == NULL && hp_copy_is_whole(table->copy)) {
    options.has_since = true;
    options.since = hp_copy_cursor(table->copy);
    options.fingerprint = table->fingerprint;
    options.snapshot_if_lost = true;
  }
  table->generation = 1;
  table->request = hp_send_subscribe(table->async, NULL, &options);
  if (table->request == 0) {
    hp_error error = *hp_async_error(table->async);
    drop_connection(table, &error);
  }
}

static void tell_gap(hp_table *table, hp_gap gap) {
  table->gap = gap;
  if (table->callbacks.gap != NULL) table->callbacks.gap(table, gap, table->context);
}

void hp_table_meet_gap(hp_table *table, hp_gap gap, bool is_subscribed) {
  uint64_t given_up = table->subscription;
  table->subscription = 0;
  table->barrier = 0;
  table->fresh = true;
  tell_gap(table, gap);
  if (table->freed || table->phase == HP_PHASE_ENDED) return;
  if (gap == HP_GAP_TABLE_DROPPED || gap == HP_GAP_REVOKED || gap == HP_GAP_UNSUPPORTED ||
      gap == HP_GAP_SCENE_REMOVED) {
    hp_error_set(&table->error, HP_ERROR_SERVER, 0,
                 gap == HP_GAP_TABLE_DROPPED   ? HP_CODE_NO_SUCH_TABLE
                 : gap == HP_GAP_SCENE_REMOVED ? HP_CODE_NOT_FOUND
                 : gap == HP_GAP_REVOKED       ? HP_CODE_REVOKED
                                               : HP_CODE_UNSUPPORTED,
                 gap == HP_GAP_TABLE_DROPPED   ? "the table was dropped"
                 : gap == HP_GAP_SCENE_REMOVED ? "the scene was removed"
                 : gap == HP_GAP_REVOKED       ? "the table may not be read any more"
                                               : "the table needs what this library can't fold");
    hp_table_end(table);
    return;
  }
  if (is_subscribed) {
    table->left = given_up;
    if (hp_send_unsubscribe(table->async, NULL, given_up) == 0) {
      hp_error error = *hp_async_error(table->async);
      drop_connection(table, &error);
      return;
    }
  }
  if (table->live_since != 0 && hp_now() - table->live_since > HP_RECOVERED) table->strikes = 0;
  table->live_since = 0;
  if (gap != HP_GAP_ASKED) table->strikes += 1;
  if (table->strikes <= 1) {
    hp_table_set_phase(table, HP_PHASE_CATCHING_UP);
    hp_table_subscribe(table);
  } else {
    /* A fresh start did not help: not at once again. */
    hp_error_set(&table->error, gap == HP_GAP_MEMORY ? HP_ERROR_MEMORY : HP_ERROR_PROTOCOL, 0,
                 HP_CODE_NONE,
                 gap == HP_GAP_MEMORY ? "no memory for the copy"
                 : hp_copy_reason(table->copy)[0] != 0 ? hp_copy_reason(table->copy)
                                                       : "the server could not keep up the feed");
    hp_table_pause(table);
    hp_table_set_phase(table, HP_PHASE_WAITING);
  }
}

bool hp_table_move_window(hp_table *table, const hp_window *window) {
  if (table->options.window == NULL || window == NULL) return false;
  table->window = *window;
  table->looked_elsewhere = true;
  if (table->subscription == 0) return true; /* the next one asks for it */
  table->generation += 1;
  hp_envelope envelope = {NULL, 0, {0, 0}, 0, {0, 0}, table};
  return hp_send_move_window(table->async, &envelope, table->subscription, window) != 0;
}

bool hp_table_resync(hp_table *table) {
  if (table->async == NULL || table->subscription == 0) return false;
  bool outer = hp_table_enter(table);
  hp_table_meet_gap(table, HP_GAP_ASKED, true);
  return hp_table_leave(table, outer);
}

/* Replies */

/* Why history could not go on after the copy's cursor. */
static hp_gap gap_between(hp_cursor folded, hp_cursor now) {
  if (folded.epoch != now.epoch) return HP_GAP_EPOCH;
  if (folded.revision > now.revision) return HP_GAP_FUTURE;
  return HP_GAP_COMPACTED;
}

/* Whether the same request may be answered later. */
static bool may_help_later(hp_code code) {
  switch (code) {
    case HP_CODE_TIMEOUT:
    case HP_CODE_SHUTTING_DOWN:
    case HP_CODE_TOO_SLOW:
    case HP_CODE_OUT_OF_MEMORY:
    case HP_CODE_TOO_MANY_REQUESTS:
    case HP_CODE_TOO_MANY_SUBSCRIPTIONS:
    case HP_CODE_SNAPSHOT_EXPIRED:
    case HP_CODE_STORE_FAILED:
    case HP_CODE_STORE_FULL:
    case HP_CODE_STORE_BUSY:
    case HP_CODE_OUTCOME_UNKNOWN:
    case HP_CODE_BUSY: return true;
    default: return false;
  }
}

/* In a restored store the table may have come back under its name only. */
static bool look_by_name(hp_table *table) {
  if (table->table == 0 || table->options.table.id != 0 || table->options.table.name == NULL ||
      hp_async_hello(table->async)->epoch == hp_copy_cursor(table->copy).epoch) {
    return false;
  }
  table->table = 0;
  table->copy->table = 0;
  hp_table_subscribe(table);
  return true;
}

/* A window of which nothing is left where it stood: the program may let it look elsewhere. */
static bool is_window_gone(const hp_table *table, hp_code code) {
  return table->options.window != NULL && hp_copy_is_whole(table->copy) &&
         (code == HP_CODE_NO_SUCH_ROW || code == HP_CODE_NO_SUCH_SECTION ||
          code == HP_CODE_OUT_OF_RANGE);
}

static void take_refusal(hp_table *table, const hp_server_error *refusal) {
  if (refusal->code == HP_CODE_NO_SUCH_TABLE && look_by_name(table)) return;
  hp_error_set(&table->error, HP_ERROR_SERVER, 0, refusal->code,
               refusal->message[0] != 0 ? refusal->message : hp_code_name(refusal->code));
  if (may_help_later(refusal->code)) {
    hp_table_pause(table);
    table->tries += 1;
    hp_table_set_phase(table, HP_PHASE_WAITING);
    return;
  }
  if (hp_copy_is_whole(table->copy) &&
      (refusal->code == HP_CODE_NO_SUCH_TABLE || refusal->code == HP_CODE_NOT_FOUND)) {
    /* It was dropped while there was no connection. */
    tell_gap(table, table->scene != NULL && refusal->code == HP_CODE_NOT_FOUND
                        ? HP_GAP_SCENE_REMOVED
                        : HP_GAP_TABLE_DROPPED);
  } else if (is_window_gone(table, refusal->code)) {
    table->looked_elsewhere = false;
    tell_gap(table, HP_GAP_WINDOW);
    if (table->freed || table->phase == HP_PHASE_ENDED) return;
    if (table->looked_elsewhere) {
      hp_table_subscribe(table);
      return;
    }
  }
  hp_table_end(table);
}

static void take_subscribed(hp_table *table, const hp_subscribed *subscribed) {
  table->subscription = subscribed->subscription;
  table->left = 0;
  if (table->options.window != NULL && subscribed->table != 0) table->table = subscribed->table;
  table->fingerprint = subscribed->fingerprint;
  if (subscribed->snapshot && !table->fresh && table->options.window == NULL &&
      hp_copy_is_whole(table->copy)) {
    tell_gap(table, gap_between(hp_copy_cursor(table->copy), subscribed->from));
    if (table->freed || table->phase == HP_PHASE_ENDED) return;
  }
  table->has_content = false;
  if (table->scene != NULL) hp_scene_copy_expect(table->scene);
  hp_copy_resume(table->copy, subscribed);
  hp_table_set_phase(table, HP_PHASE_CATCHING_UP);
}

void hp_table_take_reply(hp_table *table, hp_reply *reply) {
  uint64_t request = hp_reply_request(reply);
  if (request == table->request && request != 0) {
    table->request = 0;
    if (hp_reply_error(reply) != NULL) {
      take_refusal(table, hp_reply_error(reply));
    } else if (hp_reply_subscribed(reply) != NULL) {
      take_subscribed(table, hp_reply_subscribed(reply));
    }
    hp_reply_free(reply);
  } else if (hp_reply_tag(reply) == table) {
    hp_reply_free(reply); /* of a barrier */
  } else if (request == table->awaited && request != 0) {
    table->awaited_reply = reply;
  } else if (table->callbacks.reply != NULL && !table->freed) {
    table->callbacks.reply(table, reply, table->context);
  } else {
    hp_reply_free(reply);
  }
}

/* Events */

static void go_live(hp_table *table) {
  table->has_content = true;
  if (table->scene != NULL && !hp_scene_copy_is_whole(table->scene)) return;
  if (table->options.window == NULL) table->table = hp_copy_table(table->copy)->id;
  table->tries = 0;
  table->live_since = hp_now();
  hp_error_set(&table->error, HP_ERROR_NONE, 0, HP_CODE_NONE, "");
  hp_table_set_phase(table, HP_PHASE_LIVE);
}

/* Another row took over from the one that a window hung on: that is the one to ask for anew. */
static void follow_anchor(hp_table *table, const hp_window_change *change) {
  if (table->window.row != 0 && change->anchor != 0 && change->generation == table->generation) {
    table->window.row = change->anchor;
  }
}

static void pass_on(hp_table *table, const hp_event *event) {
  if (table->callbacks.event != NULL) table->callbacks.event(table, event, table->context);
}

static void take_scene(hp_table *table, const hp_event *event) {
  hp_gap gap = table->scene == NULL ? HP_GAP_NONE : hp_scene_copy_take(table->scene, event);
  if (gap == HP_GAP_NONE || gap == HP_GAP_SCENE_REMOVED) pass_on(table, event);
  if (table->freed || table->phase == HP_PHASE_ENDED) return;
  if (gap != HP_GAP_NONE) {
    hp_table_meet_gap(table, gap, true);
  } else if (table->has_content && table->phase == HP_PHASE_CATCHING_UP) {
    go_live(table);
  }
}

void hp_table_take_event(hp_table *table, const hp_event *event) {
  if (table->freed || table->phase == HP_PHASE_ENDED) return;
  if (event->subscription == 0 || event->subscription != table->subscription) {
    if (event->subscription == 0 || event->subscription != table->left) pass_on(table, event);
    return;
  }
  switch (event->kind) {
    case HP_EVENT_BARRIER:
      if (event->token != table->barrier || table->barrier == 0) {
        pass_on(table, event);
      } else if (hp_copy_cursor(table->copy).revision < event->revision) {
        hp_table_meet_gap(table, HP_GAP_ORDER, true);
      } else {
        table->reached = table->barrier;
        table->barrier = 0;
      }
      return;
    case HP_EVENT_EDITING:
      if (table->editing != NULL && !hp_editing_fold(table->editing, event)) {
        hp_table_meet_gap(table, HP_GAP_MEMORY, true);
        return;
      }
      pass_on(table, event);
      return;
    case HP_EVENT_SCENE: take_scene(table, event); return;
    case HP_EVENT_OTHER: pass_on(table, event); return;
    default: break;
  }
  hp_gap gap = hp_copy_take(table->copy, event);
  if (table->freed || table->phase == HP_PHASE_ENDED) return;
  /* A whole snapshot can be gone on from, whatever was wrong before. */
  if (gap == HP_GAP_NONE && event->last &&
      (event->kind == HP_EVENT_SNAPSHOT || event->kind == HP_EVENT_SNAPSHOT_ROWS)) {
    table->fresh = false;
  }
  if (gap == HP_GAP_NONE && event->kind == HP_EVENT_WINDOW) follow_anchor(table, event->window);
  if (gap != HP_GAP_NONE) {
    hp_table_meet_gap(table, gap, event->kind != HP_EVENT_ENDED);
  } else if (event->kind == HP_EVENT_LIVE) {
    go_live(table);
  }
}
