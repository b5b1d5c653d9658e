// Puts load on a daemon over its socket and counts replies: one thread, any number of
// connections, any number of requests in flight on each. The same loop serves hpd and its peers.
//
// usage: load SOCKET MODE CONNECTIONS IN_FLIGHT REQUESTS [ROWS [FIRST_ID]]
// hpd:   get (a random row by id), list (100 rows from a random place), insert (at the end),
//        edit (insert, move, delete at random places of a table of ROWS rows),
//        fill (ROWS rows, 500 a batch; REQUESTS is ignored),
//        transition (9,999 inserts, moves and deletes as one transition)
// Redis: redis-get, redis-set, redis-rpush, redis-lrange, redis-linsert,
//        redis-fill (ROWS hashes and a list of their numbers)
// other: echo (the bytes of `get`, for a peer that sends back what it gets)
//        idle (greets, says "ready", and stays until its input ends)
//        feed, redis-feed, window, catchup, stopped: see feed.c
//        first, redis-first (waits until there is a first answer, and says after how many ms)
//
// One line on stdout: mode, connections, in flight, requests, seconds, requests a second, and
// median and 99th percentile of the time from sending to the reply in microseconds.
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "load.h"

enum { BUFFER = 1 << 21, DEPTH = 1024 };

struct connection {
  int fd;
  uint32_t interest;
  uint8_t *in;
  size_t in_count;
  struct bytes out;
  size_t out_sent;
  uint64_t sent_at[DEPTH];
  uint64_t sent, received;
  int greeted;
};

struct run run = {.rows = 1000, .first_id = 1};
static uint64_t total, issued, finished;
static uint32_t *latencies;

uint64_t next_random(void) {
  static uint64_t seed = 88172645463325252ull;
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return seed;
}

void cell_name(char out[32], uint64_t number) {
  snprintf(out, 32, "Shiny Spork %06" PRIu64, number % 1000000);
}

void cell_serial(char out[16], uint64_t number) {
  snprintf(out, 16, "%c%dB%d", (char)('A' + number % 26), (int)(number % 10),
           (int)(number / 10 % 10));
}

void fail(const char *format, ...) {
  va_list list;
  va_start(list, format);
  fputs("load: ", stderr);
  vfprintf(stderr, format, list);
  fputc('\n', stderr);
  va_end(list);
  exit(1);
}

uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000ull + (uint64_t)t.tv_nsec;
}

int dial(const char *path) {
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  struct sockaddr_un name = {.sun_family = AF_UNIX};
  if (fd < 0 || strlen(path) >= sizeof name.sun_path) fail("no socket for %s", path);
  memcpy(name.sun_path, path, strlen(path));
  if (connect(fd, (struct sockaddr *)&name, sizeof name) == 0) return fd;
  close(fd);
  return -1;
}

// Asks again and again until somebody answers with more than an error.
static void wait_for_answer(const char *path, const struct protocol *protocol) {
  uint64_t began = now_ns();
  for (;;) {
    uint8_t data[512];
    struct bytes out = {data, 0};
    if (protocol->greet != NULL) {
      protocol->greet(&out);
    } else {
      out.count = (size_t)sprintf((char *)data, "*2\r\n$4\r\nLLEN\r\n$5\r\norder\r\n");
    }
    int fd = dial(path);
    if (fd >= 0 && send(fd, data, out.count, MSG_NOSIGNAL) == (ssize_t)out.count &&
        recv(fd, data, sizeof data, 0) > 0 && (protocol->greet != NULL || data[0] != '-')) {
      printf("%.1f\n", (double)(now_ns() - began) / 1e6);
      exit(0);
    }
    if (fd >= 0) close(fd);
    if (now_ns() - began > 120000000000ull) fail("%s: no answer within two minutes", path);
    usleep(500);
  }
}

