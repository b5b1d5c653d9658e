// Puts load on hpd over its socket and counts replies: one thread, any number of connections,
// any number of requests in flight on each.
//
// usage: load SOCKET MODE CONNECTIONS IN_FLIGHT REQUESTS [ROWS]
// modes: get      a random row of ROWS by id
//        list     100 rows from a random place
//        insert   a row at the end
//        edit     insert, move and delete at random places of a table of ROWS rows
//        fill     ROWS rows, 500 a batch (REQUESTS is ignored)
//        echo     the bytes of `get`, for a peer that sends back what it gets
//
// One line on stdout: mode, connections, in flight, requests, seconds, requests a second,
// median and 99th percentile of the time from sending to the reply in microseconds.
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { BUFFER = 1 << 21, DEPTH = 1024 };

struct bytes {
  uint8_t *data;
  size_t count;
};

struct connection {
  int fd;
  uint8_t *in;
  size_t in_count;
  struct bytes out;
  size_t out_sent;
  uint64_t sent_at[DEPTH];
  uint64_t sent, received;
  int greeted;
};

static const char *mode;
static uint64_t total, rows, issued, finished, first_id = 1;
static uint64_t seed = 88172645463325252ull;
static uint32_t *latencies;
static int in_flight;

static uint64_t next_random(void) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return seed;
}

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000ull + (uint64_t)t.tv_nsec;
}

static void put(struct bytes *b, uint64_t value) {
  while (value >= 0x80) {
    b->data[b->count++] = (uint8_t)(value | 0x80);
    value >>= 7;
  }
  b->data[b->count++] = (uint8_t)value;
}

static void put_field(struct bytes *b, unsigned field, uint64_t value) {
  put(b, (uint64_t)field << 3);
  put(b, value);
}

static void put_bytes(struct bytes *b, unsigned field, const void *data, size_t count) {
  put(b, (uint64_t)field << 3 | 2);
  put(b, count);
  memcpy(b->data + b->count, data, count);
  b->count += count;
}

static void put_message(struct bytes *b, unsigned field, const struct bytes *message) {
  put_bytes(b, field, message->data, message->count);
}

