/*
 * A strict checker of what a server sends: grammar SOCKET SEED REQUESTS
 *
 * The store has the tables "items" and "quiet", which nobody changes.
 *
 * It speaks the protocol over a plain socket, by the schema's generated code alone, keeps 64 random
 * requests in flight (batches that are applied, refused or change nothing, reads, subscriptions that
 * come and go, barriers), and holds every frame against contracts K1, K2, K8 and F6:
 *   - replies come in the order of the requests, each of the kind that fits;
 *   - no event of a subscription comes before the reply that gave it its number, none after the
 *     reply to its end; numbers rise;
 *   - between the parts of a revision or a snapshot nothing else of that subscription comes;
 *   - every change, mark and live begins where the one before ended, and goes forward;
 *   - the reply to a change comes before the event of it, and names its revision;
 *   - no mark or barrier is ahead of an event: what it covers has come;
 *   - in the end each subscription has seen each applied batch since its begin exactly once.
 * Prints what it saw and "well formed", or the first fault and exit status 1.
 */
#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "hp/v1/frame.pb-c.h"

enum { IN_FLIGHT = 64, SUBSCRIPTIONS = 8, REQUESTS = 100000 };

typedef enum want { WANT_BATCH, WANT_ROWS, WANT_PONG, WANT_DONE, WANT_SUBSCRIBED, WANT_HELLO } want;

typedef struct asked {
  uint64_t id;
  want want;
  uint64_t subscription; /* of unsubscribe and barrier */
  uint64_t token;
  uint64_t known; /* the newest revision that was known when a barrier was asked for */
  bool quiet;     /* a subscription to the table that nobody changes */
} asked;

typedef struct watched {
  uint64_t id; /* 0: free */
  bool ending; /* unsubscribe is under way */
  bool quiet;
  bool live;
  bool has_cursor;
  uint64_t cursor;
  uint64_t begin;     /* the cursor it began at */
  uint64_t parts;     /* of what is under way; 0: nothing */
  bool in_snapshot;
  uint64_t from;
  uint64_t revision;  /* of the change under way */
  size_t own;         /* own batches that were seen */
} watched;

static uint32_t seed;
static int fd;
static uint64_t last_id;
static asked queue[IN_FLIGHT];
static size_t first, waiting;
static watched subscriptions[SUBSCRIPTIONS];
static uint64_t last_subscription;
static uint64_t client;
static uint64_t newest; /* revision that any reply or event told */
static asked barriers[IN_FLIGHT * 2];
static size_t barrier_count;
static uint64_t last_token;
/* Revisions by request: of the replies that came, and how many. */
static uint64_t replied[REQUESTS];
static uint64_t applied[REQUESTS];
static size_t applied_count;
static struct { size_t replies, refusals, changes, marks, barriers, parts, snapshots; } seen;

static void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  printf("fault: ");
  vprintf(format, arguments);
  va_end(arguments);
  printf(" (after %zu replies, %zu changes)\n", seen.replies, seen.changes);
  fflush(stdout);
  _Exit(1);
}

static uint32_t below(uint32_t limit) {
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 8) % limit;
}

/* Sending */

static uint8_t output[1 << 20];
static size_t output_size;

static void queue_frame(Hp__V1__ClientFrame *frame, asked what) {
  frame->has_id = true;
  frame->id = what.id = ++last_id;
  size_t size = hp__v1__client_frame__get_packed_size(frame);
  for (size_t left = size;;) {
    output[output_size++] = (uint8_t)((left & 127) | (left > 127 ? 128 : 0));
    left >>= 7;
    if (left == 0) break;
  }
  output_size += hp__v1__client_frame__pack(frame, output + output_size);
  queue[(first + waiting++) % IN_FLIGHT] = what;
}

static Hp__V1__TableRef items(void) {
  Hp__V1__TableRef table = HP__V1__TABLE_REF__INIT;
  table.ref_case = HP__V1__TABLE_REF__REF_NAME;
  table.name = (char *)"items";
  return table;
}

static void ask_hello(void) {
  Hp__V1__ClientFrame frame = HP__V1__CLIENT_FRAME__INIT;
  Hp__V1__Hello hello = HP__V1__HELLO__INIT;
  hello.has_version_min = hello.has_version_max = true;
  hello.version_min = hello.version_max = 1;
  hello.client_name = (char *)"grammar";
  frame.request_case = HP__V1__CLIENT_FRAME__REQUEST_HELLO;
  frame.hello = &hello;
  queue_frame(&frame, (asked){.want = WANT_HELLO});
}

