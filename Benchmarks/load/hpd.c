// hpd's protocol, written by hand so that the load costs little (Docs/protocol.md).
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "load.h"

static void put(struct bytes *b, uint64_t value) {
  while (value >= 0x80) {
    b->data[b->count++] = (uint8_t)(value | 0x80);
    value >>= 7;
  }
  b->data[b->count++] = (uint8_t)value;
}

// Operations of one transition: inserts, moves and deletes in equal parts.
enum { TRANSITION = 9999 };

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
  cell_name(name, number);
  cell_serial(serial, number);
  const char *columns[] = {"name", "serial", "value"};
  for (int i = 0; i < 3; i++) {
    SCRATCH(cell, 64);
    if (i == 0) put_bytes(&cell, 2, name, strlen(name));
    if (i == 1) put_bytes(&cell, 2, serial, strlen(serial));
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

static void put_move(struct bytes *batch, uint64_t from, uint64_t to) {
  SCRATCH(reference, 48);
  put_path(&reference, 3, from);
  SCRATCH(place, 48);
  put_path(&place, 1, to);
  SCRATCH(move, 120);
  put_message(&move, 1, &reference);
  put_message(&move, 2, &place);
  SCRATCH(operation, 140);
  put_message(&operation, 3, &move);
  put_message(batch, 5, &operation);
}

static void put_delete(struct bytes *batch, uint64_t row) {
  SCRATCH(reference, 48);
  put_path(&reference, 3, row);
  SCRATCH(removal, 60);
  put_message(&removal, 1, &reference);
  SCRATCH(operation, 80);
  put_message(&operation, 2, &removal);
  put_message(batch, 5, &operation);
}

// One operation, an insert, a move and a delete in turn: the table keeps its size.
static void put_operation(struct bytes *batch, uint64_t count, uint64_t from, uint64_t to) {
  switch (count % 3) {
    case 0: put_insert(batch, (int64_t)to, count); break;
    case 1: put_move(batch, from, to); break;
    default: put_delete(batch, from);
  }
}

static void put_edit(struct bytes *batch, uint64_t count) {
  put_basis(batch);
  put_operation(batch, count, next_random() % run.rows, next_random() % run.rows);
}

// One transition of TRANSITION operations, each at a random place of a stretch of its own, so
// that no two name the same row or place.
static void put_transition(struct bytes *batch) {
  uint64_t stretch = run.rows / TRANSITION;
  put_field(batch, 2, 1);
  put_basis(batch);
  for (uint64_t i = 0; i < TRANSITION; i++)
    put_operation(batch, i, i * stretch + next_random() % stretch,
                  i * stretch + next_random() % stretch);
}

static void put_request(struct bytes *out, uint64_t serial, uint64_t number) {
  static uint8_t frame_data[1 << 20], batch_data[1 << 20];
  struct bytes frame = {frame_data, 0}, batch = {batch_data, 0};
  put_field(&frame, 1, serial + 2);
  put_table(&batch, 1);
  if (strcmp(run.mode, "get") == 0 || strcmp(run.mode, "echo") == 0) {
    SCRATCH(ids, 16);
    put(&ids, run.first_id + next_random() % run.rows);
    put_message(&batch, 2, &ids);
    put_message(&frame, 32, &batch);
  } else if (strcmp(run.mode, "list") == 0) {
    put_field(&batch, 3, next_random() % (run.rows - 100));
    put_field(&batch, 4, 100);
    put_message(&frame, 33, &batch);
  } else {
    if (strcmp(run.mode, "insert") == 0 || strcmp(run.mode, "feed") == 0) {
      put_insert(&batch, -1, number);
    } else if (strcmp(run.mode, "edit") == 0 || strcmp(run.mode, "window") == 0) {
      put_edit(&batch, number);
    } else if (strcmp(run.mode, "transition") == 0) {
      put_transition(&batch);
    } else if (strcmp(run.mode, "fill") == 0) {
      for (uint64_t i = number * 500; i < (number + 1) * 500 && i < run.rows; i++)
        put_insert(&batch, -1, i);
    } else {
      fail("no mode %s", run.mode);
    }
    put_message(&frame, 50, &batch);
  }
  put(out, frame.count);
  memcpy(out->data + out->count, frame.data, frame.count);
  out->count += frame.count;
}

static void greet(struct bytes *out) {
  // Id 1, versions 1 to 1, a name.
  static const uint8_t hello[] = {0x10, 0x08, 0x01, 0x82, 0x01, 0x0b, 0x08, 0x01, 0x10,
                                  0x01, 0x1a, 0x05, 'b',  'e',  'n',  'c',  'h'};
  memcpy(out->data + out->count, hello, sizeof hello);
  out->count += sizeof hello;
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
    fail("a frame that is no reply");
  }
  if (find(reply, size, 16, &error_size, &error)) {
    uint64_t code = 0, length = 0;
    const uint8_t *text = (const uint8_t *)"";
    find(error, error_size, 1, &code, &text);
    find(error, error_size, 2, &length, &text);
    fail("error %" PRIu64 ": %.*s", code, (int)length, (const char *)text);
  }
}

