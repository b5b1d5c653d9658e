/* The blocking layer against a scripted server. */
#include <time.h>
#include <unistd.h>

#include "test.h"
#include "tests.h"

enum {
  HELLO = HP__V1__CLIENT_FRAME__REQUEST_HELLO,
  PING = HP__V1__CLIENT_FRAME__REQUEST_PING,
  SUBSCRIBE = HP__V1__CLIENT_FRAME__REQUEST_SUBSCRIBE,
  TABLES = HP__V1__CLIENT_FRAME__REQUEST_LIST_TABLES,
  BATCH = HP__V1__CLIENT_FRAME__REQUEST_BATCH
};

static bytes hello(void) {
  bytes stream = {NULL, 0, 0};
  add_hello(&stream);
  return stream;
}

static bytes pong(uint64_t id) {
  bytes stream = {NULL, 0, 0};
  add_pong(&stream, id, "pong");
  return stream;
}

static bytes refusal(uint64_t id) {
  bytes stream = {NULL, 0, 0};
  add_error(&stream, id, HP__V1__ERROR_CODE__STALE, "The table has changed.");
  return stream;
}

static bytes subscribed(uint64_t id, int events) {
  bytes stream = {NULL, 0, 0};
  add_subscribed(&stream, id, 3);
  for (int i = 0; i < events; i++) add_progress(&stream, 3, (uint64_t)i + 1);
  return stream;
}

static const bytes nothing = {NULL, 0, 0};

/* Returns the client; `*server` serves it. */
static hp_client *serve(script_step *steps, size_t count, server **server) {
  int fd;
  *server = server_begin(steps, count, &fd);
  hp_client *client = hp_client_new(NULL);
  CHECK(hp_client_adopt(client, fd));
  return client;
}

static void finish(hp_client *client, server *server) {
  hp_client_free(client);
  CHECK(server_end(server));
}

TEST(runs_requests_and_waits) {
  script_step steps[] = {
      {HELLO, hello(), 0, false}, {PING, pong(2), 5, false}, {PING, pong(3), 0, false}};
  server *server;
  hp_client *client = serve(steps, 3, &server);
  CHECK_TEXT(hp_client_hello(client)->server, "scripted");
  for (int i = 0; i < 2; i++) {
    hp_reply *reply = hp_run_ping(client, NULL, NULL, 0);
    CHECK(reply != NULL && hp_reply_pong(reply)->size == 4);
    hp_reply_free(reply);
  }
  CHECK(hp_client_error(client)->kind == HP_ERROR_NONE && hp_client_goodbye(client) == NULL);
  CHECK(hp_client_flush(client));
  finish(client, server);
}

TEST(keeps_an_error_until_it_is_cleared) {
  script_step steps[] = {
      {HELLO, hello(), 0, false}, {BATCH, refusal(2), 0, false}, {PING, pong(3), 0, false}};
  server *server;
  hp_client *client = serve(steps, 3, &server);
  hp_batch *batch = hp_batch_new(hp_table_named("items"), NULL);
  hp_batch_delete_row(batch, hp_row_id(7), HP_ANIMATION_DEFAULT);
  CHECK(hp_run_batch(client, NULL, batch) == NULL);
  hp_batch_free(batch);
  CHECK(hp_client_error(client)->kind == HP_ERROR_SERVER);
  CHECK(hp_client_error(client)->code == HP_CODE_STALE);
  CHECK_TEXT(hp_error_message(hp_client_error(client)), "The table has changed.");
  CHECK(hp_client_server_error(client)->code == HP_CODE_STALE);
  /* It sticks: the ping is not even sent. */
  CHECK(hp_run_ping(client, NULL, NULL, 0) == NULL);
  CHECK(hp_client_error(client)->kind == HP_ERROR_SERVER);
  CHECK(hp_client_clear_error(client));
  CHECK(hp_client_server_error(client) == NULL);
  hp_reply *reply = hp_run_ping(client, NULL, NULL, 0);
  CHECK(reply != NULL);
  hp_reply_free(reply);
  /* An error of this side sticks as well. */
  CHECK(hp_run_set_log_level(client, NULL, NULL) == NULL);
  CHECK(hp_client_error(client)->kind == HP_ERROR_ARGUMENT);
  CHECK(hp_run_ping(client, NULL, NULL, 0) == NULL && hp_client_clear_error(client));
  finish(client, server);
}