/* Rows go in at the front; now and then the path, the section or the value is one that is refused,
 * or the title is the one that the section has already. */
static void ask_batch(void) {
  Hp__V1__ClientFrame frame = HP__V1__CLIENT_FRAME__INIT;
  Hp__V1__Batch batch = HP__V1__BATCH__INIT;
  Hp__V1__Basis basis = HP__V1__BASIS__INIT;
  Hp__V1__TableRef table = items();
  Hp__V1__Operation operations[4];
  Hp__V1__Operation *pointers[4];
  Hp__V1__InsertRow inserts[4];
  Hp__V1__DeleteRow gone[4];
  Hp__V1__RowRef rows[4];
  Hp__V1__Place places[4];
  Hp__V1__Path paths[4];
  Hp__V1__NewRow made[4];
  Hp__V1__Cell cells[4];
  Hp__V1__Cell *cell_pointers[4];
  char text[4][2048];
  size_t count = 1 + below(4);
  bool grows = below(10) < 6;
  for (size_t i = 0; i < count; i++) {
    hp__v1__operation__init(&operations[i]);
    hp__v1__path__init(&paths[i]);
    pointers[i] = &operations[i];
    paths[i].has_section = paths[i].has_row = true;
    paths[i].section = below(30) == 0 ? 77 : 0;
    paths[i].row = below(25) == 0 ? 1 << 20 : 0;
    if (grows) {
      hp__v1__insert_row__init(&inserts[i]);
      hp__v1__place__init(&places[i]);
      hp__v1__new_row__init(&made[i]);
      hp__v1__cell__init(&cells[i]);
      memset(text[i], 'a' + (int)below(26), sizeof text[i]);
      text[i][below(below(20) == 0 ? 2047 : 20)] = 0;
      cells[i].column_name = (char *)(below(40) == 0 ? "nothing" : "name");
      cells[i].value_case = HP__V1__CELL__VALUE_TEXT;
      cells[i].text = text[i];
      cell_pointers[i] = &cells[i];
      made[i].n_cells = 1;
      made[i].cells = &cell_pointers[i];
      places[i].place_case = HP__V1__PLACE__PLACE_PATH;
      places[i].path = &paths[i];
      inserts[i].at = &places[i];
      inserts[i].row = &made[i];
      operations[i].operation_case = HP__V1__OPERATION__OPERATION_INSERT_ROW;
      operations[i].insert_row = &inserts[i];
    } else {
      hp__v1__delete_row__init(&gone[i]);
      hp__v1__row_ref__init(&rows[i]);
      rows[i].ref_case = HP__V1__ROW_REF__REF_PATH;
      rows[i].path = &paths[i];
      gone[i].row = &rows[i];
      operations[i].operation_case = HP__V1__OPERATION__OPERATION_DELETE_ROW;
      operations[i].delete_row = &gone[i];
    }
  }
  basis.basis_case = HP__V1__BASIS__BASIS_CURRENT;
  basis.current = true;
  batch.table = &table;
  batch.basis = &basis;
  batch.n_operations = count;
  batch.operations = pointers;
  frame.request_case = HP__V1__CLIENT_FRAME__REQUEST_BATCH;
  frame.batch = &batch;
  queue_frame(&frame, (asked){.want = WANT_BATCH});
}

/* Every row gets a new text: a revision that comes in parts where there are enough of them. */
static void ask_large_batch(void) {
  Hp__V1__ClientFrame frame = HP__V1__CLIENT_FRAME__INIT;
  Hp__V1__Batch batch = HP__V1__BATCH__INIT;
  Hp__V1__TableRef table = items();
  Hp__V1__Operation operation = HP__V1__OPERATION__INIT;
  Hp__V1__Operation *operations[] = {&operation};
  Hp__V1__UpdateWhere update = HP__V1__UPDATE_WHERE__INIT;
  Hp__V1__Filter filter = HP__V1__FILTER__INIT;
  Hp__V1__Cell cell = HP__V1__CELL__INIT;
  Hp__V1__Cell *cells[] = {&cell};
  static char text[1001];
  memset(text, 'a' + (int)below(26), 1000);
  cell.column_name = (char *)"serial";
  cell.value_case = HP__V1__CELL__VALUE_TEXT;
  cell.text = text;
  update.filter = &filter;
  update.n_cells = 1;
  update.cells = cells;
  operation.operation_case = HP__V1__OPERATION__OPERATION_UPDATE_WHERE;
  operation.update_where = &update;
  batch.table = &table;
  batch.n_operations = 1;
  batch.operations = operations;
  frame.request_case = HP__V1__CLIENT_FRAME__REQUEST_BATCH;
  frame.batch = &batch;
  queue_frame(&frame, (asked){.want = WANT_BATCH});
}

