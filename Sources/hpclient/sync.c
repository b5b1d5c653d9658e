#include "internal.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

/* The blocking layer: the asynchronous core and a loop of its own. */

struct hp_client {
  hp_allocator allocator;
  hp_async *async;
  int timeout;
  size_t event_limit;
  hp_error error;     /* the one that sticks */
  hp_reply *refusal;  /* holds what the server said with it */
  hp_reply *kept;     /* replies that nobody asked for yet, oldest first */
  hp_reply **kept_end;
  hp_event_box *events;
  hp_event_box **events_end;
  size_t event_bytes;
  bool over;
  hp_error end; /* why the connection is over */
  hp_progress progress;
  void *progress_context;
  bool moved; /* the server took a part since the last look */
};

static void keep_reply(hp_async *async, hp_reply *reply, void *context) {
  (void)async;
  hp_client *client = context;
  reply->next = NULL;
  *client->kept_end = reply;
  client->kept_end = &reply->next;
}

static void queue_box(hp_client *client, hp_event_box *box) {
  box->next = NULL;
  *client->events_end = box;
  client->events_end = &box->next;
  client->event_bytes += hp_arena_bytes(box->arena);
}

static void keep_event(hp_async *async, const hp_event *event, void *context) {
  (void)async;
  queue_box(context, hp_event_box_of(hp_event_take(event)));
}

static void keep_goodbye(hp_async *async, const hp_goodbye *goodbye, void *context) {
  hp_client *client = context;
  hp_arena *arena = hp_arena_new(&client->allocator, sizeof(hp_event_box));
  hp_maker maker = {arena, async->scratch, HP_ERROR_NONE, ""};
  hp_event_box *box = arena == NULL ? NULL : hp_make_array(&maker, 1, sizeof *box);
  if (box != NULL) box->event.goodbye = hp_copy_goodbye(&maker, goodbye);
  if (box == NULL || box->event.goodbye == NULL) {
    /* The reason is still told by the error and by hp_client_goodbye. */
    hp_arena_free(arena);
    return;
  }
  box->arena = arena;
  box->event.kind = HP_EVENT_GOODBYE;
  box->event.last = true;
  queue_box(client, box);
}

static void note_progress(hp_async *async, uint64_t request, uint64_t taken, uint64_t total,
                          void *context) {
  (void)async;
  (void)request;
  hp_client *client = context;
  client->moved = true;
  if (client->progress != NULL) client->progress(taken, total, client->progress_context);
}

static void note_end(hp_async *async, const hp_error *error, void *context) {
  (void)async;
  hp_client *client = context;
  client->over = true;
  client->end = *error;
}

hp_client *hp_client_new(const hp_async_options *options) {
  hp_allocator allocator = hp_allocator_or_default(options != NULL ? options->allocator : NULL);
  hp_client *client = hp_allocate(&allocator, sizeof *client);
  if (client == NULL) return NULL;
  memset(client, 0, sizeof *client);
  client->allocator = allocator;
  client->timeout = HP_REPLY_TIMEOUT;
  client->event_limit = HP_EVENT_QUEUE_LIMIT;
  client->kept_end = &client->kept;
  client->events_end = &client->events;
  hp_callbacks callbacks = {NULL, keep_reply, keep_event, keep_goodbye, note_end,
                            note_progress};
  client->async = hp_async_new(options, &callbacks, client);
  if (client->async == NULL) {
    hp_release(&allocator, client);
    return NULL;
  }
  return client;
}

void hp_client_free(hp_client *client) {
  if (client == NULL) return;
  hp_allocator allocator = client->allocator;
  hp_async_free(client->async);
  hp_reply_free(client->refusal);
  while (client->kept != NULL) {
    hp_reply *next = client->kept->next;
    hp_reply_free(client->kept);
    client->kept = next;
  }
  while (client->events != NULL) {
    hp_event_box *next = client->events->next;
    hp_event_free(&client->events->event);
    client->events = next;
  }
  hp_release(&allocator, client);
}