TEST(receives_pipelined_replies_in_any_order) {
  script_step steps[] = {{HELLO, hello(), 0, false},
                         {PING, nothing, 0, false},
                         {PING, pong(2), 0, false},
                         {PING, pong(3), 0, false},
                         {0, pong(4), 0, true}};
  server *server;
  hp_client *client = serve(steps, 5, &server);
  hp_async *async = hp_client_async(client);
  for (uint64_t id = 2; id < 5; id++) CHECK(hp_send_ping(async, NULL, NULL, 0) == id);
  static const uint64_t order[] = {4, 2, 3};
  for (size_t i = 0; i < 3; i++) {
    hp_reply *reply = hp_client_receive(client, order[i]);
    CHECK(reply != NULL && hp_reply_request(reply) == order[i]);
    hp_reply_free(reply);
  }
  /* The connection is over by now, or will be; there is no such reply in any case. */
  CHECK(hp_client_receive(client, 4) == NULL);
  CHECK(hp_client_error(client)->kind == HP_ERROR_ARGUMENT ||
        hp_client_error(client)->kind == HP_ERROR_CLOSED);
  finish(client, server);
}

TEST(waits_for_events) {
  script_step steps[] = {{HELLO, hello(), 0, false}, {SUBSCRIBE, subscribed(2, 2), 0, false}};
  server *server;
  hp_client *client = serve(steps, 2, &server);
  hp_reply *reply = hp_run_subscribe(client, NULL, NULL);
  CHECK(reply != NULL && hp_reply_subscribed(reply)->subscription == 3);
  hp_reply_free(reply);
  for (uint64_t revision = 1; revision < 3; revision++) {
    hp_event *event = hp_wait_event(client, 2000);
    CHECK(event != NULL && event->revision == revision);
    hp_event_free(event);
  }
  /* The script is at its end: the server closed. */
  CHECK(hp_wait_event(client, 2000) == NULL);
  CHECK(hp_client_error(client)->kind == HP_ERROR_CLOSED);
  CHECK(!hp_client_clear_error(client)); /* there is no way back */
  CHECK(hp_client_error(client)->kind == HP_ERROR_CLOSED);
  finish(client, server);
}

TEST(bounds_the_events_that_wait) {
  script_step steps[] = {{HELLO, hello(), 0, false},
                         {SUBSCRIBE, subscribed(2, 0), 0, false},
                         {PING, nothing, 0, false},
                         {0, nothing, 0, false}};
  for (int i = 0; i < 40; i++) add_progress(&steps[2].answer, 3, (uint64_t)i + 1);
  steps[3].answer = pong(3);
  steps[3].pause = 20;
  server *server;
  hp_client *client = serve(steps, 4, &server);
  hp_client_set_event_limit(client, 1000);
  hp_reply_free(hp_run_subscribe(client, NULL, NULL));
  uint64_t ping = hp_send_ping(hp_client_async(client), NULL, NULL, 0);
  CHECK(hp_client_receive(client, ping) == NULL);
  CHECK(hp_client_error(client)->kind == HP_ERROR_EVENTS_WAITING);
  CHECK(hp_client_clear_error(client));
  int taken = 0;
  hp_event *event;
  while (taken < 40 && (event = hp_wait_event(client, 2000)) != NULL) {
    CHECK(event->revision == (uint64_t)taken + 1);
    hp_event_free(event);
    taken += 1;
  }
  CHECK(taken == 40);
  hp_reply *reply = hp_client_receive(client, ping); /* nothing was lost */
  CHECK(reply != NULL);
  hp_reply_free(reply);
  finish(client, server);
}

TEST(times_out_and_goes_on) {
  script_step steps[] = {{HELLO, hello(), 0, false},
                         {PING, nothing, 0, false},
                         {TABLES, pong(2), 0, false},
                         {0, refusal(3), 0, false}};
  server *server;
  hp_client *client = serve(steps, 4, &server);
  hp_client_set_timeout(client, 20);
  CHECK(hp_run_ping(client, NULL, NULL, 0) == NULL);
  CHECK(hp_client_error(client)->kind == HP_ERROR_TIMEOUT);
  CHECK(hp_client_clear_error(client));
  hp_client_set_timeout(client, 0);
  /* The late reply is thrown away; the one behind it is found. */
  CHECK(hp_run_list_tables(client, NULL) == NULL);
  CHECK(hp_client_error(client)->kind == HP_ERROR_SERVER);
  CHECK(hp_client_clear_error(client));
  hp_event *event = hp_wait_event(client, 0);
  CHECK(event == NULL);
  finish(client, server);

  /* A server that accepts and says nothing. */
  script_step silent[] = {{HELLO, nothing, 200, false}};
  int fd;
  server = server_begin(silent, 1, &fd);
  hp_async_options options = {.connect_timeout = 20};
  client = hp_client_new(&options);
  CHECK(!hp_client_adopt(client, fd));
  CHECK(hp_client_error(client)->kind == HP_ERROR_TIMEOUT);
  CHECK(hp_run_ping(client, NULL, NULL, 0) == NULL);
  finish(client, server);
}

