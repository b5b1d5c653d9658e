// Loads with subscribers: a program of its own beside the request loop, for both protocols.
//
// feed, redis-feed: one writer, CONNECTIONS subscribers; a change (a PUBLISH) is done when every
//   subscriber has it. Counted are deliveries.
// window: one writer edits a table of ROWS rows at random places, CONNECTIONS subscribers look at
//   50 rows in its middle. Counted are changes.
// catchup: reads REQUESTS revisions of history, from the oldest one kept.
// stopped: CONNECTIONS subscribers that never read; says "ready", and stays until its input ends.
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "load.h"

enum { ROOM = 1 << 20, WINDOW = 50 };

struct peer {
  int fd;
  uint8_t *in;
  size_t in_count;
  uint64_t frames;
  int isWriter;
};

static int isRedis;

static size_t cut(const uint8_t *data, size_t count, size_t *start) {
  uint64_t length = 0;
  size_t i = 0;
  for (int shift = 0; i < count; shift += 7) {
    length |= (uint64_t)(data[i] & 0x7f) << shift;
    if (data[i++] < 0x80) {
      *start = i;
      return count - i >= length ? i + (size_t)length : 0;
    }
  }
  return 0;
}

// One whole frame or reply; a delivery is an event with a change, or a published message.
static size_t take(const struct peer *peer, const uint8_t *data, size_t count, int *isDelivery) {
  if (isRedis) {
    *isDelivery = data[0] == '*';
    return redis_protocol()->take(data, count);
  }
  if (peer->isWriter) {
    *isDelivery = 1;
    return hpd_protocol()->take(data, count);
  }
  size_t start = 0, length = cut(data, count, &start);
  *isDelivery = length > 0 && data[start] == 0x12 && is_change(data + start, length - start);
  if (length > 0 && !*isDelivery) check_goes_on(data + start, length - start);
  return length;
}

static uint64_t receive_frames(struct peer *peer) {
  ssize_t got = recv(peer->fd, peer->in + peer->in_count, ROOM - peer->in_count, MSG_DONTWAIT);
  if (got == 0) fail("the peer closed the connection");
  if (got < 0) return 0;
  peer->in_count += (size_t)got;
  size_t at = 0;
  uint64_t deliveries = 0;
  while (at < peer->in_count) {
    int isDelivery = 0;
    size_t length = take(peer, peer->in + at, peer->in_count - at, &isDelivery);
    if (length == 0) break;
    at += length;
    peer->frames++;
    deliveries += (uint64_t)isDelivery;
  }
  memmove(peer->in, peer->in + at, peer->in_count - at);
  peer->in_count -= at;
  return deliveries;
}

static void send_all(int fd, const struct bytes *out) {
  size_t sent = 0;
  while (sent < out->count) {
    ssize_t got = send(fd, out->data + sent, out->count - sent, MSG_NOSIGNAL);
    if (got < 0) fail("send: %s", strerror(errno));
    sent += (size_t)got;
  }
}

static void wait_for_frames(struct peer *peer, uint64_t count) {
  while (peer->frames < count) {
    receive_frames(peer);
    if (peer->frames < count) usleep(200);
  }
}

static void open_peer(struct peer *peer, const char *path, int isWriter) {
  peer->fd = dial(path);
  if (peer->fd < 0) fail("%s: %s", path, strerror(errno));
  peer->in = malloc(ROOM);
  peer->isWriter = isWriter;
  uint8_t data[512];
  struct bytes out = {data, 0};
  if (!isRedis) {
    hpd_protocol()->greet(&out);
    send_all(peer->fd, &out);
    while (peer->frames == 0) receive_frames(peer);
  }
  if (isWriter) return;
  out.count = 0;
  if (isRedis) {
    put_redis_subscribe(&out);
  } else {
    put_subscribe(&out, strcmp(run.mode, "window") == 0 ? WINDOW : 0, run.rows / 2, 0, 0);
  }
  send_all(peer->fd, &out);
}

