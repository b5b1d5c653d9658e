#include "live.h"

#include <limits.h>
#include <string.h>

/* The connection of a live table: connecting, pauses, the end. What it says is in live_feed.c. */

/* A pause grows no further than by this many doublings. */
#define HP_DOUBLINGS 12

static void *take_copy(hp_maker *maker, const void *items, size_t count, size_t size) {
  return (void *)(uintptr_t)hp_make_bytes(maker, items, count * size);
}

static void keep_options(hp_table *table, hp_maker *maker, const hp_table_options *options) {
  hp_table_options *kept = &table->options;
  *kept = *options;
  kept->connection = NULL;
  if (options->window != NULL) {
    table->window = *options->window;
    kept->window = &table->window;
  }
  kept->table.name = hp_make_text(maker, options->table.name);
  kept->scene = hp_make_text(maker, options->scene);
  kept->sections = take_copy(maker, options->sections, options->section_count, sizeof(uint64_t));
  const char **columns = hp_make_array(maker, options->column_count, sizeof *columns);
  kept->columns = columns;
  for (size_t i = 0; columns != NULL && i < options->column_count; i++) {
    columns[i] = hp_make_text(maker, options->columns[i]);
  }
  if (options->connection == NULL) return;
  hp_async_options *connection = &table->connection;
  *connection = *options->connection;
  connection->client_name = hp_make_text(maker, options->connection->client_name);
  connection->actor = hp_make_text(maker, options->connection->actor);
  connection->resume_token = NULL;
  const char **features = hp_make_array(maker, connection->feature_count, sizeof *features);
  for (size_t i = 0; features != NULL && i < connection->feature_count; i++) {
    features[i] = hp_make_text(maker, options->connection->features[i]);
  }
  connection->features = features;
}

hp_table *hp_table_new(const hp_table_options *options, const hp_table_callbacks *callbacks,
                       void *context) {
  const hp_allocator *given = options->connection != NULL ? options->connection->allocator : NULL;
  hp_allocator allocator = hp_allocator_or_default(given);
  hp_table *table = hp_allocate(&allocator, sizeof *table);
  if (table == NULL) return NULL;
  memset(table, 0, sizeof *table);
  table->allocator = allocator;
  table->context = context;
  if (callbacks != NULL) table->callbacks = *callbacks;
  table->copy = hp_copy_new(options->table.id, &table->callbacks.copy, context, &allocator);
  table->arena = hp_arena_new(&allocator, 256);
  hp_maker maker = {table->arena, NULL, HP_ERROR_NONE, ""};
  table->editing = options->live_state ? hp_editing_new(&allocator) : NULL;
  table->scene = options->scene != NULL ? hp_scene_copy_new(&allocator) : NULL;
  bool failed = table->copy == NULL || table->arena == NULL ||
                (options->scene != NULL && table->scene == NULL) ||
                (options->live_state && table->editing == NULL);
  if (!failed) keep_options(table, &maker, options);
  if (!failed && options->connection != NULL && options->connection->resume_token != NULL) {
    table->resume_token = hp_copy_text(&allocator, options->connection->resume_token, &failed);
  }
  if (failed || maker.fault != HP_ERROR_NONE) {
    hp_table_free(table);
    return NULL;
  }
  table->connection.separate_parts = true;
  table->connection.allocator = &table->allocator;
  table->table = options->table.id;
  return table;
}

void hp_table_free(hp_table *table) {
  if (table == NULL) return;
  table->phase = HP_PHASE_ENDED;
  if (table->holds > 0) {
    table->freed = true;
    if (table->async != NULL) hp_async_close(table->async);
    return;
  }
  hp_allocator allocator = table->allocator;
  hp_async_free(table->async);
  hp_copy_free(table->copy);
  hp_editing_free(table->editing);
  hp_scene_copy_free(table->scene);
  hp_reply_free(table->awaited_reply);
  hp_release(&allocator, table->resume_token);
  hp_arena_free(table->arena);
  hp_release(&allocator, table);
}

