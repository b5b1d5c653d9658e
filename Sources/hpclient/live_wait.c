#include "live.h"

/* The calls of a live table that wait. */

/* Barriers of a program on the same subscription have other tokens. */
#define OWN_TOKENS (UINT64_C(1) << 62)

static bool fail(hp_table *table, hp_error_kind kind, const char *why) {
  hp_error_set(&table->error, kind, 0, HP_CODE_NONE, why);
  return false;
}

/* Begins a call that waits: a callback that frees the table ends it, and the memory stays until
 * end_wait. */
static bool begin_wait(hp_table *table) {
  if (table->processing) return fail(table, HP_ERROR_STATE, "a callback can't wait");
  if (table->phase == HP_PHASE_NEW) return fail(table, HP_ERROR_STATE, "the table is not connected");
  table->holds += 1;
  return true;
}

static void end_wait(hp_table *table) {
  table->holds -= 1;
  if (table->freed && table->holds == 0) hp_table_free(table);
}

static int64_t deadline_in(int milliseconds) {
  return milliseconds < 0 ? -1 : hp_now() + milliseconds;
}

/* Polls and processes once. False when the time ran out, or the table has ended. */
static bool step(hp_table *table, int64_t deadline) {
  if (table->phase == HP_PHASE_ENDED) return false;
  if (table->async != NULL) hp_async_write(table->async);
  int wait = hp_table_timeout(table);
  int64_t left = deadline < 0 ? 0 : deadline - hp_now();
  if (left < 0) left = 0;
  if (deadline >= 0 && (wait < 0 || left < wait)) wait = (int)left;
  short revents = 0;
  int system = hp_poll(hp_table_fd(table), hp_table_events(table), wait, &revents);
  if (system != 0) {
    hp_error_set_system(&table->error, HP_ERROR_SYSTEM, system, "cannot poll");
    hp_table_end(table);
    return false;
  }
  if (!hp_table_process(table, revents)) return false;
  return deadline < 0 || hp_now() < deadline;
}

bool hp_table_poll(hp_table *table, int milliseconds) {
  if (!begin_wait(table)) return false;
  step(table, deadline_in(milliseconds));
  bool goes_on = table->phase != HP_PHASE_ENDED;
  end_wait(table);
  return goes_on;
}

/* Why a wait came to nothing. */
static bool gave_up(hp_table *table, const char *what) {
  return table->phase == HP_PHASE_ENDED ? false : fail(table, HP_ERROR_TIMEOUT, what);
}

static bool has_folded(const hp_table *table, uint64_t revision) {
  if (revision == 0) return table->phase == HP_PHASE_LIVE;
  return hp_copy_is_whole(table->copy) && hp_copy_cursor(table->copy).revision >= revision;
}

bool hp_table_wait(hp_table *table, uint64_t revision, int milliseconds) {
  if (!begin_wait(table)) return false;
  int64_t deadline = deadline_in(milliseconds);
  bool in_time = true;
  while (in_time && !has_folded(table, revision)) in_time = step(table, deadline);
  bool done = has_folded(table, revision) || gave_up(table, "the copy did not come so far in time");
  end_wait(table);
  return done;
}

bool hp_table_sync(hp_table *table, int milliseconds) {
  if (!begin_wait(table)) return false;
  int64_t deadline = deadline_in(milliseconds);
  hp_envelope envelope = {NULL, 0, {0, 0}, 0, {0, 0}, table};
  bool in_time = true;
  uint64_t token = OWN_TOKENS | ++table->last_token;
  table->barrier = 0;
  while (in_time && table->reached != token) {
    /* Anew after each connection that was lost. */
    if (table->barrier == 0 && table->subscription != 0 &&
        hp_send_barrier(table->async, &envelope, table->subscription, token, false) != 0) {
      table->barrier = token;
    }
    in_time = step(table, deadline);
  }
  table->barrier = 0;
  bool done = table->reached == token || gave_up(table, "the barrier was not reached in time");
  end_wait(table);
  return done;
}

/* Waits for the answer; NULL where none comes. */
static hp_reply *await_reply(hp_table *table, uint64_t request, int64_t deadline) {
  const hp_async *connection = table->async;
  bool in_time = true;
  while (table->awaited_reply == NULL) {
    /* After a lost connection the error says why. */
    if (table->async != connection || table->awaited == 0) return NULL;
    if (!in_time) {
      if (!gave_up(table, "the server did not answer in time") && table->async != NULL) {
        hp_async_discard(table->async, request);
      }
      return NULL;
    }
    in_time = step(table, deadline);
  }
  return table->awaited_reply;
}

hp_reply *hp_table_receive(hp_table *table, uint64_t request, int milliseconds) {
  if (!begin_wait(table)) return NULL;
  hp_reply *reply = NULL;
  if (table->async == NULL || request == 0 || !hp_async_waits_for(table->async, request)) {
    fail(table, HP_ERROR_STATE, "no answer to this request is under way");
  } else {
    table->awaited = request;
    reply = await_reply(table, request, deadline_in(milliseconds));
    table->awaited = 0;
    table->awaited_reply = NULL;
  }
  end_wait(table);
  return reply;
}
