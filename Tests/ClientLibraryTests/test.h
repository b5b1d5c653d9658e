/*
 * A small frame for the tests, and the other end of a connection.
 *
 * Every test is a function of no arguments listed in main.c. CHECK counts; a test passes when
 * none of its checks failed. The suite closes with the line "N passed, N failed".
 */
#ifndef TEST_H
#define TEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "hp/client.h"
#include "hp/v1/frame.pb-c.h"

void check_failed(const char *file, int line, const char *what);

#define CHECK(condition)                                             \
  do {                                                               \
    if (!(condition)) check_failed(__FILE__, __LINE__, #condition);  \
  } while (0)

#define CHECK_TEXT(text, expected)                                                   \
  do {                                                                               \
    const char *text_ = (text);                                                      \
    if (text_ == NULL || strcmp(text_, (expected)) != 0) {                           \
      check_failed(__FILE__, __LINE__, #text " is \"" expected "\"");                \
      fprintf(stderr, "  it is \"%s\"\n", text_ == NULL ? "(null)" : text_);         \
    }                                                                                \
  } while (0)

/* bytes.c: growing byte strings, and server frames in them. */

typedef struct bytes {
  uint8_t *data;
  size_t size;
  size_t capacity;
} bytes;

void bytes_add(bytes *to, const void *data, size_t size);
void bytes_add_byte(bytes *to, uint8_t byte);
void bytes_add_varint(bytes *to, uint64_t value);
void bytes_free(bytes *bytes);

/** A length and the message. */
void add_message(bytes *to, const ProtobufCMessage *message);
void add_reply(bytes *to, uint64_t id, Hp__V1__Reply reply);
void add_event(bytes *to, uint64_t subscription, uint64_t from, uint32_t part, bool last,
               Hp__V1__Event event);
void add_hello(bytes *to);
void add_pong(bytes *to, uint64_t id, const char *payload);
void add_done(bytes *to, uint64_t id);
void add_error(bytes *to, uint64_t id, Hp__V1__ErrorCode code, const char *message);
void add_subscribed(bytes *to, uint64_t id, uint64_t subscription);
void add_progress(bytes *to, uint64_t subscription, uint64_t revision);
void add_goodbye(bytes *to, Hp__V1__ErrorCode code, const char *message);
/** A frame whose server message is `body` as it stands. */
void add_raw(bytes *to, const void *body, size_t size);

/** The frame of Proto/golden/NAME.hex. */
bytes golden(const char *name);

/* session.c: a connection over a socketpair, driven by the test, that logs what it is called
 * back with. */

typedef struct session {
  hp_async *async;
  int peer;
  char log[65536];
  size_t logged;
  hp_error closed;
  int closed_count;
  hp_reply *last_reply;  /* owned */
  hp_event *last_event;  /* owned */
  int replies;
  int progresses;
  uint64_t taken;
  int events;
  /* What to do inside a callback. */
  const char *free_in; /* "hello", "reply", "event", "goodbye", "closed" */
} session;

/** Opens a session. The hello is not answered. */
void session_open(session *s, const hp_async_options *options);
/** Opens a session and answers its hello. */
void session_ready(session *s, const hp_async_options *options);
/** Gives bytes to the connection and lets it work until it has nothing to do. */
void session_feed(session *s, const bytes *from);
void session_feed_some(session *s, const uint8_t *data, size_t size);
void session_work(session *s);
/** All bytes that the connection sent and nobody took yet. */
bytes session_sent(session *s);
/** Sends and answers pings until the next request has this id. */
void session_advance(session *s, uint64_t id);
/** Subscribes and is given this number. */
void session_subscribe(session *s, uint64_t subscription);
void session_close(session *s);

/* allocator.c: an allocator that counts and can fail. */

typedef struct failing {
  long calls;
  long fail_at; /* this call fails, and all later ones when `for_good`; 0: none */
  bool for_good;
  long living;
} failing;

hp_allocator failing_allocator(failing *state);

/* server.c: a scripted server on a thread, for the blocking layer. */

typedef struct script_step {
  uint32_t request; /* field number of the request to wait for; 0: none */
  bytes answer;     /* sent then; owned by the script */
  int pause;        /* milliseconds before the answer */
  bool close;       /* closes after the answer */
} script_step;

typedef struct server server;

/** Begins to serve `steps` on one end of a socketpair; `fd` gets the other. */
server *server_begin(script_step *steps, size_t count, int *fd);
/** Begins to serve `steps` on a socket of its own, at `*path`: each connection plays on up to a step
 * that closes. */
server *server_listen(script_step *steps, size_t count, const char **path);
/** Waits for the end of the script. Returns whether it went as written. */
bool server_end(server *server);

typedef void test_function(void);
#define TEST(name) void name(void)

#endif