bool hp_table_enter(hp_table *table) {
  bool outer = table->processing;
  table->processing = true;
  table->holds += 1;
  return outer;
}

bool hp_table_leave(hp_table *table, bool outer) {
  table->processing = outer;
  table->holds -= 1;
  bool goes_on = table->phase != HP_PHASE_ENDED;
  if (table->freed && table->holds == 0) hp_table_free(table);
  return goes_on;
}

/* Phases */

const char *hp_phase_name(hp_phase phase) {
  switch (phase) {
    case HP_PHASE_NEW: return "new";
    case HP_PHASE_CONNECTING: return "connecting";
    case HP_PHASE_CATCHING_UP: return "catching_up";
    case HP_PHASE_LIVE: return "live";
    case HP_PHASE_WAITING: return "waiting";
    case HP_PHASE_ENDED: return "ended";
    default: return "unknown";
  }
}

void hp_table_set_phase(hp_table *table, hp_phase phase) {
  if (table->phase == phase || table->phase == HP_PHASE_ENDED) return;
  table->phase = phase;
  if (table->callbacks.phase != NULL) table->callbacks.phase(table, phase, table->context);
}

void hp_table_end(hp_table *table) {
  table->next_try = 0;
  table->subscription = 0;
  if (table->async != NULL) hp_async_close(table->async);
  hp_table_set_phase(table, HP_PHASE_ENDED);
}

void hp_table_pause(hp_table *table) {
  unsigned failed = table->tries > table->strikes ? table->tries : table->strikes;
  int64_t first = table->options.retry_first > 0 ? table->options.retry_first : HP_RETRY_FIRST;
  int64_t longest = table->options.retry_max > 0 ? table->options.retry_max : HP_RETRY_MAX;
  int64_t pause = first << (failed > HP_DOUBLINGS ? HP_DOUBLINGS : failed);
  if (pause > longest) pause = longest;
  /* Many clients of one server that comes back do not come all at once. */
  int64_t now = hp_now();
  uint64_t mixed = ((uint64_t)now ^ (uint64_t)(uintptr_t)table) * UINT64_C(0x9e3779b97f4a7c15);
  table->next_try = now + pause - (int64_t)(mixed >> 32) % (pause / 4 + 1);
}

/* Connecting */

static void on_hello(hp_async *async, const hp_hello *hello, void *context) {
  hp_table *table = context;
  (void)async;
  bool failed = false;
  hp_release(&table->allocator, table->resume_token);
  /* Without memory the reason of the next goodbye is not told; no more than that. */
  table->resume_token = hp_copy_text(&table->allocator, hello->resume_token, &failed);
  hp_table_subscribe(table);
}

static void on_reply(hp_async *async, hp_reply *reply, void *context) {
  (void)async;
  hp_table_take_reply(context, reply);
}

static void on_event(hp_async *async, const hp_event *event, void *context) {
  (void)async;
  hp_table_take_event(context, event);
}

static void on_closed(hp_async *async, const hp_error *error, void *context) {
  hp_table *table = context;
  (void)async;
  table->closed = true;
  table->error = *error;
}

/* Whether trying again can help. */
static bool is_hopeless(const hp_error *error) {
  return error->kind == HP_ERROR_SOCKET_PATH || error->kind == HP_ERROR_ARGUMENT ||
         error->kind == HP_ERROR_SERVER || error->code == HP_CODE_VERSION;
}