static void ask_rows(void) {
  Hp__V1__ClientFrame frame = HP__V1__CLIENT_FRAME__INIT;
  Hp__V1__ListRows list = HP__V1__LIST_ROWS__INIT;
  Hp__V1__TableRef table = items();
  list.table = &table;
  list.has_count = true;
  list.count = 1 + below(20);
  frame.request_case = HP__V1__CLIENT_FRAME__REQUEST_LIST_ROWS;
  frame.list_rows = &list;
  queue_frame(&frame, (asked){.want = WANT_ROWS});
}

static void ask_ping(void) {
  Hp__V1__ClientFrame frame = HP__V1__CLIENT_FRAME__INIT;
  Hp__V1__Ping ping = HP__V1__PING__INIT;
  frame.request_case = HP__V1__CLIENT_FRAME__REQUEST_PING;
  frame.ping = &ping;
  queue_frame(&frame, (asked){.want = WANT_PONG});
}

static void ask_subscribe(bool quiet) {
  Hp__V1__ClientFrame frame = HP__V1__CLIENT_FRAME__INIT;
  Hp__V1__Subscribe subscribe = HP__V1__SUBSCRIBE__INIT;
  Hp__V1__TableRef table = items();
  uint32_t which = quiet ? 0 : below(4);
  if (which == 0) table.name = (char *)"quiet";
  if (which != 1) subscribe.table = &table;
  subscribe.has_only_live = below(4) == 0;
  subscribe.only_live = subscribe.has_only_live;
  frame.request_case = HP__V1__CLIENT_FRAME__REQUEST_SUBSCRIBE;
  frame.subscribe = &subscribe;
  queue_frame(&frame, (asked){.want = WANT_SUBSCRIBED, .quiet = which == 0});
}

static void ask_unsubscribe(watched *which) {
  Hp__V1__ClientFrame frame = HP__V1__CLIENT_FRAME__INIT;
  Hp__V1__Unsubscribe unsubscribe = HP__V1__UNSUBSCRIBE__INIT;
  unsubscribe.has_subscription = true;
  unsubscribe.subscription = which->id;
  which->ending = true;
  frame.request_case = HP__V1__CLIENT_FRAME__REQUEST_UNSUBSCRIBE;
  frame.unsubscribe = &unsubscribe;
  queue_frame(&frame, (asked){.want = WANT_DONE, .subscription = which->id});
}

static void ask_barrier(uint64_t subscription) {
  Hp__V1__ClientFrame frame = HP__V1__CLIENT_FRAME__INIT;
  Hp__V1__Barrier barrier = HP__V1__BARRIER__INIT;
  barrier.has_subscription = barrier.has_token = true;
  barrier.subscription = subscription;
  barrier.token = ++last_token;
  frame.request_case = HP__V1__CLIENT_FRAME__REQUEST_BARRIER;
  frame.barrier = &barrier;
  queue_frame(&frame, (asked){.want = WANT_DONE, .subscription = subscription,
                              .token = last_token, .known = newest});
}

static watched *any_subscription(void) {
  watched *which = &subscriptions[below(SUBSCRIPTIONS)];
  /* The first one stays: there is always one that is told by marks alone. */
  return which->id > 1 && !which->ending ? which : NULL;
}

static size_t subscription_count(void) {
  size_t count = 0;
  for (size_t i = 0; i < SUBSCRIPTIONS; i++) count += subscriptions[i].id != 0;
  for (size_t i = 0; i < waiting; i++) {
    count += queue[(first + i) % IN_FLIGHT].want == WANT_SUBSCRIBED;
  }
  return count;
}

