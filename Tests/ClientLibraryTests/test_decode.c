/* What is made of replies, events and goodbyes. */
#include "test.h"
#include "tests.h"

static void feed_golden(session *s, const char *name) {
  bytes frame = golden(name);
  session_feed(s, &frame);
  bytes_free(&frame);
}

static void feed(session *s, bytes frame) {
  session_feed(s, &frame);
  bytes_free(&frame);
}

TEST(reads_the_hello) {
  session s = {.free_in = NULL};
  session_open(&s, NULL);
  CHECK(hp_async_hello(s.async) == NULL);
  CHECK(hp_async_timeout(s.async) > 0);
  feed_golden(&s, "reply_hello");
  const hp_hello *hello = hp_async_hello(s.async);
  CHECK(hello != NULL);
  CHECK(hp_async_timeout(s.async) == -1);
  if (hello != NULL) {
    CHECK(hello->version == 1 && hello->epoch == 1311768467463790320u);
    CHECK(hello->revision == 41 && hello->oldest_revision == 1);
    CHECK(hello->client == 12 && hello->uid == 1000);
    CHECK(hello->limits.frame_up == 1048576 && hello->limits.key_seconds == 86400);
    CHECK(hello->durability == HP_DURABILITY_COMMIT);
    CHECK(hello->feature_count == 1);
    CHECK_TEXT(hello->features[0], "columns");
    CHECK_TEXT(hello->server, "hpd 0.1");
    CHECK_TEXT(hello->resume_token, "c12");
    CHECK(hello->running_clock == 1234567 && hello->start == 81985529216486895);
    CHECK(hello->last_goodbye == NULL);
  }
  session_close(&s);
}

/* The reply of a golden frame to request `id`. */
#define ANSWER(s, id, send, name)                                       \
  do {                                                                  \
    session_ready(&(s), NULL);                                          \
    if ((id) > 2) session_advance(&(s), (id));                          \
    hp_async *async = (s).async;                                        \
    hp_envelope envelope = {.tag = &(s)};                               \
    CHECK((send) == (id));                                              \
    feed_golden(&(s), name);                                            \
    CHECK((s).last_reply != NULL);                                      \
    CHECK(hp_reply_request((s).last_reply) == (id));                    \
    CHECK(hp_reply_tag((s).last_reply) == &(s));                        \
    CHECK((s).closed_count == 0 && hp_async_in_flight((s).async) == 0); \
  } while (0)