static int stay(const char *path, int count) {
  struct peer *peers = calloc((size_t)count, sizeof *peers);
  for (int i = 0; i < count; i++) {
    open_peer(&peers[i], path, 0);
    wait_for_frames(&peers[i], 2);
  }
  puts("ready");
  fflush(stdout);
  char byte;
  while (read(0, &byte, 1) > 0) continue;
  return 0;
}

static int catch_up(const char *path, uint64_t total) {
  struct peer peer = {0};
  peer.fd = dial(path);
  if (peer.fd < 0) fail("%s: %s", path, strerror(errno));
  peer.in = malloc(ROOM);
  uint8_t data[512];
  struct bytes out = {data, 0};
  hpd_protocol()->greet(&out);
  send_all(peer.fd, &out);
  uint64_t epoch = 0, oldest = 0;
  while (peer.frames == 0) {
    ssize_t got = recv(peer.fd, peer.in + peer.in_count, ROOM - peer.in_count, 0);
    if (got <= 0) fail("the peer closed the connection");
    peer.in_count += (size_t)got;
    size_t start = 0, length = cut(peer.in, peer.in_count, &start);
    if (length == 0) continue;
    read_hello(peer.in + start, length - start, &epoch, &oldest);
    peer.frames = 1;
    peer.in_count = 0;
  }
  uint64_t began = now_ns(), got = 0;
  out.count = 0;
  put_subscribe(&out, 0, 0, epoch, oldest);
  send_all(peer.fd, &out);
  while (got < total) {
    uint64_t more = receive_frames(&peer);
    if (more == 0) usleep(20);
    got += more;
  }
  double seconds = (double)(now_ns() - began) / 1e9;
  printf("%s 1 1 %" PRIu64 " %.3f %.0f 0 0\n", run.mode, got, seconds, (double)got / seconds);
  return 0;
}

int run_feed(const char *path, int count, int in_flight, uint64_t total) {
  isRedis = strncmp(run.mode, "redis-", 6) == 0;
  if (strcmp(run.mode, "stopped") == 0) return stay(path, count);
  if (strcmp(run.mode, "catchup") == 0) return catch_up(path, total);
  struct peer *peers = calloc((size_t)count + 1, sizeof *peers);
  int epoll = epoll_create1(0);
  for (int i = 0; i <= count; i++) {
    open_peer(&peers[i], path, i == count);
    if (i < count) wait_for_frames(&peers[i], isRedis ? 1 : 2);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &peers[i]};
    epoll_ctl(epoll, EPOLL_CTL_ADD, peers[i].fd, &event);
  }
  int isWindow = strcmp(run.mode, "window") == 0;
  struct peer *writer = &peers[count];
  const struct protocol *protocol = isRedis ? redis_protocol() : hpd_protocol();
  uint64_t issued = 0, replied = 0, delivered = 0, wanted = isWindow ? 0 : total * (uint64_t)count;
  struct bytes out = {malloc(ROOM), 0};
  uint64_t began = now_ns();
  while (replied < total || delivered < wanted) {
    out.count = 0;
    while (issued < total && issued - replied < (uint64_t)in_flight)
      protocol->put(&out, issued, issued), issued++;
    if (out.count > 0) send_all(writer->fd, &out);
    struct epoll_event events[128];
    int ready = epoll_wait(epoll, events, 128, -1);
    for (int i = 0; i < ready; i++) {
      struct peer *peer = events[i].data.ptr;
      if (peer != writer) {
        delivered += receive_frames(peer);
        continue;
      }
      uint64_t before = peer->frames;
      receive_frames(peer);
      replied += peer->frames - before;
    }
  }
  double seconds = (double)(now_ns() - began) / 1e9;
  uint64_t done = isWindow ? total : delivered;
  printf("%s %d %d %" PRIu64 " %.3f %.0f 0 0\n", run.mode, count, in_flight, done, seconds,
         (double)done / seconds);
  return 0;
}
