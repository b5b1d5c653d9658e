/* Every allocation may fail: the caller sees HP_ERROR_MEMORY (or NULL), nothing leaks, nothing
 * crashes. */
#include "test.h"
#include "tests.h"

static const char *const stream_names[] = {"event_snapshot", "event_rows",     "event_live",
                                           "event_change",   "event_progress", "event_barrier"};

/* What the server says in the life below, in order. */
static void add_all(bytes *stream) {
  static const uint64_t ids[] = {3, 4, 5, 6, 7, 8};
  static const char *const names[] = {"reply_rows", "reply_table", "reply_info", "reply_batch",
                                      "reply_error", "reply_history"};
  add_subscribed(stream, 2, 3);
  for (size_t i = 0; i < 6; i++) {
    /* The golden body under another id: the id is the first field of the reply. */
    bytes frame = golden(names[i]);
    size_t prefix = frame.size > 0 && frame.data[0] >= 0x80 ? 2 : 1;
    size_t id = prefix + 1;
    while (id < frame.size && frame.data[id] >= 0x80) id++;
    if (id + 2 < frame.size) {
      CHECK(frame.data[id + 1] == 0x08 && frame.data[id + 2] < 0x80);
      frame.data[id + 2] = (uint8_t)ids[i];
    }
    bytes_add(stream, frame.data, frame.size);
    bytes_free(&frame);
  }
  for (size_t i = 0; i < sizeof stream_names / sizeof stream_names[0]; i++) {
    bytes frame = golden(stream_names[i]);
    bytes_add(stream, frame.data, frame.size);
    bytes_free(&frame);
  }
  bytes part = golden("event_change_part");
  bytes_add(stream, part.data, part.size);
  bytes_free(&part);
  bytes goodbye = golden("goodbye");
  bytes_add(stream, goodbye.data, goodbye.size);
  bytes_free(&goodbye);
}

static bool ended_by_memory(const session *s) {
  return s->closed_count == 1 && s->closed.kind == HP_ERROR_MEMORY;
}

/* A connection's whole life. Returns whether all of it went well. */
static bool live(const hp_allocator *allocator, const bytes *stream) {
  session s = {.free_in = NULL};
  hp_async_options options = {.actor = "anna/test", .allocator = allocator};
  hp_table_ref items = hp_table_named("items");
  bool well = true;

  hp_batch *batch = hp_batch_new(items, allocator);
  if (batch == NULL) return false;
  hp_cell cells[] = {hp_cell_text("name", "Rusty Spork"), hp_cell_decimal("value", 3995)};
  for (int i = 0; i < 40; i++) {
    hp_batch_require_matched(batch, HP_NEXT, 1);
    hp_batch_insert_row(batch, hp_place_first_of(hp_section_id(2)), cells, 2);
  }
  if (hp_batch_error(batch)->kind != HP_ERROR_NONE) {
    CHECK(hp_batch_error(batch)->kind == HP_ERROR_MEMORY);
    well = false;
  }

  session_open(&s, &options);
  if (s.async == NULL) {
    hp_batch_free(batch);
    return false;
  }
  bytes hello = golden("reply_hello");
  session_feed(&s, &hello);
  bytes_free(&hello);
  if (s.closed_count == 0) {
    uint64_t ids[] = {7, 8};
    uint64_t sent[] = {hp_send_subscribe(s.async, NULL, NULL),
                       hp_send_get_rows(s.async, NULL, items, ids, 2),
                       hp_send_describe_table(s.async, NULL, items),
                       hp_send_info(s.async, NULL),
                       hp_send_batch(s.async, NULL, batch),
                       hp_send_list_tables(s.async, NULL),
                       hp_send_row_history(s.async, NULL, items, 7, 0, 0)};
    for (size_t i = 0; i < 7; i++) {
      if (sent[i] == 0) well = false;
    }
    if (!well) {
      CHECK(hp_async_is_open(s.async)); /* a request that can't be queued does no harm */
    } else {
      session_feed(&s, stream);
    }
  }
  if (well && !ended_by_memory(&s)) {
    CHECK(s.closed_count == 1 && s.closed.kind == HP_ERROR_GOODBYE);
    CHECK(s.replies == 7 && s.events == 6);
  } else {
    well = false;
  }
  session_close(&s);
  hp_batch_free(batch);
  return well;
}

TEST(survives_every_failing_allocation) {
  bytes stream = {NULL, 0, 0};
  add_all(&stream);
  for (int for_good = 0; for_good < 2; for_good++) {
    long fail_at = 1;
    for (;; fail_at++) {
      failing state = {0, fail_at, for_good != 0, 0};
      hp_allocator allocator = failing_allocator(&state);
      bool well = live(&allocator, &stream);
      if (state.living != 0) check_failed("allocation", (int)fail_at, "all memory is given back");
      if (well || fail_at > 5000) break;
      if (state.calls < fail_at) {
        check_failed("allocation", (int)fail_at, "it goes well when none fails");
        break;
      }
    }
    CHECK(fail_at > 20 && fail_at <= 5000);
  }
  bytes_free(&stream);
}

TEST(events_and_replies_outlive_their_connection) {
  failing state = {0, 0, false, 0};
  hp_allocator allocator = failing_allocator(&state);
  hp_async_options options = {.allocator = &allocator};
  session s = {.free_in = NULL};
  session_ready(&s, &options);
  session_subscribe(&s, 3);
  bytes frame = golden("event_change");
  session_feed(&s, &frame);
  bytes_free(&frame);
  hp_async_free(s.async);
  s.async = NULL;
  CHECK(s.last_event != NULL && s.last_event->change->revision == 42);
  CHECK_TEXT(s.last_event->change->actor, "anna/hpctl");
  CHECK(hp_reply_subscribed(s.last_reply)->subscription == 3);
  CHECK(state.living > 0);
  session_close(&s);
  CHECK(state.living == 0);
}