TEST(reads_golden_replies) {
  hp_table_ref items = hp_table_named("items");
  hp_batch *batch = hp_batch_new(items, NULL);
  session s = {.free_in = NULL};

  ANSWER(s, 2, hp_send_ping(async, &envelope, NULL, 0), "reply_pong");
  const hp_pong *pong = hp_reply_pong(s.last_reply);
  CHECK(pong != NULL && pong->size == 3 && memcmp(pong->payload, "\0\1\377", 3) == 0);
  CHECK(hp_reply_batch(s.last_reply) == NULL && hp_reply_error(s.last_reply) == NULL);
  session_close(&s);

  ANSWER(s, 3, hp_send_info(async, &envelope), "reply_info");
  const hp_info *info = hp_reply_info(s.last_reply);
  CHECK(info != NULL && info->pid == 4242 && info->memory == 9000000 && info->uptime == 3600);
  CHECK_TEXT(info->store, "/home/anna/hpd.db");
  CHECK(info->durability == HP_DURABILITY_INTERVAL && info->limits.filter_nodes == 256);
  CHECK(info->table_count == 1 && info->tables[0].rows == 13);
  CHECK(info->counter_count == 1 && info->counters[0].value == 1000);
  CHECK(hp_reply_cursor(s.last_reply).revision == 42);
  session_close(&s);

  ANSWER(s, 6, hp_send_subscribe(async, &envelope, NULL), "reply_subscribed");
  const hp_subscribed *subscribed = hp_reply_subscribed(s.last_reply);
  CHECK(subscribed != NULL && subscribed->subscription == 3 && subscribed->snapshot);
  CHECK(subscribed->from.revision == 41 && subscribed->foldable);
  session_close(&s);

  ANSWER(s, 9, hp_send_list_tables(async, &envelope), "reply_tables");
  const hp_table_list *tables = hp_reply_tables(s.last_reply);
  CHECK(tables != NULL && tables->count == 1 && tables->cursor.revision == 42);
  CHECK_TEXT(tables->tables[0].name, "items");
  session_close(&s);

  ANSWER(s, 10, hp_send_describe_table(async, &envelope, items), "reply_table");
  const hp_table_info *table = hp_reply_table(s.last_reply);
  CHECK(table != NULL && table->id == 1 && table->column_count >= 4);
  const hp_column *value = hp_table_column(table, "value");
  CHECK(value != NULL && value->kind == HP_DECIMAL && value->scale == 2);
  CHECK_TEXT(value->currency, "USD");
  CHECK(hp_table_column_with_id(table, 1)->required);
  CHECK(hp_table_column(table, "absent") == NULL && hp_table_column_with_id(table, 99) == NULL);
  session_close(&s);

  ANSWER(s, 12, hp_send_list_rows(async, &envelope, items, NULL), "reply_rows");
  const hp_row_page *page = hp_reply_rows(s.last_reply);
  CHECK(page != NULL && page->count == 2 && page->has_next && page->next == 13);
  CHECK(page->rows[0].id == 7 && page->rows[0].revision == 40 && page->rows[0].placed);
  CHECK(page->rows[0].path.section == 1 && page->rows[0].path.row == 10);
  CHECK(page->rows[0].section == 2 && page->rows[0].cell_count == 2);
  CHECK_TEXT(hp_row_cell(&page->rows[0], 1)->text, "Kettle");
  CHECK(hp_row_cell(&page->rows[0], 3)->number == 3995);
  CHECK(hp_row_cell(&page->rows[0], 2) == NULL && page->rows[1].cell_count == 0);
  CHECK(page->snapshot == 6 && page->missing_count == 2 && page->missing[1] == 900);
  session_close(&s);

  ANSWER(s, 13, hp_send_locate_row(async, &envelope, items, 7), "reply_location");
  const hp_row_location *location = hp_reply_location(s.last_reply);
  CHECK(location != NULL && location->path.row == 10 && location->position == 11);
  session_close(&s);

  ANSWER(s, 14, hp_send_count_rows(async, &envelope, items, hp_section_none(), NULL),
         "reply_count");
  CHECK(hp_reply_count(s.last_reply)->rows == 12);
  session_close(&s);
  ANSWER(s, 28, hp_send_sum_column(async, &envelope, items, "value", NULL), "reply_sum");
  const hp_column_sum *sum = hp_reply_sum(s.last_reply);
  CHECK(sum != NULL && sum->sum == -3995 && sum->rows == 12 && sum->nulls == 3);
  CHECK(hp_reply_cursor(s.last_reply).revision == 42);
  session_close(&s);

  ANSWER(s, 15, hp_send_batch(async, &envelope, batch), "reply_batch");
  const hp_batch_result *result = hp_reply_batch(s.last_reply);
  CHECK(result != NULL && result->cursor.revision == 42 && result->undoable);
  CHECK(result->counts.rows_inserted == 1 && !result->unchanged && !result->dry_run);
  CHECK(result->inserted_count == 1 && result->inserted[0].first == 300);
  CHECK(result->inserted[0].count == 1); /* the schema's default */
  CHECK(result->stage_count == 1 && result->stages[0].kind == HP_STAGE_MAIN);
  CHECK(result->stages[0].insert_count == 1 && result->stages[0].inserts[0].row == 12);
  session_close(&s);

  ANSWER(s, 16, hp_send_batch(async, &envelope, batch), "reply_unchanged");
  result = hp_reply_batch(s.last_reply);
  CHECK(result != NULL && result->unchanged && result->replayed && result->stage_count == 0);
  session_close(&s);

  hp_transfer transfer = {.from = items, .to = hp_table_named("books"), .remove = true};
  ANSWER(s, 31, hp_send_transfer_rows(async, &envelope, &transfer), "reply_transfer");
  result = hp_reply_batch(s.last_reply);
  CHECK(result != NULL && result->table == 2 && result->last_changed == 43);
  CHECK(result->source == 1 && result->source_last_changed == 43);
  CHECK(result->counts.rows_deleted == 2 && result->inserted_count == 2);
  CHECK(result->source_stage_count == 1 && result->source_stages[0].delete_count == 2);
  CHECK(result->source_stages[0].deletes[1].section == 1 && result->stage_count == 1);
  session_close(&s);

  ANSWER(s, 15, hp_send_batch(async, &envelope, batch), "reply_error");
  const hp_server_error *error = hp_reply_error(s.last_reply);
  CHECK(error != NULL && error->code == HP_CODE_STALE);
  CHECK_TEXT(error->message, "The table has changed.");
  CHECK(error->has_operation && error->operation == 0);
  CHECK(error->has_path && error->path.row == 3);
  CHECK(error->has_other_path && error->other_path.section == 1 && error->other_path.row == 300);
  CHECK(error->has_row && error->row == 7 && error->has_section && error->section == 2);
  CHECK(error->has_revision && error->revision == 42);
  CHECK(error->has_field && error->field == 4 && error->has_offset && error->offset == 130);
  CHECK_TEXT(error->column, "value");
  CHECK_TEXT(error->value, "39.955");
  CHECK_TEXT(error->expected, "at most 2 decimals");
  CHECK_TEXT(error->hint, "read again");
  CHECK(error->conflict_count == 1 && error->conflicts[0].uid == 1000);
  CHECK_TEXT(error->conflicts[0].actor, "ben/ui");
  session_close(&s);

  ANSWER(s, 20, hp_send_drop_table(async, &envelope, items), "reply_done");
  CHECK(hp_reply_kind_of(s.last_reply) == HP_REPLY_DONE);
  CHECK(hp_reply_cursor(s.last_reply).revision == 43);
  session_close(&s);

  ANSWER(s, 22, hp_send_list_clients(async, &envelope), "reply_clients");
  const hp_client_list *clients = hp_reply_clients(s.last_reply);
  CHECK(clients != NULL && clients->count == 1 && clients->clients[0].pid == 4300);
  CHECK_TEXT(clients->clients[0].actor, "anna/hpctl");
  session_close(&s);
  hp_batch_free(batch);
}