/* The connection is gone, or there was none; `error` says why. */
static void lose(hp_table *table) {
  hp_async_free(table->async);
  table->async = NULL;
  table->closed = false;
  table->request = 0;
  table->subscription = 0;
  table->left = 0;
  table->barrier = 0;
  table->awaited = 0;
  if (table->freed || table->phase == HP_PHASE_ENDED) return;
  if (table->options.once || is_hopeless(&table->error)) {
    hp_table_end(table);
    return;
  }
  /* What the server's frames or our memory did wrong may happen again at once. */
  if (table->error.kind == HP_ERROR_PROTOCOL || table->error.kind == HP_ERROR_MEMORY ||
      table->error.code == HP_CODE_TOO_SLOW) {
    table->strikes += 1;
  }
  hp_table_pause(table);
  table->tries += 1;
  hp_table_set_phase(table, HP_PHASE_WAITING);
}

static void connect_now(hp_table *table) {
  hp_callbacks callbacks = {on_hello, on_reply, on_event, NULL, on_closed, NULL};
  table->next_try = 0;
  table->connection.resume_token = table->resume_token;
  table->async = hp_async_new(&table->connection, &callbacks, table);
  if (table->async == NULL) {
    hp_error_set(&table->error, HP_ERROR_MEMORY, 0, HP_CODE_NONE, "no memory for a connection");
    lose(table);
  } else if (!hp_async_connect(table->async, table->has_path ? table->path : NULL)) {
    table->error = *hp_async_error(table->async);
    lose(table);
  } else {
    hp_table_set_phase(table, HP_PHASE_CONNECTING);
  }
}

bool hp_table_connect(hp_table *table, const char *path) {
  if (table->phase != HP_PHASE_NEW) {
    hp_error_set(&table->error, HP_ERROR_STATE, 0, HP_CODE_NONE, "the table was connected before");
    return false;
  }
  if (path != NULL) {
    if (!hp_socket_path(path, table->path, sizeof table->path, &table->error)) {
      hp_table_end(table);
      return false;
    }
    table->has_path = true;
  }
  bool outer = hp_table_enter(table);
  connect_now(table);
  return hp_table_leave(table, outer);
}

/* What the loop asks */

int hp_table_fd(const hp_table *table) {
  return table->async == NULL ? -1 : hp_async_fd(table->async);
}

short hp_table_events(const hp_table *table) {
  return table->async == NULL ? 0 : hp_async_events(table->async);
}

int hp_table_timeout(const hp_table *table) {
  if (table->closed) return 0;
  if (table->phase == HP_PHASE_ENDED) return -1;
  int wait = table->async == NULL ? -1 : hp_async_timeout(table->async);
  if (table->next_try == 0) return wait;
  int64_t left = table->next_try - hp_now();
  if (left < 0) left = 0;
  return wait < 0 || left < wait ? (left > INT_MAX ? INT_MAX : (int)left) : wait;
}

bool hp_table_process(hp_table *table, short revents) {
  if (table->processing) return !table->freed && table->phase != HP_PHASE_ENDED;
  bool outer = hp_table_enter(table);
  if (table->async != NULL && !hp_async_process(table->async, revents)) {
    if (!table->closed && table->phase != HP_PHASE_ENDED) {
      table->error = *hp_async_error(table->async); /* the program closed it */
    }
    table->closed = true;
  }
  if (table->closed || table->phase == HP_PHASE_ENDED) lose(table);
  if (!table->freed && table->next_try != 0 && hp_now() >= table->next_try) {
    table->next_try = 0;
    if (table->async == NULL) {
      connect_now(table);
    } else {
      hp_table_subscribe(table);
    }
  }
  return hp_table_leave(table, outer);
}

hp_phase hp_table_phase(const hp_table *table) { return table->phase; }

const hp_error *hp_table_error(const hp_table *table) { return &table->error; }

hp_gap hp_table_gap(const hp_table *table) { return table->gap; }

const hp_copy *hp_table_copy(const hp_table *table) { return table->copy; }

const hp_editing *hp_table_editing(const hp_table *table) { return table->editing; }

const hp_scene_copy *hp_table_scene(const hp_table *table) { return table->scene; }

hp_async *hp_table_async(hp_table *table) { return table->async; }
