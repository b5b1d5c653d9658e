// What the parts of the load program share.
#pragma once
#include <stddef.h>
#include <stdint.h>

struct bytes {
  uint8_t *data;
  size_t count;
};

// Answered by every protocol: one request written, and one reply cut off.
struct protocol {
  // Appends what is said once after connecting, with one reply to it; NULL: nothing.
  void (*greet)(struct bytes *out);
  // Appends a request. `serial` counts those of the connection, `number` those of the run.
  void (*put)(struct bytes *out, uint64_t serial, uint64_t number);
  // The length of the first whole reply, or 0. Ends the program where the reply is an error.
  size_t (*take)(const uint8_t *data, size_t count);
};

// What a run is about.
struct run {
  const char *mode;
  uint64_t rows;
  uint64_t first_id;
};

extern struct run run;

const struct protocol *hpd_protocol(void);
const struct protocol *redis_protocol(void);
const struct protocol *echo_protocol(void);

// Subscribers: feed.c.
int run_feed(const char *path, int count, int in_flight, uint64_t total);
// Appends a subscribe to `items`: `window` rows from `position` on; else since a cursor; else from
// now on.
void put_subscribe(struct bytes *out, uint64_t window, uint64_t position, uint64_t epoch,
                   uint64_t since);
void put_redis_subscribe(struct bytes *out);
// Whether an event's frame holds the last part of a change.
int is_change(const uint8_t *frame, size_t count);
// Fails where a subscription was refused, or ended: what it waits for will not come.
void check_goes_on(const uint8_t *frame, size_t count);
void read_hello(const uint8_t *frame, size_t count, uint64_t *epoch, uint64_t *oldest);

uint64_t now_ns(void);
int dial(const char *path);
uint64_t next_random(void);
_Noreturn void fail(const char *format, ...);
// The n-th row's cells, the same for every peer.
void cell_name(char out[32], uint64_t number);
void cell_serial(char out[16], uint64_t number);