TEST(reads_golden_events) {
  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  session_subscribe(&s, 3);

  feed_golden(&s, "event_snapshot");
  CHECK(s.last_event->kind == HP_EVENT_SNAPSHOT && !s.last_event->last);
  CHECK(s.last_event->cursor.revision == 41 && s.last_event->table_count == 1);
  CHECK_TEXT(s.last_event->tables[0].sections[0].title, "Kitchen");
  CHECK(s.last_event->tables[0].sections[0].rows == 2);

  feed_golden(&s, "event_rows");
  CHECK(s.last_event->kind == HP_EVENT_SNAPSHOT_ROWS && s.last_event->last);
  CHECK(s.last_event->table == 1 && s.last_event->section == 2 && s.last_event->first == 0);
  CHECK(s.last_event->row_count == 2 && s.last_event->rows[1].id == 9);
  CHECK(!s.last_event->rows[1].placed);

  feed_golden(&s, "event_live");
  CHECK(s.last_event->kind == HP_EVENT_LIVE && !s.last_event->resumed);
  CHECK(s.last_event->cursor.revision == 41);

  feed_golden(&s, "event_change");
  CHECK(s.last_event->kind == HP_EVENT_CHANGE && s.last_event->from == 41);
  const hp_change *change = s.last_event->change;
  CHECK(change != NULL && change->revision == 42 && change->uid == 1000);
  CHECK_TEXT(change->actor, "anna/hpctl");
  CHECK(change->client == 12 && change->request == 15 && change->undoes == 0);
  CHECK(change->table_count == 1);
  const hp_table_change *table = &change->tables[0];
  CHECK(table->table == 1 && table->event == HP_TABLE_CHANGED && table->stage_count == 2);
  CHECK(table->stages[0].delete_count == 1 && table->stages[0].deletes[0].id == 8);
  CHECK(table->stages[0].move_count == 1 && table->stages[0].moves[0].from.row == 3);
  CHECK(table->stages[0].moves[0].to.row == 1 && table->stages[0].moves[0].count == 1);
  CHECK(table->stages[1].kind == HP_STAGE_RELOAD && table->stages[1].reload_count == 1);
  CHECK(table->stages[1].reloads[0].column_count == 2);
  CHECK(table->stages[1].reloads[0].columns[1] == 3);
  CHECK(table->row_count == 2 && table->deleted_count == 1 && table->deleted[0].first == 8);

  feed_golden(&s, "event_resumed");
  CHECK(s.last_event->kind == HP_EVENT_LIVE && s.last_event->resumed);
  feed_golden(&s, "event_progress");
  CHECK(s.last_event->kind == HP_EVENT_PROGRESS && s.last_event->revision == 60);
  feed_golden(&s, "event_barrier");
  CHECK(s.last_event->kind == HP_EVENT_BARRIER && s.last_event->token == 77);
  CHECK(s.last_event->subscription == 0 && s.last_event->revision == 60);
  feed_golden(&s, "event_ended");
  CHECK(s.last_event->kind == HP_EVENT_ENDED);
  CHECK(s.last_event->reason == HP_END_TABLE_DROPPED);
  CHECK_TEXT(hp_end_reason_name(s.last_event->reason), "table_dropped");
  CHECK(s.events == 8 && s.closed_count == 0);

  /* Nothing of a subscription may follow its end. */
  feed_golden(&s, "event_progress");
  CHECK(s.closed.kind == HP_ERROR_PROTOCOL);
  session_close(&s);
}