static void ask_something(void) {
  watched *which = any_subscription();
  uint32_t kind = below(100);
  if (kind < 4 && subscription_count() < SUBSCRIPTIONS) {
    ask_subscribe(false);
  } else if (kind < 6 && which != NULL) {
    ask_unsubscribe(which);
  } else if (kind < 10 && barrier_count < IN_FLIGHT) {
    ask_barrier(which != NULL && below(2) ? which->id : 0);
  } else if (kind < 20) {
    ask_rows();
  } else if (kind < 25) {
    ask_ping();
  } else if (below(150) == 0) {
    ask_large_batch();
  } else {
    ask_batch();
  }
}

/* Replies */

static void take_batch(const asked *what, const Hp__V1__Reply *reply) {
  if (reply->result_case != HP__V1__REPLY__RESULT_BATCH) fail("reply %" PRIu64 " is no batch", what->id);
  uint64_t revision = reply->batch->cursor->revision;
  if (revision > newest) newest = revision;
  if (reply->batch->unchanged) return;
  replied[what->id] = revision;
  if (applied_count > 0 && revision <= applied[applied_count - 1]) fail("revisions do not rise");
  applied[applied_count++] = revision;
}

static void take_subscribed(const asked *what, const Hp__V1__Reply *reply) {
  if (reply->result_case != HP__V1__REPLY__RESULT_SUBSCRIBED) fail("no subscription");
  const Hp__V1__SubscribeReply *told = reply->subscribed;
  if (told->subscription <= last_subscription) fail("a subscription's number does not rise");
  last_subscription = told->subscription;
  size_t at = 0;
  while (at < SUBSCRIPTIONS && subscriptions[at].id != 0) at++;
  if (at == SUBSCRIPTIONS) fail("too many subscriptions");
  subscriptions[at] = (watched){.id = told->subscription, .quiet = what->quiet};
  if (!told->snapshot) {
    subscriptions[at].has_cursor = true;
    subscriptions[at].cursor = subscriptions[at].begin = told->from->revision;
  }
}

static void take_reply(const Hp__V1__Reply *reply) {
  if (waiting == 0) fail("a reply to nothing");
  asked what = queue[first];
  first = (first + 1) % IN_FLIGHT;
  waiting -= 1;
  seen.replies += 1;
  if (reply->id != what.id) fail("reply to %" PRIu64 ", due is %" PRIu64, reply->id, what.id);
  if (reply->more) fail("a reply in parts");
  if (reply->result_case == HP__V1__REPLY__RESULT_ERROR) {
    if (what.want != WANT_BATCH && what.want != WANT_ROWS) fail("refused: %s", reply->error->message);
    seen.refusals += 1;
    return;
  }
  switch (what.want) {
    case WANT_BATCH: take_batch(&what, reply); break;
    case WANT_SUBSCRIBED: take_subscribed(&what, reply); break;
    case WANT_HELLO:
      if (reply->result_case != HP__V1__REPLY__RESULT_HELLO) fail("no hello");
      client = reply->hello->client;
      newest = reply->hello->revision;
      break;
    case WANT_ROWS:
      if (reply->result_case != HP__V1__REPLY__RESULT_ROWS) fail("no rows");
      if (reply->rows->cursor->revision > newest) newest = reply->rows->cursor->revision;
      break;
    case WANT_PONG:
      if (reply->result_case != HP__V1__REPLY__RESULT_PONG) fail("no pong");
      break;
    case WANT_DONE:
      if (reply->result_case != HP__V1__REPLY__RESULT_DONE) fail("not done");
      if (what.token != 0) {
        barriers[barrier_count++] = what;
        break;
      }
      for (size_t i = 0; i < SUBSCRIPTIONS; i++) {
        if (subscriptions[i].id == what.subscription) subscriptions[i].id = 0;
      }
      break;
  }
}

/* Events */

static watched *find(uint64_t id) {
  for (size_t i = 0; i < SUBSCRIPTIONS; i++) {
    if (subscriptions[i].id == id) return &subscriptions[i];
  }
  fail("an event of subscription %" PRIu64 ", which is not there", id);
  return NULL;
}

static void forward(watched *which, uint64_t from, uint64_t revision, bool strictly) {
  if (!which->has_cursor || which->in_snapshot) fail("nothing to go on from");
  if (from != which->cursor) {
    fail("from %" PRIu64 " where %" PRIu64 " was reached", from, which->cursor);
  }
  if (revision < from || (strictly && revision == from)) fail("it does not go forward");
}