static void take_replies(struct connection *c, const struct protocol *protocol) {
  size_t at = 0;
  while (at < c->in_count) {
    size_t length = protocol->take(c->in + at, c->in_count - at);
    if (length == 0) break;
    at += length;
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

static void fill_window(struct connection *c, const struct protocol *protocol, int in_flight) {
  size_t room = 1 << 12;
  if (strcmp(run.mode, "fill") == 0) room = 1 << 18;
  if (strcmp(run.mode, "transition") == 0) room = 1 << 20;
  while (issued < total && c->sent - c->received < (uint64_t)in_flight &&
         c->out.count + room < BUFFER) {
    protocol->put(&c->out, c->sent, issued++);
    c->sent_at[c->sent++ % DEPTH] = now_ns();
  }
}

static void send_some(struct connection *c, int epoll) {
  if (c->out.count > c->out_sent) {
    ssize_t sent = send(c->fd, c->out.data + c->out_sent, c->out.count - c->out_sent,
                        MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN) fail("send: %s", strerror(errno));
    if (sent > 0) c->out_sent += (size_t)sent;
    if (c->out_sent == c->out.count) c->out_sent = c->out.count = 0;
  }
  uint32_t interest = EPOLLIN | (c->out.count > 0 ? EPOLLOUT : 0u);
  if (interest == c->interest) return;
  c->interest = interest;
  struct epoll_event event = {.events = interest, .data.ptr = c};
  epoll_ctl(epoll, EPOLL_CTL_MOD, c->fd, &event);
}

static void receive_some(struct connection *c) {
  ssize_t got = recv(c->fd, c->in + c->in_count, BUFFER - c->in_count, MSG_DONTWAIT);
  if (got == 0) fail("the peer closed the connection");
  if (got > 0) c->in_count += (size_t)got;
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
  run.mode = argv[2];
  int count = atoi(argv[3]);
  int in_flight = atoi(argv[4]);
  total = strtoull(argv[5], NULL, 10);
  if (argc > 6) run.rows = strtoull(argv[6], NULL, 10);
  if (argc > 7) run.first_id = strtoull(argv[7], NULL, 10);
  if (in_flight > DEPTH || count < 1 || run.rows < 1) return 2;
  const struct protocol *protocol = strncmp(run.mode, "redis-", 6) == 0 ? redis_protocol()
                                    : strcmp(run.mode, "echo") == 0     ? echo_protocol()
                                                                        : hpd_protocol();
  if (strstr(run.mode, "first") != NULL) wait_for_answer(argv[1], protocol);
  static const char *const feeds[] = {"feed", "redis-feed", "window", "catchup", "stopped"};
  for (size_t i = 0; i < sizeof feeds / sizeof *feeds; i++)
    if (strcmp(run.mode, feeds[i]) == 0) return run_feed(argv[1], count, in_flight, total);
  int idle = strcmp(run.mode, "idle") == 0;
  if (idle) total = 0;
  if (strcmp(run.mode, "fill") == 0) total = (run.rows + 499) / 500;
  if (strcmp(run.mode, "redis-fill") == 0) total = 2 * run.rows;
  latencies = calloc(total + 1, sizeof *latencies);
  struct connection *connections = calloc((size_t)count, sizeof *connections);
  int epoll = epoll_create1(0);
  for (int i = 0; i < count; i++) {
    struct connection *c = &connections[i];
    c->fd = dial(argv[1]);
    if (c->fd < 0) fail("%s: %s", argv[1], strerror(errno));
    c->in = malloc(BUFFER);
    c->out.data = malloc(BUFFER);
    c->greeted = protocol->greet == NULL;
    if (protocol->greet != NULL) protocol->greet(&c->out);
    c->interest = EPOLLIN | EPOLLOUT;
    struct epoll_event event = {.events = c->interest, .data.ptr = c};
    epoll_ctl(epoll, EPOLL_CTL_ADD, c->fd, &event);
    if (idle) {
      send_some(c, epoll);
      while (!c->greeted) {
        ssize_t got = recv(c->fd, c->in + c->in_count, BUFFER - c->in_count, 0);
        if (got <= 0) fail("the peer closed the connection");
        c->in_count += (size_t)got;
        take_replies(c, protocol);
      }
    }
  }
  if (idle) {
    puts("ready");
    fflush(stdout);
    char byte;
    while (read(0, &byte, 1) > 0) continue;
    return 0;
  }
  uint64_t began = now_ns();
  while (finished < total) {
    struct epoll_event events[64];
    int ready = epoll_wait(epoll, events, 64, -1);
    for (int i = 0; i < ready; i++) {
      struct connection *c = events[i].data.ptr;
      if (events[i].events & (EPOLLIN | EPOLLHUP)) {
        receive_some(c);
        take_replies(c, protocol);
      }
      fill_window(c, protocol, in_flight);
      send_some(c, epoll);
    }
  }
  double seconds = (double)(now_ns() - began) / 1e9;
  qsort(latencies, finished, sizeof *latencies, compare);
  printf("%s %d %d %" PRIu64 " %.3f %.0f %.1f %.1f\n", run.mode, count, in_flight, finished,
         seconds, (double)finished / seconds, latencies[finished / 2] / 10.0,
         latencies[finished * 99 / 100] / 10.0);
  return 0;
}