TEST(reads_golden_goodbyes) {
  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  feed_golden(&s, "goodbye");
  CHECK(s.closed.kind == HP_ERROR_GOODBYE && s.closed.code == HP_CODE_SHUTTING_DOWN);
  CHECK_TEXT(hp_error_message(&s.closed), "hpd stops.");
  CHECK(hp_error_is_temporary(&s.closed));
  session_close(&s);

  /* Also in place of the hello. */
  session_open(&s, NULL);
  feed_golden(&s, "goodbye_version");
  CHECK(s.closed.kind == HP_ERROR_GOODBYE && s.closed.code == HP_CODE_VERSION);
  CHECK(!hp_error_is_temporary(&s.closed) && s.closed_count == 1);
  session_close(&s);
}

TEST(finds_cells_by_column) {
  hp_cell cells[] = {hp_cell_in(2, hp_cell_text(NULL, "a")), hp_cell_in(5, hp_cell_null(NULL)),
                     hp_cell_in(9, hp_cell_integer(NULL, -4))};
  hp_row row = {.id = 1, .cells = cells, .cell_count = 3};
  for (uint64_t column = 0; column < 12; column++) {
    const hp_cell *found = hp_row_cell(&row, column);
    bool there = column == 2 || column == 5 || column == 9;
    CHECK(there ? found != NULL && found->column == column : found == NULL);
  }
  row.cell_count = 0;
  CHECK(hp_row_cell(&row, 2) == NULL);
}

/* Encoded size of the last part that change_part made. */
static size_t part_size;

/* A part of a change with one stage of one insert and one row. */
static bytes change_part(uint32_t part, bool last, uint64_t table, Hp__V1__StageKind kind,
                         uint64_t id) {
  bytes frame = {NULL, 0, 0};
  Hp__V1__Row row = HP__V1__ROW__INIT;
  Hp__V1__Row *rows[] = {&row};
  Hp__V1__RowRun run = HP__V1__ROW_RUN__INIT;
  Hp__V1__RowRun *runs[] = {&run};
  Hp__V1__Stage stage = HP__V1__STAGE__INIT;
  Hp__V1__Stage *stages[] = {&stage};
  Hp__V1__TableChange changed = HP__V1__TABLE_CHANGE__INIT;
  Hp__V1__TableChange *tables[] = {&changed};
  Hp__V1__Change change = HP__V1__CHANGE__INIT;
  Hp__V1__Event event = HP__V1__EVENT__INIT;
  row.has_id = true;
  row.id = id;
  run.has_id = true;
  run.id = id;
  stage.has_kind = true;
  stage.kind = kind;
  stage.n_inserts = 1;
  stage.inserts = runs;
  changed.has_table = true;
  changed.table = table;
  changed.n_stages = 1;
  changed.stages = stages;
  changed.n_rows = 1;
  changed.rows = rows;
  change.has_revision = true;
  change.revision = 43;
  change.n_tables = 1;
  change.tables = tables;
  event.body_case = HP__V1__EVENT__BODY_CHANGE;
  event.change = &change;
  part_size = hp__v1__change__get_packed_size(&change);
  add_event(&frame, 3, 42, part, last, event);
  return frame;
}

static void feed_four_parts(session *s) {
  feed(s, change_part(0, false, 1, HP__V1__STAGE_KIND__STAGE_KIND_MAIN, 10));
  feed(s, change_part(1, false, 1, HP__V1__STAGE_KIND__STAGE_KIND_MAIN, 11));
  feed(s, change_part(2, false, 1, HP__V1__STAGE_KIND__STAGE_KIND_MOVED, 12));
  feed(s, change_part(3, true, 2, HP__V1__STAGE_KIND__STAGE_KIND_MAIN, 13));
}