#define SCRATCH(name, size)    \
  uint8_t name##_data[size];   \
  struct bytes name = {name##_data, 0}

static void put_table(struct bytes *b, unsigned field) {
  SCRATCH(table, 16);
  put_bytes(&table, 2, "items", 5);
  put_message(b, field, &table);
}

static void put_cells(struct bytes *b, unsigned field, uint64_t number) {
  char name[32], serial[16];
  int name_length = snprintf(name, sizeof name, "Shiny Spork %06" PRIu64, number % 1000000);
  int serial_length = snprintf(serial, sizeof serial, "%c%" PRIu64 "B%" PRIu64,
                               (char)('A' + number % 26), number % 10, number / 10 % 10);
  const char *columns[] = {"name", "serial", "value"};
  for (int i = 0; i < 3; i++) {
    SCRATCH(cell, 64);
    if (i == 0) put_bytes(&cell, 2, name, (size_t)name_length);
    if (i == 1) put_bytes(&cell, 2, serial, (size_t)serial_length);
    if (i == 2) put_field(&cell, 4, number % 10000 << 1);
    put_bytes(&cell, 8, columns[i], strlen(columns[i]));
    put_message(b, field, &cell);
  }
}

static void put_path(struct bytes *b, unsigned field, uint64_t row) {
  SCRATCH(path, 32);
  put_field(&path, 1, 0);
  put_field(&path, 2, row);
  put_message(b, field, &path);
}

static void put_insert(struct bytes *batch, int64_t at, uint64_t number) {
  SCRATCH(row, 256);
  put_cells(&row, 1, number);
  SCRATCH(insert, 320);
  if (at >= 0) {
    SCRATCH(place, 48);
    put_path(&place, 1, (uint64_t)at);
    put_message(&insert, 1, &place);
  }
  put_message(&insert, 2, &row);
  SCRATCH(operation, 400);
  put_message(&operation, 1, &insert);
  put_message(batch, 5, &operation);
}

static void put_basis(struct bytes *batch) {
  SCRATCH(basis, 8);
  put_field(&basis, 1, 1);
  put_message(batch, 3, &basis);
}

static void put_edit(struct bytes *batch, uint64_t count) {
  put_basis(batch);
  switch (count % 3) {
    case 0: put_insert(batch, (int64_t)(next_random() % rows), count); break;
    case 1: {
      SCRATCH(reference, 48);
      put_path(&reference, 3, next_random() % rows);
      SCRATCH(place, 48);
      put_path(&place, 1, next_random() % rows);
      SCRATCH(move, 120);
      put_message(&move, 1, &reference);
      put_message(&move, 2, &place);
      SCRATCH(operation, 140);
      put_message(&operation, 3, &move);
      put_message(batch, 5, &operation);
      break;
    }
    default: {
      SCRATCH(reference, 48);
      put_path(&reference, 3, next_random() % rows);
      SCRATCH(removal, 60);
      put_message(&removal, 1, &reference);
      SCRATCH(operation, 80);
      put_message(&operation, 2, &removal);
      put_message(batch, 5, &operation);
    }
  }
}

static void put_request(struct connection *c) {
  static uint8_t frame_data[1 << 20], batch_data[1 << 20];
  struct bytes frame = {frame_data, 0}, batch = {batch_data, 0};
  uint64_t number = issued++;
  put_field(&frame, 1, c->sent + 2);
  if (strcmp(mode, "get") == 0 || strcmp(mode, "echo") == 0) {
    put_table(&batch, 1);
    uint64_t id = first_id + next_random() % rows;
    SCRATCH(ids, 16);
    put(&ids, id);
    put_message(&batch, 2, &ids);
    put_message(&frame, 32, &batch);
  } else if (strcmp(mode, "list") == 0) {
    put_table(&batch, 1);
    put_field(&batch, 3, next_random() % (rows - 100));
    put_field(&batch, 4, 100);
    put_message(&frame, 33, &batch);
  } else {
    put_table(&batch, 1);
    if (strcmp(mode, "insert") == 0) put_insert(&batch, -1, number);
    if (strcmp(mode, "edit") == 0) put_edit(&batch, number);
    if (strcmp(mode, "fill") == 0) {
      for (uint64_t i = number * 500; i < (number + 1) * 500 && i < rows; i++)
        put_insert(&batch, -1, i);
    }
    put_message(&frame, 50, &batch);
  }
  put(&c->out, frame.count);
  memcpy(c->out.data + c->out.count, frame.data, frame.count);
  c->out.count += frame.count;
  c->sent_at[c->sent % DEPTH] = now_ns();
  c->sent++;
}

static void die(const char *what) {
  perror(what);
  exit(1);
}

// The first field of `data` with this number and wire type 2 or 0, as a varint or its content.
static int find(const uint8_t *data, size_t count, unsigned wanted, uint64_t *value,
                const uint8_t **content) {
  size_t i = 0;
  while (i < count) {
    uint64_t tag = 0, number = 0;
    for (int shift = 0; i < count; shift += 7) {
      tag |= (uint64_t)(data[i] & 0x7f) << shift;
      if (data[i++] < 0x80) break;
    }
    if ((tag & 7) == 1) {
      i += 8;
      continue;
    }
    for (int shift = 0; i < count; shift += 7) {
      number |= (uint64_t)(data[i] & 0x7f) << shift;
      if (data[i++] < 0x80) break;
    }
    if (tag >> 3 == wanted) {
      *value = number;
      *content = data + i;
      return 1;
    }
    if ((tag & 7) == 2) i += number;
  }
  return 0;
}

static void check_reply(const uint8_t *frame, size_t count) {
  uint64_t size, error_size;
  const uint8_t *reply, *error;
  if (!find(frame, count, 1, &size, &reply)) {
    fprintf(stderr, "load: a frame that is no reply\n");
    exit(1);
  }
  if (find(reply, size, 16, &error_size, &error)) {
    uint64_t code = 0, length = 0;
    const uint8_t *text = (const uint8_t *)"";
    find(error, error_size, 1, &code, &text);
    find(error, error_size, 2, &length, &text);
    fprintf(stderr, "load: error %" PRIu64 ": %.*s\n", code, (int)length, text);
    exit(1);
  }
}

static void take_replies(struct connection *c) {
  size_t at = 0;
  while (at < c->in_count) {
    uint64_t length = 0;
    size_t i = at;
    int shift = 0, whole = 0;
    while (i < c->in_count && !whole) {
      length |= (uint64_t)(c->in[i] & 0x7f) << shift;
      shift += 7;
      whole = c->in[i++] < 0x80;
    }
    if (!whole || c->in_count - i < length) break;
    if (strcmp(mode, "echo") != 0) check_reply(c->in + i, length);
    at = i + length;
    if (!c->greeted) {
      c->greeted = 1;
      continue;
    }
    latencies[finished++] = (uint32_t)((now_ns() - c->sent_at[c->received % DEPTH]) / 100);
    c->received++;
  }
  memmove(c->in, c->in + at, c->in_count - at);
  c->in_count -= at;
}

static int compare(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

int main(int argc, char **argv) {
  if (argc < 6) {
    fprintf(stderr, "usage: load SOCKET MODE CONNECTIONS IN_FLIGHT REQUESTS [ROWS [FIRST_ID]]\n");
    return 2;
  }
  mode = argv[2];
  int count = atoi(argv[3]);
  in_flight = atoi(argv[4]);
  total = strtoull(argv[5], NULL, 10);
  rows = argc > 6 ? strtoull(argv[6], NULL, 10) : 1000;
  if (argc > 7) first_id = strtoull(argv[7], NULL, 10);
  if (strcmp(mode, "fill") == 0) total = (rows + 499) / 500;
  if (in_flight > DEPTH || count < 1) return 2;
  latencies = calloc(total + 1, sizeof *latencies);
  struct connection *connections = calloc((size_t)count, sizeof *connections);
  int epoll = epoll_create1(0);
  for (int i = 0; i < count; i++) {
    struct connection *c = &connections[i];
    c->fd = socket(AF_UNIX, SOCK_STREAM, 0);
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    strncpy(name.sun_path, argv[1], sizeof name.sun_path - 1);
    if (connect(c->fd, (struct sockaddr *)&name, sizeof name) != 0) die("connect");
    c->in = malloc(BUFFER);
    c->out.data = malloc(BUFFER);
    // A hello: id 1, versions 1 to 1, a name.
    static const uint8_t hello[] = {0x10, 0x08, 0x01, 0x82, 0x01, 0x0b, 0x08, 0x01, 0x10,
                                    0x01, 0x1a, 0x05, 'b',  'e',  'n',  'c',  'h'};
    if (strcmp(mode, "echo") == 0) {
      c->greeted = 1;
    } else {
      memcpy(c->out.data, hello, sizeof hello);
      c->out.count = sizeof hello;
    }
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT, .data.ptr = c};
    epoll_ctl(epoll, EPOLL_CTL_ADD, c->fd, &event);
  }
  uint64_t began = now_ns();
  while (finished < total) {
    struct epoll_event events[64];
    int ready = epoll_wait(epoll, events, 64, -1);
    for (int i = 0; i < ready; i++) {
      struct connection *c = events[i].data.ptr;
      if (events[i].events & (EPOLLIN | EPOLLHUP)) {
        ssize_t got = recv(c->fd, c->in + c->in_count, BUFFER - c->in_count, MSG_DONTWAIT);
        if (got == 0) {
          fprintf(stderr, "load: the peer closed the connection\n");
          return 1;
        }
        if (got > 0) c->in_count += (size_t)got;
        take_replies(c);
      }
      size_t room = strcmp(mode, "fill") == 0 ? 1 << 18 : 1 << 12;
      while (issued < total && c->sent - c->received < (uint64_t)in_flight &&
             c->out.count + room < BUFFER)
        put_request(c);
      if (c->out.count > c->out_sent) {
        ssize_t sent = send(c->fd, c->out.data + c->out_sent, c->out.count - c->out_sent,
                            MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent < 0 && errno != EAGAIN) die("send");
        if (sent > 0) c->out_sent += (size_t)sent;
        if (c->out_sent == c->out.count) c->out_sent = c->out.count = 0;
      }
      struct epoll_event event = {.data.ptr = c};
      event.events = EPOLLIN | (c->out.count > 0 ? EPOLLOUT : 0u);
      epoll_ctl(epoll, EPOLL_CTL_MOD, c->fd, &event);
    }
  }
  double seconds = (double)(now_ns() - began) / 1e9;
  qsort(latencies, finished, sizeof *latencies, compare);
  printf("%s %d %d %" PRIu64 " %.3f %.0f %.1f %.1f\n", mode, count, in_flight, finished, seconds,
         (double)finished / seconds, latencies[finished / 2] / 10.0,
         latencies[finished * 99 / 100] / 10.0);
  return 0;
}