TEST(ends_with_a_goodbye) {
  script_step steps[] = {{HELLO, hello(), 0, false}, {SUBSCRIBE, subscribed(2, 1), 0, true}};
  bytes goodbye = golden("goodbye");
  bytes_add(&steps[1].answer, goodbye.data, goodbye.size);
  bytes_free(&goodbye);
  server *server;
  hp_client *client = serve(steps, 2, &server);
  /* The reply came before the end and is handed out. */
  uint64_t id = hp_send_subscribe(hp_client_async(client), NULL, NULL);
  hp_reply *reply = hp_client_receive(client, id);
  CHECK(reply != NULL);
  hp_reply_free(reply);
  hp_event *event = hp_wait_event(client, 2000);
  CHECK(event != NULL && event->kind == HP_EVENT_PROGRESS);
  hp_event_free(event);
  hp_event *last = hp_wait_event(client, 2000);
  CHECK(last != NULL && last->kind == HP_EVENT_GOODBYE);
  CHECK(hp_wait_event(client, 2000) == NULL);
  CHECK(hp_client_error(client)->kind == HP_ERROR_GOODBYE);
  CHECK(hp_client_error(client)->code == HP_CODE_SHUTTING_DOWN);
  CHECK(hp_client_goodbye(client)->reached_count == 2);
  CHECK(hp_run_ping(client, NULL, NULL, 0) == NULL);
  finish(client, server);
  /* The event lives on its own. */
  CHECK(last->goodbye->reached_count == 2 && last->goodbye->reached[1].revision == 58);
  CHECK_TEXT(last->goodbye->resume_token, "c12");
  hp_event_free(last);
}

TEST(survives_failing_allocations_while_it_waits) {
  long fail_at = 1;
  for (bool well = false; !well && fail_at < 500; fail_at++) {
    script_step steps[] = {{HELLO, hello(), 0, false}, {SUBSCRIBE, subscribed(2, 1), 0, true}};
    bytes goodbye = golden("goodbye");
    bytes_add(&steps[1].answer, goodbye.data, goodbye.size);
    bytes_free(&goodbye);
    failing state = {0, fail_at, false, 0};
    hp_allocator allocator = failing_allocator(&state);
    hp_async_options options = {.allocator = &allocator};
    int fd;
    server *server = server_begin(steps, 2, &fd);
    hp_client *client = hp_client_new(&options);
    if (client == NULL) {
      close(fd);
    } else if (hp_client_adopt(client, fd)) {
      hp_reply *reply = hp_run_subscribe(client, NULL, NULL);
      int events = 0;
      hp_event *event;
      while ((event = hp_wait_event(client, 2000)) != NULL) {
        events += 1;
        hp_event_free(event);
      }
      hp_error_kind kind = hp_client_error(client)->kind;
      CHECK(kind == HP_ERROR_MEMORY || (reply != NULL && kind == HP_ERROR_GOODBYE));
      well = state.calls < fail_at;
      CHECK(!well || (reply != NULL && events == 2 && kind == HP_ERROR_GOODBYE));
      hp_reply_free(reply);
    } else {
      CHECK(hp_client_error(client)->kind == HP_ERROR_MEMORY);
    }
    hp_client_free(client);
    server_end(server);
    for (size_t i = 0; i < 2; i++) bytes_free(&steps[i].answer);
    if (state.living != 0) check_failed("allocation", (int)fail_at, "all memory is given back");
  }
  CHECK(fail_at > 10 && fail_at < 500);
}

TEST(says_when_it_is_not_connected) {
  hp_client *client = hp_client_new(NULL);
  CHECK(hp_run_ping(client, NULL, NULL, 0) == NULL);
  CHECK(hp_client_error(client)->kind == HP_ERROR_STATE);
  CHECK(hp_client_clear_error(client));
  CHECK(hp_wait_event(client, 1000) == NULL);
  CHECK(hp_client_error(client)->kind == HP_ERROR_STATE);
  CHECK(hp_client_clear_error(client));
  CHECK(!hp_client_connect(client, "/nonexistent/hpd.sock"));
  CHECK(hp_client_error(client)->kind == HP_ERROR_CONNECT);
  CHECK(!hp_client_clear_error(client));
  hp_client_free(client);
  hp_client_free(NULL);
  hp_async_free(NULL);
  hp_reply_free(NULL);
  hp_event_free(NULL);
  hp_batch_free(NULL);
}
