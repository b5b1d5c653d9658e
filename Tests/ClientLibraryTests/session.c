#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "test.h"

static void note(session *s, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  size_t room = sizeof s->log - s->logged;
  int size = vsnprintf(s->log + s->logged, room, format, arguments);
  va_end(arguments);
  if (size > 0 && (size_t)size < room) s->logged += (size_t)size;
}

static void free_if_asked(session *s, const char *where) {
  if (s->free_in == NULL || strcmp(s->free_in, where) != 0) return;
  hp_async_free(s->async);
  s->async = NULL;
}

static void on_hello(hp_async *async, const hp_hello *hello, void *context) {
  session *s = context;
  CHECK(hp_async_hello(async) == hello);
  note(s, "hello %s\n", hello->server);
  free_if_asked(s, "hello");
}

static void on_reply(hp_async *async, hp_reply *reply, void *context) {
  session *s = context;
  (void)async;
  note(s, "reply %d to %llu\n", (int)hp_reply_kind_of(reply),
       (unsigned long long)hp_reply_request(reply));
  hp_reply_free(s->last_reply);
  s->last_reply = reply;
  s->replies += 1;
  free_if_asked(s, "reply");
}

static void on_event(hp_async *async, const hp_event *event, void *context) {
  session *s = context;
  (void)async;
  note(s, "event %d of %llu from %llu part %u%s\n", (int)event->kind,
       (unsigned long long)event->subscription, (unsigned long long)event->from, event->part,
       event->last ? " last" : "");
  hp_event_free(s->last_event);
  s->last_event = hp_event_take(event);
  s->events += 1;
  free_if_asked(s, "event");
}

static void on_goodbye(hp_async *async, const hp_goodbye *goodbye, void *context) {
  session *s = context;
  (void)async;
  note(s, "goodbye %s: %s\n", hp_code_name(goodbye->code), goodbye->message);
  free_if_asked(s, "goodbye");
}

static void on_closed(hp_async *async, const hp_error *error, void *context) {
  session *s = context;
  (void)async;
  note(s, "closed %s\n", hp_error_kind_name(error->kind));
  s->closed = *error;
  s->closed_count += 1;
  free_if_asked(s, "closed");
}

static void on_progress(hp_async *async, uint64_t request, uint64_t taken, uint64_t total,
                        void *context) {
  session *s = context;
  (void)async;
  CHECK(taken <= total && total > 0 && request != 0);
  s->taken = taken;
  s->progresses += 1;
  free_if_asked(s, "progress");
}

void session_open(session *s, const hp_async_options *options) {
  int fds[2];
  const char *free_in = s->free_in;
  memset(s, 0, sizeof *s);
  s->free_in = free_in;
  hp_callbacks callbacks = {on_hello, on_reply, on_event, on_goodbye, on_closed, on_progress};
  s->peer = -1;
  s->async = hp_async_new(options, &callbacks, s);
  if (s->async == NULL) return;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds) != 0) abort();
  s->peer = fds[1];
  if (!hp_async_adopt(s->async, fds[0])) {
    close(fds[0]);
    return;
  }
  session_work(s);
}

void session_ready(session *s, const hp_async_options *options) {
  session_open(s, options);
  bytes hello = {NULL, 0, 0};
  add_hello(&hello);
  session_feed(s, &hello);
  bytes_free(&hello);
  bytes sent = session_sent(s);
  bytes_free(&sent);
}

void session_work(session *s) {
  for (int turns = 0; s->async != NULL && turns < 1000; turns++) {
    struct pollfd polled = {hp_async_fd(s->async), hp_async_events(s->async), 0};
    if (polled.fd < 0) return;
    int ready = poll(&polled, 1, 0);
    bool idle = ready == 0;
    if (!hp_async_process(s->async, ready > 0 ? polled.revents : 0) || idle) return;
  }
}

void session_feed_some(session *s, const uint8_t *data, size_t size) {
  while (size > 0 && s->async != NULL && hp_async_fd(s->async) >= 0) {
    ssize_t sent = send(s->peer, data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) {
      data += sent;
      size -= (size_t)sent;
    }
    session_work(s);
  }
}

void session_feed(session *s, const bytes *from) { session_feed_some(s, from->data, from->size); }

bytes session_sent(session *s) {
  bytes sent = {NULL, 0, 0};
  uint8_t buffer[65536];
  for (;;) {
    session_work(s);
    ssize_t got = recv(s->peer, buffer, sizeof buffer, MSG_DONTWAIT);
    if (got <= 0) return sent;
    bytes_add(&sent, buffer, (size_t)got);
  }
}

void session_advance(session *s, uint64_t id) {
  for (;;) {
    uint64_t sent = hp_send_ping(s->async, NULL, NULL, 0);
    if (sent == 0 || sent >= id) {
      check_failed(__FILE__, __LINE__, "the session can be advanced");
      return;
    }
    bytes answer = {NULL, 0, 0};
    add_pong(&answer, sent, "");
    session_feed(s, &answer);
    bytes_free(&answer);
    bytes taken = session_sent(s);
    bytes_free(&taken);
    if (sent == id - 1) return;
  }
}

void session_subscribe(session *s, uint64_t subscription) {
  uint64_t id = hp_send_subscribe(s->async, NULL, NULL);
  if (id == 0) return;
  bytes answer = {NULL, 0, 0};
  add_subscribed(&answer, id, subscription);
  session_feed(s, &answer);
  bytes_free(&answer);
}

void session_close(session *s) {
  hp_async_free(s->async);
  hp_reply_free(s->last_reply);
  hp_event_free(s->last_event);
  if (s->peer >= 0) close(s->peer);
  s->async = NULL;
  s->last_reply = NULL;
  s->last_event = NULL;
  s->peer = -1;
}