TEST(joins_the_parts_of_a_change) {
  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  session_subscribe(&s, 3);
  session_subscribe(&s, 4);
  feed(&s, change_part(0, false, 1, HP__V1__STAGE_KIND__STAGE_KIND_MAIN, 10));
  feed(&s, change_part(1, false, 1, HP__V1__STAGE_KIND__STAGE_KIND_MAIN, 11));
  CHECK(s.events == 0);
  /* Another subscription's events may stand between (contract K2). */
  bytes other = {NULL, 0, 0};
  add_progress(&other, 4, 43);
  feed(&s, other);
  CHECK(s.events == 1 && s.last_event->subscription == 4);
  feed(&s, change_part(2, false, 1, HP__V1__STAGE_KIND__STAGE_KIND_MOVED, 12));
  feed(&s, change_part(3, true, 2, HP__V1__STAGE_KIND__STAGE_KIND_MAIN, 13));
  CHECK(s.events == 2);
  const hp_change *change = s.last_event->change;
  CHECK(s.last_event->last && s.last_event->part == 3 && s.last_event->from == 42);
  CHECK(change != NULL && change->revision == 43 && change->table_count == 2);
  const hp_table_change *first = &change->tables[0];
  CHECK(first->table == 1 && first->stage_count == 2 && first->row_count == 3);
  CHECK(first->stages[0].insert_count == 2 && first->stages[0].inserts[1].id == 11);
  CHECK(first->stages[1].kind == HP_STAGE_MOVED && first->rows[2].id == 12);
  CHECK(change->tables[1].table == 2 && change->tables[1].rows[0].id == 13);
  session_close(&s);
}

TEST(hands_over_parts_on_request_and_beyond_the_limit) {
  session s = {.free_in = NULL};
  hp_async_options separate = {.separate_parts = true};
  session_ready(&s, &separate);
  session_subscribe(&s, 3);
  feed_four_parts(&s);
  CHECK(s.events == 4 && s.closed_count == 0 && s.last_event->last);
  session_close(&s);

  /* Two parts fit: they are handed over joined, the others as they come. */
  bytes one = change_part(0, false, 1, HP__V1__STAGE_KIND__STAGE_KIND_MAIN, 10);
  hp_async_options limited = {.join_limit = part_size * 2};
  bytes_free(&one);
  session_ready(&s, &limited);
  session_subscribe(&s, 3);
  feed_four_parts(&s);
  CHECK(s.closed_count == 0 && s.last_event->last);
  CHECK(strstr(s.log,
               "event 4 of 3 from 42 part 1\n"
               "event 4 of 3 from 42 part 2\n"
               "event 4 of 3 from 42 part 3 last\n") != NULL);
  /* The next revision is joined again. */
  feed_four_parts(&s);
  CHECK(s.events == 6 && s.closed_count == 0);
  session_close(&s);
}

TEST(joins_the_parts_of_a_reply) {
  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  CHECK(hp_send_list_rows(s.async, NULL, hp_table_named("items"), NULL) == 2);
  CHECK(hp_send_ping(s.async, NULL, NULL, 0) == 3);
  bytes stream = {NULL, 0, 0};
  for (uint64_t i = 0; i < 3; i++) {
    Hp__V1__Row row = HP__V1__ROW__INIT;
    Hp__V1__PlacedRow placed = HP__V1__PLACED_ROW__INIT;
    Hp__V1__PlacedRow *rows[] = {&placed};
    Hp__V1__RowPage page = HP__V1__ROW_PAGE__INIT;
    Hp__V1__Reply reply = HP__V1__REPLY__INIT;
    row.has_id = true;
    row.id = i + 1;
    placed.row = &row;
    page.n_rows = 1;
    page.rows = rows;
    page.has_next = i == 2;
    page.next = 3;
    reply.has_more = i < 2;
    reply.more = i < 2;
    reply.result_case = HP__V1__REPLY__RESULT_ROWS;
    reply.rows = &page;
    add_reply(&stream, 2, reply);
  }
  session_feed(&s, &stream);
  CHECK(s.replies == 1);
  const hp_row_page *page = hp_reply_rows(s.last_reply);
  CHECK(page != NULL && page->count == 3 && page->rows[2].id == 3 && page->next == 3);
  bytes_free(&stream);
  add_pong(&stream, 3, "");
  session_feed(&s, &stream);
  CHECK(s.replies == 2 && s.closed_count == 0);
  bytes_free(&stream);
  session_close(&s);
}

