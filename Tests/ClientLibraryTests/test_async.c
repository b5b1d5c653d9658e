/* The asynchronous core: cut frames, order, ends, callbacks, connecting. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "test.h"
#include "tests.h"

static const char *const event_names[] = {"event_snapshot", "event_rows",     "event_live",
                                          "event_change",   "event_progress", "event_barrier",
                                          "event_ended",    "goodbye"};

static void add_golden(bytes *to, const char *name) {
  bytes frame = golden(name);
  bytes_add(to, frame.data, frame.size);
  bytes_free(&frame);
}

/* Three requests whose replies, events and goodbye follow in `stream`. */
static bytes whole_stream(void) {
  bytes stream = {NULL, 0, 0};
  add_hello(&stream);
  add_subscribed(&stream, 2, 3);
  add_pong(&stream, 3, "x");
  add_error(&stream, 4, HP__V1__ERROR_CODE__STALE, "The table has changed.");
  for (size_t i = 0; i < sizeof event_names / sizeof event_names[0]; i++) {
    add_golden(&stream, event_names[i]);
  }
  return stream;
}

static void begin_stream(session *s) {
  session_open(s, NULL);
  CHECK(hp_send_subscribe(s->async, NULL, NULL) == 2);
  CHECK(hp_send_ping(s->async, NULL, "x", 1) == 3);
  CHECK(hp_send_list_tables(s->async, NULL) == 4);
  session_work(s);
}

TEST(takes_frames_cut_at_every_byte) {
  session s = {.free_in = NULL};
  bytes stream = whole_stream();
  char expected[2048];
  begin_stream(&s);
  session_feed(&s, &stream);
  CHECK(s.replies == 3 && s.events == 7 && s.closed.kind == HP_ERROR_GOODBYE);
  memcpy(expected, s.log, s.logged + 1);
  session_close(&s);

  for (size_t cut = 0; cut <= stream.size; cut++) {
    begin_stream(&s);
    session_feed_some(&s, stream.data, cut);
    session_feed_some(&s, stream.data + cut, stream.size - cut);
    if (strcmp(s.log, expected) != 0) check_failed("cut", (int)cut, "the log is the same");
    session_close(&s);
  }

  begin_stream(&s);
  for (size_t at = 0; at < stream.size; at++) session_feed_some(&s, stream.data + at, 1);
  CHECK(strcmp(s.log, expected) == 0);
  session_close(&s);

  /* Ended at every byte: what came whole is told, then the end. */
  for (size_t cut = 0; cut < stream.size; cut++) {
    begin_stream(&s);
    session_feed_some(&s, stream.data, cut);
    shutdown(s.peer, SHUT_WR);
    session_work(&s);
    if (s.closed_count != 1 || s.closed.kind != HP_ERROR_CLOSED ||
        strncmp(s.log, expected, s.logged - strlen("closed HP_ERROR_CLOSED\n")) != 0) {
      check_failed("cut off", (int)cut, "what came is told, then the end");
    }
    session_close(&s);
  }
  bytes_free(&stream);
}

TEST(keeps_many_requests_in_flight) {
  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  bytes answers = {NULL, 0, 0};
  for (uint64_t id = 2; id < 1002; id++) {
    CHECK(hp_send_ping(s.async, NULL, &id, sizeof id) == id);
    add_pong(&answers, id, "y");
  }
  CHECK(hp_async_in_flight(s.async) == 1000);
  bytes sent = session_sent(&s);
  CHECK(sent.size > 1000 * 12);
  bytes_free(&sent);
  session_feed(&s, &answers);
  bytes_free(&answers);
  CHECK(s.replies == 1000 && s.closed_count == 0 && hp_async_in_flight(s.async) == 0);
  const char *at = s.log;
  for (int id = 2; id < 1002; id++) {
    char line[64];
    snprintf(line, sizeof line, "reply 3 to %d\n", id);
    at = strstr(at, line);
    if (at == NULL) {
      check_failed("order", id, "replies come in the order of the requests");
      break;
    }
  }
  session_close(&s);
}

TEST(stops_at_the_servers_limit_of_requests) {
  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  for (int i = 0; i < 1024; i++) CHECK(hp_send_ping(s.async, NULL, NULL, 0) != 0);
  CHECK(hp_send_ping(s.async, NULL, NULL, 0) == 0);
  CHECK(hp_async_error(s.async)->kind == HP_ERROR_FULL);
  bytes answer = {NULL, 0, 0};
  add_pong(&answer, 2, "");
  session_feed(&s, &answer);
  bytes_free(&answer);
  CHECK(hp_send_ping(s.async, NULL, NULL, 0) == 1026);
  session_close(&s);
}