void hp_client_set_timeout(hp_client *client, int milliseconds) {
  client->timeout = milliseconds == 0 ? HP_REPLY_TIMEOUT : milliseconds;
}

void hp_client_set_progress(hp_client *client, hp_progress progress, void *context) {
  client->progress = progress;
  client->progress_context = context;
}

void hp_client_set_event_limit(hp_client *client, size_t bytes) {
  client->event_limit = bytes == 0 ? HP_EVENT_QUEUE_LIMIT : bytes;
}

const hp_hello *hp_client_hello(const hp_client *client) { return hp_async_hello(client->async); }

const hp_error *hp_client_error(const hp_client *client) { return &client->error; }

const hp_server_error *hp_client_server_error(const hp_client *client) {
  return hp_reply_error(client->refusal);
}

const hp_goodbye *hp_client_goodbye(const hp_client *client) { return client->async->goodbye; }

hp_async *hp_client_async(hp_client *client) { return client->async; }

static bool fail(hp_client *client, hp_error_kind kind, int system, const char *message) {
  hp_error_set(&client->error, kind, system, HP_CODE_NONE, message);
  return false;
}

/* Whether the client can be used; the end of the connection becomes the error that sticks. */
static bool is_well(hp_client *client) {
  if (client->error.kind == HP_ERROR_NONE && client->over) client->error = client->end;
  return client->error.kind == HP_ERROR_NONE;
}

/* As is_well, for what needs a connection. */
static bool is_connected(hp_client *client) {
  if (is_well(client) && client->async->state == HP_STATE_NEW) {
    return fail(client, HP_ERROR_STATE, 0, "the client is not connected");
  }
  return client->error.kind == HP_ERROR_NONE;
}

bool hp_client_clear_error(hp_client *client) {
  hp_reply_free(client->refusal);
  client->refusal = NULL;
  if (client->over) {
    client->error = client->end;
    return false;
  }
  hp_error_set(&client->error, HP_ERROR_NONE, 0, HP_CODE_NONE, "");
  return true;
}

int hp_poll(int fd, short events, int milliseconds, short *revents) {
  struct pollfd polled = {fd, events, 0};
  *revents = 0;
  int ready = poll(&polled, 1, milliseconds);
  if (ready > 0) *revents = polled.revents;
  return ready < 0 && errno != EINTR ? errno : 0;
}

/* Polls and processes once, until `deadline` (negative: none). False when the time ran out. */
static bool step(hp_client *client, int64_t deadline) {
  hp_async *async = client->async;
  hp_async_write(async);
  int wait = hp_async_timeout(async);
  if (deadline >= 0) {
    int64_t left = deadline - hp_now();
    if (left < 0) left = 0;
    if (wait < 0 || left < wait) wait = (int)left;
  }
  short revents = 0;
  int system = hp_poll(hp_async_fd(async), hp_async_events(async), wait, &revents);
  if (system != 0) {
    if (!client->over) {
      hp_async_close(async);
      client->over = true;
      hp_error_set_system(&client->end, HP_ERROR_SYSTEM, system, "cannot poll");
    }
    return true;
  }
  hp_async_process(async, revents);
  return deadline < 0 || hp_now() < deadline;
}

static int64_t deadline_in(int milliseconds) {
  return milliseconds < 0 ? -1 : hp_now() + milliseconds;
}

static bool await_hello(hp_client *client) {
  while (!client->over && hp_async_hello(client->async) == NULL) step(client, -1);
  return is_well(client);
}

static bool begun(hp_client *client, bool worked) {
  if (worked) return await_hello(client);
  client->error = *hp_async_error(client->async);
  if (!client->async->hello_came && client->async->state == HP_STATE_OVER) {
    client->over = true;
    client->end = client->error;
  }
  return false;
}

bool hp_client_connect(hp_client *client, const char *path) {
  return is_well(client) && begun(client, hp_async_connect(client->async, path));
}

bool hp_client_adopt(hp_client *client, int fd) {
  return is_well(client) && begun(client, hp_async_adopt(client->async, fd));
}