static void take_change(watched *which, const Hp__V1__Event *event) {
  const Hp__V1__Change *change = event->change;
  seen.parts += !event->last;
  if (which->parts == 0) {
    forward(which, event->from, change->revision, true);
    which->from = event->from;
    which->revision = change->revision;
    if (change->client == client) {
      if (change->request >= REQUESTS || replied[change->request] != change->revision) {
        fail("the event of request %" PRIu64 " comes before its reply", change->request);
      }
      which->own += 1;
    }
  } else if (change->revision != which->revision || event->from != which->from) {
    fail("parts of two revisions");
  }
  if (event->part != which->parts) fail("part %u, due is %" PRIu64, event->part, which->parts);
  which->parts = event->last ? 0 : which->parts + 1;
  if (!event->last) return;
  which->cursor = change->revision;
  if (change->revision > newest) newest = change->revision;
  seen.changes += 1;
}

static void take_snapshot(watched *which, const Hp__V1__Event *event) {
  if (which->has_cursor && !which->in_snapshot) fail("a snapshot in the middle");
  if (event->body_case == HP__V1__EVENT__BODY_SNAPSHOT && event->part == 0) {
    which->in_snapshot = true;
    which->cursor = which->begin = event->snapshot->cursor->revision;
  }
  if (!which->in_snapshot || event->part != which->parts) fail("a part of a snapshot is missing");
  which->parts += 1;
  if (!event->last) return;
  which->parts = 0;
  which->in_snapshot = false;
  which->has_cursor = true;
  seen.snapshots += 1;
}

static void take_barrier(const Hp__V1__Event *event) {
  size_t at = 0;
  while (at < barrier_count && barriers[at].token != event->barrier->token) at++;
  if (at == barrier_count) fail("a barrier that was not answered, or twice");
  asked what = barriers[at];
  if (what.subscription != event->subscription) fail("a barrier of another subscription");
  if (event->barrier->revision < what.known) fail("a barrier behind what was known");
  for (size_t i = 0; i < SUBSCRIPTIONS; i++) {
    const watched *which = &subscriptions[i];
    if (which->id == 0 || (event->subscription != 0 && which->id != event->subscription)) continue;
    if (which->id == event->subscription && which->parts != 0) fail("a barrier between parts");
    /* One that began after the barrier was asked for is not its concern. */
    if (event->subscription == 0 && which->begin >= event->barrier->revision) continue;
    if (!which->has_cursor || which->cursor < event->barrier->revision) {
      fail("a barrier at %" PRIu64 " ahead of %" PRIu64, event->barrier->revision, which->cursor);
    }
  }
  memmove(&barriers[at], &barriers[at + 1], (barrier_count - at - 1) * sizeof *barriers);
  barrier_count -= 1;
  seen.barriers += 1;
}

static void take_event(const Hp__V1__Event *event) {
  if (event->body_case == HP__V1__EVENT__BODY_BARRIER) {
    /* One whose subscription ended meanwhile has no event. */
    take_barrier(event);
    return;
  }
  watched *which = find(event->subscription);
  bool is_snapshot = event->body_case == HP__V1__EVENT__BODY_SNAPSHOT ||
                     event->body_case == HP__V1__EVENT__BODY_ROWS;
  if (which->parts != 0 && which->in_snapshot != is_snapshot) fail("an event between parts");
  switch (event->body_case) {
    case HP__V1__EVENT__BODY_SNAPSHOT:
    case HP__V1__EVENT__BODY_ROWS: take_snapshot(which, event); break;
    case HP__V1__EVENT__BODY_CHANGE:
      if (which->parts != 0 && which->in_snapshot) fail("a change within a snapshot");
      take_change(which, event);
      break;
    case HP__V1__EVENT__BODY_LIVE:
      if (which->parts != 0 || which->live) fail("live twice, or between parts");
      forward(which, event->from, event->live->cursor->revision, false);
      which->cursor = event->live->cursor->revision;
      which->live = true;
      break;
    case HP__V1__EVENT__BODY_PROGRESS:
      if (which->parts != 0) fail("a mark between parts");
      forward(which, event->from, event->progress->revision, false);
      which->cursor = event->progress->revision;
      seen.marks += 1;
      break;
    case HP__V1__EVENT__BODY_ENDED: fail("ended: %d", (int)event->ended->reason); break;
    default: fail("an event of another kind: %d", (int)event->body_case);
  }
}

