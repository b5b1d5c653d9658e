/* A server that lies gets a typed end, never a crash. */
#include <stdlib.h>

#include "test.h"
#include "tests.h"

/* A deterministic generator: the same frames in every run. */
static uint32_t seed;

static uint32_t next_random(void) {
  seed = seed * 1664525u + 1013904223u;
  return seed >> 8;
}

/* Ready, with subscription 3, and request 3 (a list of rows) and 4 (a ping) under way. */
static void begin(session *s) {
  session_ready(s, NULL);
  session_subscribe(s, 3);
  CHECK(hp_send_list_rows(s->async, NULL, hp_table_named("items"), NULL) == 3);
  CHECK(hp_send_ping(s->async, NULL, NULL, 0) == 4);
}

static void lies(const char *what, bytes stream) {
  session s = {.free_in = NULL};
  begin(&s);
  session_feed(&s, &stream);
  if (s.closed_count != 1 || s.closed.kind != HP_ERROR_PROTOCOL || s.closed.message[0] == 0) {
    check_failed(what, 0, "this ends the connection as a lie");
    fprintf(stderr, "%s", s.log);
  }
  session_close(&s);
  bytes_free(&stream);
}

static bytes raw(const char *body, size_t size) {
  bytes stream = {NULL, 0, 0};
  add_raw(&stream, body, size);
  return stream;
}

#define RAW(literal) raw((literal), sizeof(literal) - 1)

static bytes plain(const char *data, size_t size) {
  bytes stream = {NULL, 0, 0};
  bytes_add(&stream, data, size);
  return stream;
}

static bytes rows_reply(uint64_t id, Hp__V1__Row *row, bool with_row) {
  bytes stream = {NULL, 0, 0};
  Hp__V1__PlacedRow placed = HP__V1__PLACED_ROW__INIT;
  Hp__V1__PlacedRow *rows[] = {&placed};
  Hp__V1__RowPage page = HP__V1__ROW_PAGE__INIT;
  Hp__V1__Reply reply = HP__V1__REPLY__INIT;
  placed.row = with_row ? row : NULL;
  page.n_rows = 1;
  page.rows = rows;
  reply.result_case = HP__V1__REPLY__RESULT_ROWS;
  reply.rows = &page;
  add_reply(&stream, id, reply);
  return stream;
}

static bytes change_of(uint32_t part, uint64_t from, bool last, const Hp__V1__StageKind *kinds,
                       size_t count) {
  bytes stream = {NULL, 0, 0};
  Hp__V1__Stage stages[3];
  Hp__V1__Stage *pointers[3];
  Hp__V1__TableChange table = HP__V1__TABLE_CHANGE__INIT;
  Hp__V1__TableChange *tables[] = {&table};
  Hp__V1__Change change = HP__V1__CHANGE__INIT;
  Hp__V1__Event event = HP__V1__EVENT__INIT;
  for (size_t i = 0; i < count; i++) {
    hp__v1__stage__init(&stages[i]);
    stages[i].has_kind = true;
    stages[i].kind = kinds[i];
    pointers[i] = &stages[i];
  }
  table.n_stages = count;
  table.stages = pointers;
  change.n_tables = 1;
  change.tables = tables;
  event.body_case = HP__V1__EVENT__BODY_CHANGE;
  event.change = &change;
  add_event(&stream, 3, from, part, last, event);
  return stream;
}

static bytes joined(bytes first, bytes second) {
  bytes_add(&first, second.data, second.size);
  bytes_free(&second);
  return first;
}