/* The kept reply to `request`, taken out, or NULL. */
static hp_reply *take_kept(hp_client *client, uint64_t request) {
  for (hp_reply **at = &client->kept; *at != NULL; at = &(*at)->next) {
    hp_reply *reply = *at;
    if (hp_reply_request(reply) != request) continue;
    *at = reply->next;
    if (client->kept_end == &reply->next) client->kept_end = at;
    reply->next = NULL;
    return reply;
  }
  return NULL;
}

/* Hands a reply out; a refusal becomes the error that sticks. */
static hp_reply *settle(hp_client *client, hp_reply *reply) {
  const hp_server_error *refusal = hp_reply_error(reply);
  if (refusal == NULL) return reply;
  hp_reply_free(client->refusal);
  client->refusal = reply;
  hp_error_set(&client->error, HP_ERROR_SERVER, 0, refusal->code,
               refusal->message[0] != 0 ? refusal->message : hp_code_name(refusal->code));
  return NULL;
}

hp_reply *hp_client_receive(hp_client *client, uint64_t request) {
  /* Replies that came before the connection ended are still handed out. */
  if (client->error.kind != HP_ERROR_NONE && client->error.kind != client->end.kind) return NULL;
  if (request == 0) {
    if (is_well(client)) client->error = *hp_async_error(client->async);
    return NULL;
  }
  int64_t deadline = deadline_in(client->timeout);
  bool in_time = true;
  for (;;) {
    hp_reply *reply = take_kept(client, request);
    if (reply != NULL) return settle(client, reply);
    if (!is_connected(client)) return NULL;
    if (!hp_async_waits_for(client->async, request)) {
      fail(client, HP_ERROR_ARGUMENT, 0, "no reply to this request is under way");
      return NULL;
    }
    if (client->event_bytes > client->event_limit) {
      fail(client, HP_ERROR_EVENTS_WAITING, 0, "too many events wait to be taken");
      return NULL;
    }
    if (!in_time) {
      hp_async_discard(client->async, request);
      fail(client, HP_ERROR_TIMEOUT, 0, "the server did not reply in time");
      return NULL;
    }
    in_time = step(client, deadline);
    if (client->moved) {
      client->moved = false;
      deadline = deadline_in(client->timeout);
      in_time = true;
    }
  }
}

/* Whether more than `bytes` wait to be sent. */
static bool is_above(const hp_async *async, size_t bytes) {
  if (bytes == 0) return !hp_async_is_flushed(async);
  return hp_buffer_size(&async->output) > bytes;
}

static bool flush(hp_client *client, size_t bytes) {
  int64_t deadline = deadline_in(client->timeout);
  bool in_time = true;
  while (is_connected(client) && is_above(client->async, bytes)) {
    if (client->event_bytes > client->event_limit) {
      return fail(client, HP_ERROR_EVENTS_WAITING, 0, "too many events wait to be taken");
    }
    if (!in_time) {
      return fail(client, HP_ERROR_TIMEOUT, 0, "the server did not take the requests in time");
    }
    in_time = step(client, deadline);
    if (client->moved) {
      client->moved = false;
      deadline = deadline_in(client->timeout);
      in_time = true;
    }
  }
  return is_well(client);
}

bool hp_client_flush(hp_client *client) { return flush(client, 0); }

bool hp_client_flush_to(hp_client *client, size_t bytes) {
  if (is_connected(client)) step(client, hp_now());
  return flush(client, bytes);
}

hp_event *hp_wait_event(hp_client *client, int milliseconds) {
  int64_t deadline = deadline_in(milliseconds);
  bool in_time = true;
  for (;;) {
    hp_event_box *box = client->events;
    if (box != NULL) {
      client->events = box->next;
      if (client->events == NULL) client->events_end = &client->events;
      client->event_bytes -= hp_arena_bytes(box->arena);
      return &box->event;
    }
    if (!is_connected(client) || !in_time) return NULL;
    in_time = step(client, deadline);
  }
}