/* Reading and writing */

static void take_frame(const uint8_t *bytes, size_t size) {
  Hp__V1__ServerFrame *frame = hp__v1__server_frame__unpack(NULL, size, bytes);
  if (frame == NULL) fail("a frame that can't be read");
  switch (frame->frame_case) {
    case HP__V1__SERVER_FRAME__FRAME_REPLY: take_reply(frame->reply); break;
    case HP__V1__SERVER_FRAME__FRAME_EVENT: take_event(frame->event); break;
    case HP__V1__SERVER_FRAME__FRAME_GOODBYE: fail("goodbye: %s", frame->goodbye->message); break;
    default: fail("a frame of no kind");
  }
  hp__v1__server_frame__free_unpacked(frame, NULL);
}

static uint8_t input[8 << 20];
static size_t input_size;

static void take_input(void) {
  size_t at = 0;
  for (;;) {
    uint64_t length = 0;
    size_t prefix = 0;
    bool whole = false;
    while (at + prefix < input_size && !whole) {
      uint8_t byte = input[at + prefix];
      length |= (uint64_t)(byte & 127) << (7 * prefix);
      whole = byte < 128;
      prefix += 1;
    }
    if (!whole || input_size - at - prefix < length) break;
    take_frame(input + at + prefix, (size_t)length);
    at += prefix + (size_t)length;
  }
  memmove(input, input + at, input_size - at);
  input_size -= at;
}

static void turn(void) {
  struct pollfd polled = {fd, (short)(output_size > 0 ? POLLIN | POLLOUT : POLLIN), 0};
  if (poll(&polled, 1, 20000) <= 0) fail("the server says nothing for 20 seconds");
  if (polled.revents & POLLOUT) {
    ssize_t sent = send(fd, output, output_size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) {
      memmove(output, output + sent, output_size - (size_t)sent);
      output_size -= (size_t)sent;
    }
  }
  if (polled.revents & (POLLIN | POLLHUP)) {
    ssize_t got = recv(fd, input + input_size, sizeof input - input_size, MSG_DONTWAIT);
    if (got == 0) fail("the server closed the connection");
    if (got > 0) {
      input_size += (size_t)got;
      take_input();
    }
  }
}

/* Barriers that are due. One whose subscription ended has no event any more. */
static size_t barriers_due(void) {
  size_t due = 0;
  for (size_t i = 0; i < barrier_count; i++) {
    bool ended = barriers[i].subscription != 0;
    for (size_t j = 0; j < SUBSCRIPTIONS; j++) {
      ended = ended && subscriptions[j].id != barriers[i].subscription;
    }
    due += !ended;
  }
  return due;
}

static void check_all_seen(void) {
  for (size_t i = 0; i < SUBSCRIPTIONS; i++) {
    const watched *which = &subscriptions[i];
    if (which->id == 0) continue;
    size_t due = 0;
    for (size_t j = 0; j < applied_count && !which->quiet; j++) due += applied[j] > which->begin;
    if (which->own != due) {
      fail("subscription %" PRIu64 " saw %zu of %zu own changes", which->id, which->own, due);
    }
  }
}

int main(int count, char **arguments) {
  if (count != 4) return 2;
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(arguments[1]) >= sizeof address.sun_path) return 2;
  strcpy(address.sun_path, arguments[1]);
  seed = (uint32_t)strtoul(arguments[2], NULL, 10);
  size_t requests = strtoul(arguments[3], NULL, 10);
  if (requests > REQUESTS - 100) return 2;
  fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (connect(fd, (const struct sockaddr *)&address, sizeof address) != 0) fail("cannot connect");
  ask_hello();
  ask_subscribe(true);
  while (waiting > 0) turn();
  while (last_id < requests) {
    while (waiting < IN_FLIGHT && last_id < requests && output_size < sizeof output / 2) {
      ask_something();
    }
    turn();
  }
  while (waiting > 0) turn();
  ask_barrier(0);
  while (waiting > 0 || barriers_due() > 0) turn();
  check_all_seen();
  printf("%zu replies, %zu refusals, %zu changes, %zu marks, %zu barriers, %zu parts, "
         "%zu snapshots: well formed\n",
         seen.replies, seen.refusals, seen.changes, seen.marks, seen.barriers, seen.parts,
         seen.snapshots);
  close(fd);
  return 0;
}
