// Redis' protocol: commands of the same weight as hpd's requests.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load.h"

static void put_command(struct bytes *out, int count, const char *const words[]) {
  out->count += (size_t)sprintf((char *)out->data + out->count, "*%d\r\n", count);
  for (int i = 0; i < count; i++)
    out->count += (size_t)sprintf((char *)out->data + out->count, "$%zu\r\n%s\r\n",
                                  strlen(words[i]), words[i]);
}

// As many bytes as a row's image has.
static const char row[] = "Shiny Spork 000000 A1B2 12.34 2026-11-30T22:52:00Z.......";

static void put_fill(struct bytes *out, uint64_t number) {
  char key[32], name[32], serial[16], value[16];
  cell_name(name, number);
  cell_serial(serial, number);
  snprintf(key, sizeof key, "row:%" PRIu64, number);
  snprintf(value, sizeof value, "%" PRIu64, number % 10000);
  put_command(out, 10,
              (const char *const[]){"HSET", key, "name", name, "serial", serial, "value", value,
                                    "created", "1796079120000000"});
}

static void put(struct bytes *out, uint64_t serial, uint64_t number) {
  (void)serial;
  char word[32];
  if (strcmp(run.mode, "redis-get") == 0) {
    snprintf(word, sizeof word, "key:%" PRIu64, next_random() % run.rows);
    put_command(out, 2, (const char *const[]){"GET", word});
  } else if (strcmp(run.mode, "redis-set") == 0) {
    snprintf(word, sizeof word, "key:%" PRIu64, number);
    put_command(out, 3, (const char *const[]){"SET", word, row});
  } else if (strcmp(run.mode, "redis-rpush") == 0) {
    put_command(out, 3, (const char *const[]){"RPUSH", "list", row});
  } else if (strcmp(run.mode, "redis-feed") == 0) {
    put_command(out, 3, (const char *const[]){"PUBLISH", "feed", row});
  } else if (strcmp(run.mode, "redis-lrange") == 0) {
    put_command(out, 4, (const char *const[]){"LRANGE", "list", "0", "99"});
  } else if (strcmp(run.mode, "redis-linsert") == 0) {
    snprintf(word, sizeof word, "%" PRIu64, run.rows / 2);
    put_command(out, 5, (const char *const[]){"LINSERT", "order", "BEFORE", word, "new"});
  } else if (strcmp(run.mode, "redis-fill") == 0) {
    if (number % 2 == 0) {
      put_fill(out, number / 2);
    } else {
      snprintf(word, sizeof word, "%" PRIu64, number / 2);
      put_command(out, 3, (const char *const[]){"RPUSH", "order", word});
    }
  } else {
    fail("no mode %s", run.mode);
  }
}

void put_redis_subscribe(struct bytes *out) {
  put_command(out, 2, (const char *const[]){"SUBSCRIBE", "feed"});
}

static size_t line(const uint8_t *data, size_t count, long *number) {
  const uint8_t *end = memchr(data, '\n', count);
  if (end == NULL) return 0;
  *number = strtol((const char *)data + 1, NULL, 10);
  return (size_t)(end - data) + 1;
}

static size_t take(const uint8_t *data, size_t count) {
  long number = 0;
  size_t used = line(data, count, &number);
  if (used == 0) return 0;
  switch (data[0]) {
    case '-': fail("redis: %.*s", (int)used, (const char *)data);
    case '$':
      if (number < 0) fail("redis: nothing under that key");
      used += (size_t)number + 2;
      return used <= count ? used : 0;
    case '*':
      for (long i = 0; i < number; i++) {
        size_t more = used < count ? take(data + used, count - used) : 0;
        if (more == 0) return 0;
        used += more;
      }
      return used;
    default: return used;
  }
}

const struct protocol *redis_protocol(void) {
  static const struct protocol protocol = {.put = put, .take = take};
  return &protocol;
}