TEST(ends_typed_when_the_server_lies) {
  bytes stream = {NULL, 0, 0};
  Hp__V1__Row row = HP__V1__ROW__INIT;

  /* The frame itself. */
  lies("a length of six bytes", plain("\xff\xff\xff\xff\xff\x01", 6));
  lies("a length above 32 bits", plain("\xff\xff\xff\xff\x7f", 5));
  lies("a frame above the limit", plain("\x81\x80\x80\x02", 4));
  lies("an empty frame", plain("\x00", 1));
  lies("a frame of an unknown kind", RAW("\x22\x00"));
  lies("two kinds in one frame", RAW("\x0a\x02\x08\x03\x1a\x00"));
  lies("one kind twice", RAW("\x1a\x00\x1a\x00"));
  lies("a group", RAW("\x0b\x0c"));
  lies("wire type 7", RAW("\x0f\x00"));
  lies("field number 0", RAW("\x02\x00"));
  lies("a tag that is cut", RAW("\x8a"));
  lies("a length past the end", RAW("\x0a\x05\x08"));
  lies("a varint of eleven bytes",
       RAW("\x0a\x0d\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x10\x00"));
  lies("a field of another wire type", RAW("\x0a\x09\x09\x01\x00\x00\x00\x00\x00\x00\x00"));
  lies("a bool of 2", RAW("\x0a\x04\x08\x03\x10\x02"));
  lies("a field twice", RAW("\x0a\x04\x08\x03\x08\x03"));
  lies("a fixed field that is cut", RAW("\x0a\x03\x09\x01\x02"));
  lies("a part above 32 bits", RAW("\x12\x08\x08\x03\x18\x80\x80\x80\x80\x10"));

  /* Text. */
  add_error(&stream, 3, HP__V1__ERROR_CODE__STALE, "\xc3\x28");
  lies("text that is not UTF-8", stream);
  stream = (bytes){NULL, 0, 0};
  add_error(&stream, 3, HP__V1__ERROR_CODE__STALE, "\xed\xa0\x80");
  lies("a surrogate", stream);
  lies("text with NUL", RAW("\x0a\x0a\x08\x03\x82\x01\x04\x12\x02" "a\x00"));

  /* Replies. */
  stream = (bytes){NULL, 0, 0};
  add_pong(&stream, 4, "");
  lies("a reply out of order", stream);
  stream = (bytes){NULL, 0, 0};
  add_pong(&stream, 3, "");
  lies("a reply that does not fit", stream);
  stream = (bytes){NULL, 0, 0};
  add_pong(&stream, 99, "");
  lies("a reply to nothing known", stream);
  lies("a reply without a result", RAW("\x0a\x02\x08\x03"));
  lies("a second hello", golden("reply_hello"));
  lies("a row without an id", rows_reply(3, &row, true));
  lies("a place without a row", rows_reply(3, &row, false));
  row.has_id = true;
  row.id = (uint64_t)1 << 53;
  lies("an id above 2^53", rows_reply(3, &row, true));
  stream = (bytes){NULL, 0, 0};
  Hp__V1__Error error = HP__V1__ERROR__INIT;
  Hp__V1__Reply reply = HP__V1__REPLY__INIT;
  reply.has_more = true;
  reply.more = true;
  reply.result_case = HP__V1__REPLY__RESULT_ERROR;
  reply.error = &error;
  add_reply(&stream, 3, reply);
  lies("an error in parts", stream);

  /* Events. */
  stream = (bytes){NULL, 0, 0};
  add_progress(&stream, 7, 50);
  lies("an event of no subscription", stream);
  stream = (bytes){NULL, 0, 0};
  add_progress(&stream, 0, 50);
  lies("an event for the whole connection", stream);
  lies("a part left out",
       joined(change_of(0, 42, false, NULL, 0), change_of(2, 42, true, NULL, 0)));
  lies("parts of two revisions",
       joined(change_of(0, 42, false, NULL, 0), change_of(1, 43, true, NULL, 0)));
  stream = change_of(0, 42, false, NULL, 0);
  add_progress(&stream, 3, 50);
  lies("an event between parts", stream);
  Hp__V1__StageKind kinds[] = {HP__V1__STAGE_KIND__STAGE_KIND_MOVED,
                               HP__V1__STAGE_KIND__STAGE_KIND_MAIN};
  lies("stages out of order", change_of(0, 42, true, kinds, 2));
  kinds[0] = HP__V1__STAGE_KIND__STAGE_KIND_UNSPECIFIED;
  lies("a stage of no kind", change_of(0, 42, true, kinds, 1));

  /* A subscription's number given twice, and one given by nobody. */
  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  session_subscribe(&s, 3);
  session_subscribe(&s, 3);
  CHECK(s.closed.kind == HP_ERROR_PROTOCOL);
  session_close(&s);
  session_ready(&s, NULL);
  session_subscribe(&s, 0);
  CHECK(s.closed.kind == HP_ERROR_PROTOCOL);
  session_close(&s);

  /* After an unsubscribe was answered no event of it may come (contract K8). */
  session_ready(&s, NULL);
  session_subscribe(&s, 3);
  CHECK(hp_send_unsubscribe(s.async, NULL, 3) == 3);
  stream = (bytes){NULL, 0, 0};
  add_progress(&stream, 3, 50);
  session_feed(&s, &stream);
  CHECK(s.closed_count == 0 && s.events == 1);
  bytes_free(&stream);
  add_done(&stream, 3);
  session_feed(&s, &stream);
  CHECK(s.closed_count == 0);
  bytes_free(&stream);
  add_progress(&stream, 3, 51);
  session_feed(&s, &stream);
  CHECK(s.closed.kind == HP_ERROR_PROTOCOL);
  bytes_free(&stream);
  session_close(&s);

  /* Before the hello: anything but its reply. */
  session_open(&s, NULL);
  add_progress(&stream, 3, 51);
  session_feed(&s, &stream);
  CHECK(s.closed.kind == HP_ERROR_PROTOCOL);
  bytes_free(&stream);
  session_close(&s);
  session_open(&s, NULL);
  Hp__V1__HelloReply hello = HP__V1__HELLO_REPLY__INIT;
  reply = (Hp__V1__Reply)HP__V1__REPLY__INIT;
  hello.has_version = true;
  hello.version = 2;
  reply.result_case = HP__V1__REPLY__RESULT_HELLO;
  reply.hello = &hello;
  add_reply(&stream, 1, reply);
  session_feed(&s, &stream);
  CHECK(s.closed.kind == HP_ERROR_PROTOCOL); /* a version that was not offered */
  bytes_free(&stream);
  session_close(&s);

  /* A small frame that would unpack to very much memory. */
  stream = (bytes){NULL, 0, 0};
  bytes body = {NULL, 0, 0};
  for (size_t i = 0; i < HP_FRAME_ELEMENTS; i++) bytes_add(&body, "\x12\x00", 2);
  bytes inner = {NULL, 0, 0};
  bytes_add(&inner, "\x08\x03\xca\x01", 4);
  bytes_add_varint(&inner, body.size);
  bytes_add(&inner, body.data, body.size);
  bytes outer = {NULL, 0, 0};
  bytes_add_byte(&outer, 0x0a);
  bytes_add_varint(&outer, inner.size);
  bytes_add(&outer, inner.data, inner.size);
  add_raw(&stream, outer.data, outer.size);
  bytes_free(&body);
  bytes_free(&inner);
  bytes_free(&outer);
  lies("too many elements", stream);
}