TEST(tells_the_reason_of_a_goodbye_after_a_failed_write) {
  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  session_subscribe(&s, 3);
  /* The goodbye is there, but a write comes first and finds the connection closed: no SIGPIPE,
   * and the reason is read all the same (contract F7). */
  bytes stream = {NULL, 0, 0};
  add_progress(&stream, 3, 50);
  add_goodbye(&stream, HP__V1__ERROR_CODE__TOO_SLOW, "You read too slowly.");
  CHECK(send(s.peer, stream.data, stream.size, MSG_NOSIGNAL) == (ssize_t)stream.size);
  close(s.peer);
  s.peer = -1;
  CHECK(hp_send_ping(s.async, NULL, NULL, 0) != 0);
  CHECK(hp_async_process(s.async, POLLOUT) == false);
  CHECK(s.events == 1 && s.closed_count == 1 && s.closed.kind == HP_ERROR_GOODBYE);
  CHECK(s.closed.code == HP_CODE_TOO_SLOW);
  CHECK_TEXT(hp_error_message(&s.closed), "You read too slowly.");
  CHECK(hp_async_fd(s.async) == -1 && hp_async_events(s.async) == 0);
  CHECK(!hp_async_is_open(s.async) && !hp_async_process(s.async, 0));
  CHECK(hp_send_ping(s.async, NULL, NULL, 0) == 0);
  CHECK(hp_async_error(s.async)->kind == HP_ERROR_GOODBYE);
  CHECK(s.closed_count == 1);
  bytes_free(&stream);
  session_close(&s);
}

TEST(tells_of_an_end_without_a_reason) {
  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  CHECK(hp_send_ping(s.async, NULL, NULL, 0) != 0);
  session_work(&s);
  /* Closed with unread input: the kernel says ECONNRESET. */
  close(s.peer);
  s.peer = -1;
  session_work(&s);
  CHECK(s.closed_count == 1 && s.closed.kind == HP_ERROR_CLOSED);
  CHECK(hp_error_is_temporary(&s.closed) && s.replies == 0);
  session_close(&s);

  /* Writing fails, nothing is said, and the other side of the socket stays open. */
  session_ready(&s, NULL);
  shutdown(s.peer, SHUT_RD);
  CHECK(hp_send_ping(s.async, NULL, NULL, 0) != 0);
  CHECK(hp_async_process(s.async, POLLOUT));
  int wait = hp_async_timeout(s.async);
  CHECK(wait > 0 && wait <= 1000 && hp_async_events(s.async) == POLLIN);
  poll(NULL, 0, wait + 1);
  hp_async_process(s.async, 0);
  CHECK(s.closed_count == 1 && s.closed.kind == HP_ERROR_CLOSED);
  session_close(&s);
}

TEST(may_be_freed_in_any_callback) {
  static const char *const places[] = {"hello", "reply", "event", "goodbye", "closed"};
  bytes stream = whole_stream();
  for (size_t i = 0; i < 5; i++) {
    session s = {.free_in = places[i]};
    begin_stream(&s);
    session_feed(&s, &stream);
    CHECK(s.async == NULL);
    session_close(&s);
  }
  bytes_free(&stream);
}

/* Sends a ping from each callback and closes on the third reply. */
typedef struct chain {
  int replies;
  int closed;
} chain;

static void chain_hello(hp_async *async, const hp_hello *hello, void *context) {
  (void)hello;
  (void)context;
  CHECK(hp_send_ping(async, NULL, NULL, 0) != 0);
}

static void chain_reply(hp_async *async, hp_reply *reply, void *context) {
  chain *c = context;
  hp_reply_free(reply);
  c->replies += 1;
  CHECK(hp_async_process(async, POLLIN)); /* does nothing here, and does no harm */
  if (c->replies == 3) {
    hp_async_close(async);
    CHECK(hp_send_ping(async, NULL, NULL, 0) == 0);
  } else {
    CHECK(hp_send_ping(async, NULL, NULL, 0) != 0);
  }
}

static void chain_closed(hp_async *async, const hp_error *error, void *context) {
  (void)async;
  (void)error;
  ((chain *)context)->closed += 1;
}

TEST(may_send_and_close_in_callbacks) {
  chain c = {0, 0};
  hp_callbacks callbacks = {.hello = chain_hello, .reply = chain_reply, .closed = chain_closed};
  int fds[2];
  CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0);
  hp_async *async = hp_async_new(NULL, &callbacks, &c);
  CHECK(hp_async_adopt(async, fds[0]));
  bytes stream = {NULL, 0, 0};
  add_hello(&stream);
  for (uint64_t id = 2; id < 6; id++) {
    CHECK(send(fds[1], stream.data, stream.size, MSG_NOSIGNAL) == (ssize_t)stream.size);
    bytes_free(&stream);
    hp_async_process(async, POLLIN);
    add_pong(&stream, id, "");
  }
  CHECK(c.replies == 3 && c.closed == 0 && !hp_async_is_open(async));
  CHECK(hp_async_error(async)->kind == HP_ERROR_STATE);
  bytes_free(&stream);
  hp_async_free(async);
  close(fds[1]);
}