TEST(an_error_ends_the_parts_of_a_reply) {
  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  CHECK(hp_send_describe_table(s.async, NULL, hp_table_named("items")) == 2);
  CHECK(hp_send_describe_table(s.async, NULL, hp_table_named("items")) == 3);
  Hp__V1__Section section = HP__V1__SECTION__INIT;
  Hp__V1__Section *sections[] = {&section};
  Hp__V1__Table table = HP__V1__TABLE__INIT;
  Hp__V1__Reply reply = HP__V1__REPLY__INIT;
  section.has_id = true;
  section.id = 7;
  table.has_id = true;
  table.id = 1;
  table.n_sections = 1;
  table.sections = sections;
  reply.has_more = true;
  reply.more = true;
  reply.result_case = HP__V1__REPLY__RESULT_TABLE;
  reply.table = &table;
  bytes stream = {NULL, 0, 0};
  add_reply(&stream, 2, reply);
  add_error(&stream, 2, HP__V1__ERROR_CODE__SNAPSHOT_EXPIRED, "ask again");
  session_feed(&s, &stream);
  CHECK(s.replies == 1 && s.closed_count == 0);
  const hp_server_error *error = hp_reply_error(s.last_reply);
  CHECK(error != NULL && error->code == HP_CODE_SNAPSHOT_EXPIRED);
  bytes_free(&stream);
  /* Nothing of it is left in the next one. */
  add_reply(&stream, 3, reply);
  section.id = 8;
  table.has_id = false;
  reply.more = false;
  add_reply(&stream, 3, reply);
  session_feed(&s, &stream);
  const hp_table_info *info = hp_reply_table(s.last_reply);
  CHECK(s.replies == 2 && info != NULL && info->id == 1 && info->section_count == 2);
  CHECK(info->sections[1].id == 8);
  bytes_free(&stream);
  session_close(&s);
}

TEST(skips_what_a_newer_server_says) {
  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  session_subscribe(&s, 3);
  CHECK(hp_send_encoded(s.async, NULL, 55, NULL, 0) == 3);
  /* A reply of field 200, with an unknown field inside and beside it. */
  static const uint8_t reply[] = {0x0a, 0x0b, 0x08, 0x03, 0xc2, 0x0c, 0x03, 'a',
                                  'b',  'c',  0xc8, 0x0c, 0x01};
  bytes stream = {NULL, 0, 0};
  add_raw(&stream, reply, sizeof reply);
  /* An event of a kind that the schema lacks: subscription 3, from 41, the last part, field 200. */
  static const uint8_t event[] = {0x12, 0x0b, 0x08, 0x03, 0x10, 0x29, 0x20, 0x01,
                                  0xc2, 0x0c, 0x02, 'h',  'i'};
  add_raw(&stream, event, sizeof event);
  session_feed(&s, &stream);
  bytes_free(&stream);
  CHECK(s.closed_count == 0 && s.replies == 2 && s.events == 1);
  CHECK(s.last_reply != NULL && hp_reply_kind_of(s.last_reply) == HP_REPLY_OTHER);
  CHECK(s.last_event->kind == HP_EVENT_OTHER && s.last_event->body_number == 0);
  CHECK(s.last_event->subscription == 3 && s.last_event->from == 41 && s.last_event->last);

  /* An upload's reply has no structs: it is handed over encoded. */
  CHECK(hp_send_encoded(s.async, NULL, 60, NULL, 0) == 4);
  Hp__V1__UploadReply upload = HP__V1__UPLOAD_REPLY__INIT;
  Hp__V1__Reply page = HP__V1__REPLY__INIT;
  upload.has_upload = true;
  upload.upload = 9;
  page.result_case = HP__V1__REPLY__RESULT_UPLOAD;
  page.upload = &upload;
  add_reply(&stream, 4, page);
  session_feed(&s, &stream);
  bytes_free(&stream);
  uint32_t number = 0;
  size_t size = 0;
  const uint8_t *body = hp_reply_body(s.last_reply, &number, &size);
  CHECK(number == HP__V1__REPLY__RESULT_UPLOAD && body != NULL && size == 2);
  session_close(&s);
}