static const char *const frames[] = {
    "reply_rows",   "reply_error",    "event_change", "event_snapshot",    "event_rows",
    "event_live",   "event_barrier",  "goodbye",      "event_change_part", "reply_pong",
    "reply_tables", "event_progress", "event_ended"};

TEST(survives_damaged_frames) {
  for (size_t i = 0; i < sizeof frames / sizeof frames[0]; i++) {
    bytes frame = golden(frames[i]);
    for (int round = 0; round < 300; round++) {
      session s = {.free_in = NULL};
      bytes damaged = {NULL, 0, 0};
      seed = (uint32_t)(i * 1000 + (size_t)round);
      bytes_add(&damaged, frame.data, frame.size);
      int changes = 1 + (int)(next_random() % 4);
      while (changes-- > 0) {
        size_t at = next_random() % damaged.size;
        damaged.data[at] = (uint8_t)next_random();
      }
      begin(&s);
      session_feed(&s, &damaged);
      CHECK(s.closed_count <= 1);
      CHECK((s.closed_count == 1) == (hp_async_fd(s.async) < 0));
      session_close(&s);
      bytes_free(&damaged);
    }
    bytes_free(&frame);
  }
}

/* Random but well-framed: reaches deeper than noise. */
static void add_random_message(bytes *to, int depth) {
  int fields = (int)(next_random() % 6);
  while (fields-- > 0) {
    uint32_t number = 1 + next_random() % (next_random() % 3 == 0 ? 40 : 12);
    switch (next_random() % 4) {
      case 0:
        bytes_add_varint(to, (uint64_t)number << 3);
        bytes_add_varint(to, (uint64_t)next_random() << (next_random() % 40));
        break;
      case 1:
        bytes_add_varint(to, (uint64_t)number << 3 | 1);
        for (int i = 0; i < 8; i++) bytes_add_byte(to, (uint8_t)next_random());
        break;
      default: {
        bytes inner = {NULL, 0, 0};
        if (depth < 20 && next_random() % 4 != 0) {
          add_random_message(&inner, depth + 1);
        } else {
          int size = (int)(next_random() % 12);
          while (size-- > 0) bytes_add_byte(&inner, (uint8_t)('a' + next_random() % 26));
        }
        bytes_add_varint(to, (uint64_t)number << 3 | 2);
        add_raw(to, inner.data, inner.size);
        bytes_free(&inner);
      }
    }
  }
}

TEST(survives_random_frames) {
  for (uint32_t round = 0; round < 4000; round++) {
    session s = {.free_in = NULL};
    bytes body = {NULL, 0, 0}, stream = {NULL, 0, 0}, frame = {NULL, 0, 0};
    seed = round;
    /* An event or reply whose outside is right and whose body is random. */
    bool reply = round % 2 == 0;
    bytes_add(&body, reply ? "\x08\x03" : "\x08\x03\x10\x29\x18\x00\x20\x01", reply ? 2 : 8);
    bytes inner = {NULL, 0, 0};
    add_random_message(&inner, 0);
    uint32_t number = reply ? 25 : 16 + next_random() % 8;
    bytes_add_varint(&body, (uint64_t)number << 3 | 2);
    add_raw(&body, inner.data, inner.size);
    bytes_add_byte(&frame, reply ? 0x0a : 0x12);
    add_raw(&frame, body.data, body.size);
    add_raw(&stream, frame.data, frame.size);
    begin(&s);
    session_feed(&s, &stream);
    CHECK(s.closed_count <= 1);
    CHECK(s.closed_count == 0 || s.closed.kind == HP_ERROR_PROTOCOL);
    session_close(&s);
    bytes_free(&inner);
    bytes_free(&body);
    bytes_free(&frame);
    bytes_free(&stream);
  }
}