TEST(ends_when_the_hello_does_not_come) {
  session s = {.free_in = NULL};
  hp_async_options options = {.connect_timeout = 20};
  session_open(&s, &options);
  int wait = hp_async_timeout(s.async);
  CHECK(wait >= 0 && wait <= 20);
  poll(NULL, 0, wait + 1);
  CHECK(!hp_async_process(s.async, 0));
  CHECK(s.closed.kind == HP_ERROR_TIMEOUT && s.closed_count == 1);
  session_close(&s);

  /* The server refuses it. */
  session_open(&s, NULL);
  bytes stream = {NULL, 0, 0};
  add_error(&stream, 1, HP__V1__ERROR_CODE__NOT_PERMITTED, "Not you.");
  session_feed(&s, &stream);
  bytes_free(&stream);
  CHECK(s.closed.kind == HP_ERROR_SERVER && s.closed.code == HP_CODE_NOT_PERMITTED);
  session_close(&s);
}

static int listen_at(const char *path, int backlog) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (bind(fd, (struct sockaddr *)&address, sizeof address) != 0) check_failed(path, 0, "bind");
  if (listen(fd, backlog) != 0) check_failed(path, 0, "listen");
  return fd;
}

TEST(connects_or_says_why_not) {
  char folder[] = "/tmp/hpclient-test-XXXXXX";
  char path[64];
  CHECK(mkdtemp(folder) != NULL);
  snprintf(path, sizeof path, "%s/s", folder);

  hp_async *async = hp_async_new(NULL, NULL, NULL);
  CHECK(!hp_async_connect(async, path));
  CHECK(hp_async_error(async)->kind == HP_ERROR_CONNECT);
  CHECK(hp_async_error(async)->system == ENOENT);
  CHECK(strstr(hp_async_error(async)->message, path) != NULL);
  CHECK(!hp_async_connect(async, path)); /* one connection each */
  hp_async_free(async);

  int listener = listen_at(path, 8);
  async = hp_async_new(NULL, NULL, NULL);
  CHECK(hp_async_fd(async) == -1 && hp_async_timeout(async) == -1);
  CHECK(hp_send_ping(async, NULL, NULL, 0) == 2); /* before connecting is early enough */
  CHECK(hp_async_connect(async, path));
  CHECK(hp_async_fd(async) >= 0 && hp_async_events(async) == (POLLIN | POLLOUT));
  CHECK(hp_async_process(async, POLLOUT));
  int peer = accept(listener, NULL, NULL);
  uint8_t got[256];
  ssize_t size = recv(peer, got, sizeof got, 0);
  CHECK(size > 4 && got[1] == 0x08 && got[2] == 1); /* the hello stands first */
  close(peer);
  hp_async_free(async);
  close(listener);

  async = hp_async_new(NULL, NULL, NULL);
  CHECK(!hp_async_connect(async, path)); /* a socket that nobody listens at */
  CHECK(hp_async_error(async)->kind == HP_ERROR_CONNECT);
  CHECK(hp_async_error(async)->system == ECONNREFUSED);
  CHECK(hp_error_is_temporary(hp_async_error(async)));
  hp_async_free(async);

  /* Options that can't be sent are told when it connects. */
  hp_async_options options = {.actor = "\xff"};
  async = hp_async_new(&options, NULL, NULL);
  CHECK(async != NULL && !hp_async_connect(async, path));
  CHECK(hp_async_error(async)->kind == HP_ERROR_ARGUMENT);
  hp_async_free(async);
  unlink(path);
  rmdir(folder);
}

TEST(waits_for_a_full_listener) {
  char folder[] = "/tmp/hpclient-test-XXXXXX";
  char path[64];
  CHECK(mkdtemp(folder) != NULL);
  snprintf(path, sizeof path, "%s/s", folder);
  int listener = listen_at(path, 0);
  hp_async *first = hp_async_new(NULL, NULL, NULL);
  CHECK(hp_async_connect(first, path) && hp_async_fd(first) >= 0);

  hp_async_options options = {.connect_timeout = 60};
  hp_async *second = hp_async_new(&options, NULL, NULL);
  CHECK(hp_async_connect(second, path));
  CHECK(hp_async_fd(second) == -1 && hp_async_is_open(second));
  hp_async *third = hp_async_new(NULL, NULL, NULL);
  CHECK(hp_async_connect(third, path));

  /* The second one's time runs out; the third gets in once the first was accepted. */
  int wait;
  while (hp_async_is_open(second) && (wait = hp_async_timeout(second)) >= 0) {
    poll(NULL, 0, wait);
    hp_async_process(second, 0);
  }
  CHECK(hp_async_error(second)->kind == HP_ERROR_TIMEOUT);
  int accepted = accept(listener, NULL, NULL);
  wait = hp_async_timeout(third);
  poll(NULL, 0, wait < 0 ? 0 : wait);
  CHECK(hp_async_process(third, 0));
  CHECK(hp_async_fd(third) >= 0);
  close(accepted);
  hp_async_free(first);
  hp_async_free(second);
  hp_async_free(third);
  close(listener);
  unlink(path);
  rmdir(folder);
}