// The length of the first whole frame, and where its content begins.
static size_t frame_length(const uint8_t *data, size_t count, size_t *start) {
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

static size_t take(const uint8_t *data, size_t count) {
  size_t start = 0, length = frame_length(data, count, &start);
  if (length > 0) check_reply(data + start, length - start);
  return length;
}

static size_t take_echo(const uint8_t *data, size_t count) {
  size_t start = 0;
  return frame_length(data, count, &start);
}

void put_subscribe(struct bytes *out, uint64_t window, uint64_t position, uint64_t epoch,
                   uint64_t since) {
  SCRATCH(wish, 128);
  put_table(&wish, 1);
  if (window > 0) {
    SCRATCH(spec, 32);
    put_field(&spec, 1, position);
    put_field(&spec, 4, window);
    put_message(&wish, 4, &spec);
  } else if (epoch != 0) {
    SCRATCH(cursor, 32);
    put(&cursor, 1 << 3 | 1);
    memcpy(cursor.data + cursor.count, &epoch, sizeof epoch);
    cursor.count += sizeof epoch;
    put_field(&cursor, 2, since);
    put_message(&wish, 2, &cursor);
  } else {
    put_field(&wish, 9, 1);
  }
  SCRATCH(frame, 160);
  put_field(&frame, 1, 2);
  put_message(&frame, 20, &wish);
  put(out, frame.count);
  memcpy(out->data + out->count, frame.data, frame.count);
  out->count += frame.count;
}

int is_change(const uint8_t *frame, size_t count) {
  // ServerFrame.event, its length, then small numbers up to the body's tag.
  size_t i = 1;
  int isLast = 0;
  while (i < count && frame[i++] >= 0x80) continue;
  while (i + 1 < count) {
    if (frame[i] == 0x82 && frame[i + 1] == 0x01) return isLast;
    if ((frame[i] & 7) != 0) return 0;
    if (frame[i] == 0x20) isLast = 1;
    i++;
    while (i < count && frame[i++] >= 0x80) continue;
  }
  return 0;
}

void check_goes_on(const uint8_t *frame, size_t count) {
  uint64_t size, inner_size;
  const uint8_t *body, *inner;
  if (find(frame, count, 1, &size, &body) && find(body, size, 16, &inner_size, &inner))
    fail("the subscription is refused");
  if (find(frame, count, 2, &size, &body) && find(body, size, 22, &inner_size, &inner))
    fail("the subscription has ended");
}

void read_hello(const uint8_t *frame, size_t count, uint64_t *epoch, uint64_t *oldest) {
  uint64_t size, hello_size, number;
  const uint8_t *reply, *hello, *content;
  if (!find(frame, count, 1, &size, &reply) || !find(reply, size, 18, &hello_size, &hello))
    fail("no answer to a hello");
  // The epoch is the third field, eight bytes behind its tag.
  for (size_t i = 0; i + 9 <= hello_size; i++) {
    if (hello[i] != (3 << 3 | 1)) continue;
    memcpy(epoch, hello + i + 1, sizeof *epoch);
    break;
  }
  find(hello, hello_size, 5, &number, &content);
  *oldest = number;
}

const struct protocol *hpd_protocol(void) {
  static const struct protocol protocol = {.greet = greet, .put = put_request, .take = take};
  return &protocol;
}

const struct protocol *echo_protocol(void) {
  static const struct protocol protocol = {.put = put_request, .take = take_echo};
  return &protocol;
}
