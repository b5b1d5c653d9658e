/* Exact bytes of every request, against the golden frames and a batch of every operation against
 * protobuf-c's own encoding. */
#include "test.h"
#include "tests.h"

static const hp_cursor at_41 = {1311768467463790320u, 41};
static const hp_cursor at_42 = {1311768467463790320u, 42};

static void check_golden(bytes sent, const char *name) {
  bytes expected = golden(name);
  if (sent.size != expected.size || memcmp(sent.data, expected.data, sent.size) != 0) {
    check_failed(name, 0, "the frame that was sent is the golden one");
    for (size_t i = 0; i < sent.size; i++) fprintf(stderr, "%02x", sent.data[i]);
    fprintf(stderr, "\n");
  }
  bytes_free(&expected);
  bytes_free(&sent);
}

static Hp__V1__ClientFrame *unpack_frame(const bytes *frame) {
  size_t at = 0;
  while (at < frame->size && frame->data[at] >= 0x80) at++;
  at += 1;
  if (frame->size < at) return NULL;
  return hp__v1__client_frame__unpack(NULL, frame->size - at, frame->data + at);
}

TEST(sends_the_hello_first) {
  session s = {.free_in = NULL};
  const char *features[] = {"columns", "policies"};
  hp_async_options options = {
      .client_name = "hpctl 0.1", .actor = "anna/hpctl", .features = features, .feature_count = 2};
  session_open(&s, &options);
  check_golden(session_sent(&s), "hello");
  session_close(&s);
}

/* One request with the id of its golden frame. */
#define GOLDEN(name, id, send)               \
  do {                                       \
    session s = {.free_in = NULL};           \
    session_ready(&s, NULL);                 \
    if ((id) > 2) session_advance(&s, (id)); \
    hp_async *async = s.async;               \
    CHECK((send) == (id));                   \
    CHECK(!hp_async_is_flushed(async));      \
    check_golden(session_sent(&s), name);    \
    CHECK(hp_async_is_flushed(async));       \
    CHECK(hp_async_in_flight(async) == 1);   \
    session_close(&s);                       \
  } while (0)

TEST(sends_plain_requests) {
  hp_table_ref items = hp_table_named("items");
  uint64_t ids[] = {7, 300};
  hp_envelope at_least = {.at_least = at_42};
  hp_list_options list = {.section = hp_section_titled("Kitchen"), .first = 10, .count = 50};
  hp_subscribe_options subscribe = {.table = items, .heartbeat = true};
  hp_subscribe_options since = {.has_since = true, .since = at_41, .snapshot_if_lost = true};
  GOLDEN("ping", 2, hp_send_ping(async, NULL, "\0\1\377", 3));
  GOLDEN("info", 3, hp_send_info(async, NULL));
  GOLDEN("barrier", 4, hp_send_barrier(async, NULL, 0, 77, false));
  GOLDEN("barrier_sql", 5, hp_send_barrier(async, NULL, 3, 300, true));
  GOLDEN("subscribe", 6, hp_send_subscribe(async, NULL, &subscribe));
  GOLDEN("subscribe_since", 7, hp_send_subscribe(async, NULL, &since));
  GOLDEN("unsubscribe", 8, hp_send_unsubscribe(async, NULL, 3));
  GOLDEN("list_tables", 9, hp_send_list_tables(async, &at_least));
  GOLDEN("describe_table", 10, hp_send_describe_table(async, NULL, hp_table_with_id(1)));
  GOLDEN("get_rows", 11, hp_send_get_rows(async, NULL, items, ids, 2));
  GOLDEN("list_rows", 12, hp_send_list_rows(async, NULL, items, &list));
  GOLDEN("locate_row", 13, hp_send_locate_row(async, NULL, items, 7));
  GOLDEN("count_rows", 14, hp_send_count_rows(async, NULL, items, hp_section_at(2), NULL));
  GOLDEN("list_clients", 22, hp_send_list_clients(async, NULL));
  GOLDEN("kill_client", 23, hp_send_kill_client(async, NULL, 12));
  GOLDEN("set_log_level", 24, hp_send_set_log_level(async, NULL, "debug"));
  GOLDEN("undo", 25, hp_send_encoded(async, NULL, 55, "\x0a\x07\x12\x05items", 9));
}

TEST(sends_filters) {
  hp_table_ref items = hp_table_named("items");
  hp_cell value = hp_cell_decimal(NULL, 10000);
  hp_cell part = hp_cell_text(NULL, "b\xc3\xa4r");
  hp_filter_node find_nodes[] = {
      {.op = HP_GREATER_OR_EQUAL, .column = "value", .cells = &value, .cell_count = 1},
      {.op = HP_CONTAINS, .column = "name", .cells = &part, .cell_count = 1},
      {.op = HP_IS_NULL, .column = "serial"},
      {.op = HP_OR},
      {.op = HP_AND}};
  hp_filter filter = {find_nodes, 5};
  hp_sort sort[] = {{.column = "value", .descending = true}, {.column = "name", .folded = true}};
  hp_find_options find = {.section = hp_section_titled("Kitchen"), .filter = &filter,
                          .sort = sort, .sort_count = 2, .has_limit = true, .limit = 50,
                          .skip = 10};
  GOLDEN("find_rows", 25, hp_send_find_rows(async, NULL, items, &find));
  hp_find_options next = {.first = 900, .snapshot = 6};
  GOLDEN("find_rows_next", 26, hp_send_find_rows(async, NULL, hp_table_with_id(1), &next));
  hp_cell names[] = {hp_cell_text(NULL, "Lamp"), hp_cell_text(NULL, ""), hp_cell_null(NULL)};
  hp_filter_node count_nodes[] = {
      {.op = HP_IN, .column = "name", .cells = names, .cell_count = 3, .folded = true},
      {.op = HP_NOT}};
  hp_filter in = {count_nodes, 2};
  GOLDEN("count_where", 27, hp_send_count_rows(async, NULL, items, hp_section_none(), &in));
  hp_cell start = hp_cell_text(NULL, "A");
  hp_filter_node prefix = {.op = HP_PREFIX, .column = "name", .cells = &start, .cell_count = 1};
  hp_filter prefixed = {&prefix, 1};
  GOLDEN("sum_column", 28, hp_send_sum_column(async, NULL, items, "value", &prefixed));
}

TEST(refuses_a_sum_of_nothing) {
  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  CHECK(hp_send_sum_column(s.async, NULL, hp_table_named("items"), NULL, NULL) == 0);
  CHECK(hp_async_error(s.async)->kind == HP_ERROR_ARGUMENT);
  session_close(&s);
}

TEST(sends_operations_on_many_rows) {
  hp_table_ref items = hp_table_named("items");
  hp_batch *batch = hp_batch_new(items, NULL);
  hp_batch_set_basis(batch, hp_basis_current());
  hp_cell bad = hp_cell_boolean(NULL, false);
  hp_filter_node is_bad = {.op = HP_EQUAL, .column = "good", .cells = &bad, .cell_count = 1};
  hp_cell day = hp_cell_date(NULL, -1);
  hp_filter_node is_old = {.op = HP_LESS, .column = "day", .cells = &day, .cell_count = 1};
  hp_filter bads = {&is_bad, 1}, old = {&is_old, 1}, all = {NULL, 0};
  hp_cell changes[] = {hp_cell_null("serial"), {.column = 3, .kind = HP_DECIMAL, .number = -5}};
  hp_id_run run = {40, 3};
  uint64_t ids[] = {7, 300};
  hp_sort sort[] = {{.column = "value", .descending = true}, {.column = "name", .folded = true}};
  int64_t floor = 0, ceiling = 1000;
  CHECK(hp_batch_require_matched(batch, HP_FIRST, 9));
  CHECK(hp_batch_require_matched(batch, HP_NEXT, 2));
  CHECK(hp_batch_delete_where(batch, &bads));
  CHECK(hp_batch_update_where(batch, &all, changes, 2));
  CHECK(hp_batch_move_run(batch, run, hp_place_path(0, 2)));
  CHECK(hp_batch_move_ids(batch, ids, 2, hp_place_last_of(hp_section_id(2))));
  CHECK(hp_batch_move_where(batch, &old, hp_place_before(hp_row_id(7))));
  CHECK(hp_batch_sort_section(batch, hp_section_titled("Kitchen"), sort, 2));
  CHECK(hp_batch_add_to_cell(batch, hp_row_id(7), hp_cell_integer("count", -1), &floor,
                             &ceiling));
  GOLDEN("batch_many", 29, hp_send_batch(async, NULL, batch));
  hp_batch_free(batch);
}

TEST(sends_transfers) {
  uint64_t ids[] = {300, 7};
  const char *without[] = {"serial"};
  hp_transfer move = {.from = hp_table_named("items"),
                      .to = hp_table_named("books"),
                      .ids = ids,
                      .id_count = 2,
                      .at = hp_place_before(hp_row_id(12)),
                      .remove = true,
                      .expect_to = at_42,
                      .without = without,
                      .without_count = 1};
  hp_envelope envelope = {.key = "move-1", .expect = at_41};
  GOLDEN("transfer_rows", 31, hp_send_transfer_rows(async, &envelope, &move));
  hp_cell name = hp_cell_text(NULL, "A");
  hp_filter_node node = {.op = HP_EQUAL, .column = "name", .cells = &name, .cell_count = 1};
  hp_filter filter = {&node, 1};
  hp_transfer copy = {.from = hp_table_with_id(1),
                      .to = hp_table_with_id(2),
                      .filter = &filter,
                      .at = hp_place_path(0, 3),
                      .basis = hp_basis_current(),
                      .dry_run = true,
                      .has_matched = true,
                      .matched = 2};
  GOLDEN("transfer_where", 32, hp_send_transfer_rows(async, NULL, &copy));
  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  without[0] = NULL;
  CHECK(hp_send_transfer_rows(s.async, NULL, &move) == 0);
  CHECK(hp_async_error(s.async)->kind == HP_ERROR_ARGUMENT);
  CHECK(hp_async_is_flushed(s.async));
  session_close(&s);
}

TEST(declares_that_there_are_no_sections) {
  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  hp_batch *batch = hp_batch_new(hp_table_named("items"), NULL);
  uint64_t one = 1;
  CHECK(hp_batch_set_section_counts(batch, &one, 1));
  CHECK(hp_batch_set_section_counts(batch, NULL, 0));
  CHECK(hp_batch_delete_section(batch, hp_section_id(1), HP_ANIMATION_DEFAULT));
  CHECK(hp_send_batch(s.async, NULL, batch) != 0);
  bytes sent = session_sent(&s);
  Hp__V1__ClientFrame *frame = unpack_frame(&sent);
  CHECK(frame != NULL && frame->batch->no_sections && frame->batch->n_section_counts == 0);
  hp__v1__client_frame__free_unpacked(frame, NULL);
  bytes_free(&sent);
  hp_batch_free(batch);
  session_close(&s);
}

TEST(sends_table_requests) {
  hp_cell question = hp_cell_text(NULL, "?");
  hp_cell zero = hp_cell_decimal(NULL, 0);
  hp_column columns[] = {
      {.name = "name", .kind = HP_TEXT, .required = true, .default_value = &question},
      {.name = "price", .kind = HP_DECIMAL, .scale = 2, .currency = "EUR", .fill = &zero},
      {.name = "bought", .kind = HP_DATE, .default_now = true}};
  const char *sections[] = {"Bench", "Wall"};
  GOLDEN("new_item", 18,
         hp_send_new_item(async, NULL, hp_table_named("items"),
                          hp_place_last_of(hp_section_id(1)), hp_basis_none(), false));
  GOLDEN("create_table", 19,
         hp_send_create_table(async, NULL, "tools", columns, 3, sections, 2));
  GOLDEN("rename_table", 20,
         hp_send_rename_table(async, NULL, hp_table_named("tools"), "workshop"));
  GOLDEN("drop_table", 21, hp_send_drop_table(async, NULL, hp_table_with_id(2)));
}

TEST(sends_an_insert) {
  hp_batch *batch = hp_batch_new(hp_table_named("items"), NULL);
  hp_cell cells[] = {hp_cell_text("name", "Rusty Spork"), hp_cell_text("serial", "3F9A1"),
                     hp_cell_decimal("value", 3995),
                     hp_cell_in(4, hp_cell_timestamp(NULL, 1764543120000000))};
  CHECK(hp_batch_insert_row(batch, hp_place_default(), cells, 4));
  CHECK(hp_batch_count(batch) == 1);
  GOLDEN("insert_row", 15, hp_send_batch(async, NULL, batch));
  hp_batch_free(batch);
}

TEST(sends_keys_and_conditions) {
  hp_batch *batch = hp_batch_new(hp_table_with_id(1), NULL);
  hp_envelope envelope = {
      .key = "import-7", .retry_until = 90000000, .lease = 5, .expect = at_41};
  hp_cell cells[] = {hp_cell_in(1, hp_cell_text(NULL, "K\303\244se")),
                     hp_cell_in(2, hp_cell_null(NULL))};
  hp_batch_set_basis(batch, hp_basis_current());
  CHECK(hp_batch_require_row(batch, HP_FIRST, hp_row_id(7)));
  CHECK(hp_batch_require_section_count(batch, HP_FIRST, hp_section_id(2), 12));
  CHECK(hp_batch_require_section_total(batch, HP_FIRST, 3));
  CHECK(hp_batch_require_revision(batch, HP_NEXT, hp_row_id(7), 40));
  CHECK(hp_batch_require_cell(batch, HP_NEXT, hp_row_id(7),
                              hp_cell_in(3, hp_cell_decimal(NULL, -5))));
  CHECK(hp_batch_update_row(batch, hp_row_at(0, 3), cells, 2));
  GOLDEN("batch_keyed", 16, hp_send_batch(async, &envelope, batch));
  hp_batch_free(batch);
}

TEST(sends_column_operations) {
  hp_cell hall = hp_cell_text(NULL, "Hall"), unknown = hp_cell_text(NULL, "?");
  hp_column place = {
      .name = "place", .kind = HP_TEXT, .required = true, .default_value = &hall, .fill = &unknown};
  hp_column code = {.name = "code", .kind = HP_INTEGER, .unique = true};
  hp_batch *batch = hp_batch_new(hp_table_named("items"), NULL);
  CHECK(hp_batch_add_column(batch, &place, "value"));
  CHECK(hp_batch_add_column(batch, &code, NULL));
  CHECK(hp_batch_rename_column(batch, "serial", "number"));
  CHECK(hp_batch_move_column(batch, "place", 0));
  CHECK(hp_batch_drop_column(batch, "value"));
  GOLDEN("batch_columns", 20, hp_send_batch(async, NULL, batch));
  hp_batch_free(batch);
}

/* The operations of the golden batch_sequence. */
static hp_batch *sequence(void) {
  hp_batch *b = hp_batch_new(hp_table_named("items"), NULL);
  hp_batch_set_basis(b, hp_basis_rebase(at_41));
  hp_batch_set_dry_run(b, true);

  hp_cell lamp = hp_cell_text("name", "Lamp");
  hp_new_row rows[] = {{&lamp, 1, 2}, {NULL, 0, 0}};
  hp_header_footer header = {.title = "Upstairs", .has_height = true, .height = 44};
  hp_new_section attic = {
      .title = "Attic", .rows = rows, .row_count = 2, .as = 1, .header = &header};
  CHECK(hp_batch_insert_section(b, hp_section_place_index(0), &attic, HP_ANIMATION_TOP));

  hp_cell yes = hp_cell_in(5, hp_cell_boolean(NULL, true));
  hp_new_row third = {&yes, 1, 3};
  CHECK(hp_batch_insert_new_row(b, hp_place_first_of(hp_section_handle(1)), &third,
                                HP_ANIMATION_AUTOMATIC));
  CHECK(hp_batch_delete_row(b, hp_row_id(8), HP_ANIMATION_DEFAULT));
  CHECK(hp_batch_move_row(b, hp_row_handle(2), hp_place_before(hp_row_id(9))));
  CHECK(hp_batch_move_row(b, hp_row_id(10), hp_place_after(hp_row_handle(3))));
  CHECK(hp_batch_move_row(b, hp_row_id(11), hp_place_path(1, 0)));
  CHECK(hp_batch_move_row(b, hp_row_id(12), hp_place_last_of(hp_section_titled("Kitchen"))));
  hp_cell day = hp_cell_in(6, hp_cell_date(NULL, -1));
  CHECK(hp_batch_reload_row(b, hp_row_id(9), &day, 1, HP_ANIMATION_DEFAULT));
  CHECK(hp_batch_delete_section(b, hp_section_at(4), HP_ANIMATION_DEFAULT));
  CHECK(hp_batch_move_section(b, hp_section_handle(1), hp_section_place_after(hp_section_id(2))));
  CHECK(hp_batch_move_section(b, hp_section_id(2),
                              hp_section_place_before(hp_section_titled("Garage"))));
  CHECK(hp_batch_retitle_section(b, hp_section_id(2), NULL));
  hp_cell nine = hp_cell_in(7, hp_cell_integer(NULL, 9));
  hp_new_row reloaded = {&nine, 1, 0};
  CHECK(hp_batch_reload_section_rows(b, hp_section_id(3), &reloaded, 1, HP_ANIMATION_DEFAULT));
  hp_header_footer footer = {.view = "Footer"};
  CHECK(hp_batch_set_footer(b, hp_section_id(3), &footer));
  hp_cell serial = hp_cell_text("serial", "0007");
  hp_new_row upserted = {&serial, 1, 0};
  CHECK(hp_batch_upsert(b, "serial", &upserted, hp_place_last_of(hp_section_id(2))));
  CHECK(hp_batch_require_matched(b, HP_NEXT, 1));
  int64_t floor = 0;
  CHECK(hp_batch_add_to_cell(b, hp_row_id(9), hp_cell_in(7, hp_cell_integer(NULL, -1)), &floor,
                             NULL));
  hp_sort by = {.column = "name", .folded = true};
  CHECK(hp_batch_sort_section(b, hp_section_id(2), &by, 1));
  CHECK(hp_batch_count(b) == 17);
  return b;
}

TEST(sends_every_operation_of_a_sequence) {
  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  session_advance(&s, 17);
  hp_batch *batch = sequence();
  CHECK(hp_send_batch(s.async, NULL, batch) == 17);
  bytes sent = session_sent(&s);
  /* The golden frame says the mode, which is the default and is not sent here. */
  bytes expected = golden("batch_sequence");
  Hp__V1__ClientFrame *frame = unpack_frame(&expected);
  CHECK(frame != NULL && frame->request_case == HP__V1__CLIENT_FRAME__REQUEST_BATCH);
  if (frame != NULL) {
    bytes repacked = {NULL, 0, 0};
    CHECK(frame->batch->mode == HP__V1__BATCH_MODE__BATCH_MODE_SEQUENCE);
    frame->batch->has_mode = false;
    add_message(&repacked, &frame->base);
    CHECK(sent.size == repacked.size && memcmp(sent.data, repacked.data, sent.size) == 0);
    bytes_free(&repacked);
    hp__v1__client_frame__free_unpacked(frame, NULL);
  }
  bytes_free(&expected);
  bytes_free(&sent);
  hp_batch_free(batch);
  session_close(&s);
}

TEST(sends_every_operation_of_a_transition) {
  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  session_advance(&s, 18);
  hp_batch *b = hp_batch_new(hp_table_named("items"), NULL);
  hp_transition_begin(b, hp_basis_current());
  hp_cell alaska = hp_cell_text("name", "Alaska");
  hp_cell texas = hp_cell_text("name", "Texas");
  hp_cell ohio = hp_cell_text("name", "Ohio");
  hp_new_row brought = {&texas, 1, 0}, instead = {&ohio, 1, 0};
  hp_new_section south = {.title = "South", .rows = &brought, .row_count = 1};
  uint64_t counts[] = {5, 3, 1, 2, 2, 1};
  CHECK(hp_transition_delete_row(b, 0, 4));
  CHECK(hp_transition_insert_row(b, 0, 0, &alaska, 1));
  CHECK(hp_transition_move_row(b, 0, 1, 1, 0));
  CHECK(hp_transition_reload_row(b, 0, 2, NULL, 0));
  CHECK(hp_transition_insert_section(b, 2, &south));
  CHECK(hp_transition_delete_section(b, 3));
  CHECK(hp_transition_move_section(b, 4, 3));
  CHECK(hp_transition_reload_section(b, 5));
  CHECK(hp_transition_reload_section_rows(b, 6, &instead, 1));
  CHECK(hp_batch_set_section_counts(b, counts, 6));
  CHECK(hp_send_batch(s.async, NULL, b) == 18);
  bytes sent = session_sent(&s);
  bytes expected = golden("batch_transition");
  CHECK(sent.size == expected.size && memcmp(sent.data, expected.data, sent.size) == 0);
  bytes_free(&expected);
  bytes_free(&sent);
  hp_batch_free(b);
  session_close(&s);
}

static void fill_with_the_rest(hp_batch *b) {
  uint64_t ids[] = {1, 2, 300};
  hp_cell zero = hp_cell_decimal(NULL, 0);
  hp_filter_node nodes[] = {{.op = HP_GREATER, .column = "value", .cells = &zero, .cell_count = 1},
                            {.op = HP_IS_NULL, .column = "serial", .folded = true},
                            {.op = HP_AND}};
  hp_filter filter = {nodes, 3};
  hp_cell cell = hp_cell_null("serial");
  hp_column column = {.name = "weight", .kind = HP_INTEGER, .unique = true, .read_only = true};
  hp_policy policy = {.can_edit = HP_YES,
                      .can_move = HP_NO,
                      .editing_style = HP_STYLE_DELETE,
                      .delete_title = "Remove",
                      .drop = HP_DROP_SAME_SECTION,
                      .writes_only_while_holding = HP_YES};
  hp_sentinel sentinel = {.text = "No more items!", .has_height = true, .height = 20};
  hp_id_run run = {5, 10};
  uint64_t counts[] = {1, 0, 500};
  int64_t ceiling = 10;
  hp_batch_set_mode(b, HP_TRANSITION);
  hp_batch_set_basis(b, hp_basis_at(at_42));
  CHECK(hp_batch_set_section_counts(b, counts, 3));
  CHECK(hp_batch_require_no_row(b, HP_FIRST, hp_row_id(77)));
  CHECK(hp_batch_require_cell(b, HP_FIRST, hp_row_id(7), hp_cell_text("name", "Kettle")));
  CHECK(hp_batch_insert_row(b, hp_place_path(0, 0), NULL, 0));
  CHECK(hp_batch_delete_row(b, hp_row_at(0, 1), HP_ANIMATION_FADE));
  CHECK(hp_batch_move_row(b, hp_row_at(1, 2), hp_place_path(0, 1)));
  CHECK(hp_batch_reload_row(b, hp_row_at(2, 2), NULL, 0, HP_ANIMATION_NONE));
  CHECK(hp_batch_delete_section(b, hp_section_at(3), HP_ANIMATION_LEFT));
  CHECK(hp_batch_move_section(b, hp_section_at(4), hp_section_place_index(0)));
  CHECK(hp_batch_reload_section(b, hp_section_at(5), HP_ANIMATION_DEFAULT));
  CHECK(hp_batch_insert_section(b, hp_section_place_default(), &(hp_new_section){0},
                                HP_ANIMATION_DEFAULT));
  CHECK(hp_batch_move_ids(b, ids, 3, hp_place_first_of(hp_section_id(2))));
  CHECK(hp_batch_move_run(b, run, hp_place_default()));
  CHECK(hp_batch_move_where(b, &filter, hp_place_default()));
  CHECK(hp_batch_delete_where(b, &filter));
  CHECK(hp_batch_update_where(b, &filter, &cell, 1));
  CHECK(hp_batch_add_to_cell(b, hp_row_id(1), hp_cell_integer("n", 2), NULL, &ceiling));
  CHECK(hp_batch_set_header(b, hp_section_none(), NULL));
  CHECK(hp_batch_add_column(b, &column, "value"));
  CHECK(hp_batch_rename_column(b, "weight", "mass"));
  CHECK(hp_batch_move_column(b, "mass", 0));
  CHECK(hp_batch_drop_column(b, "mass"));
  CHECK(hp_batch_set_table_policy(b, &policy));
  CHECK(hp_batch_set_section_policy(b, hp_section_id(2), NULL));
  CHECK(hp_batch_set_row_policy(b, hp_row_id(7), &policy));
  CHECK(hp_batch_set_sentinel(b, hp_section_id(2), &sentinel));
  CHECK(hp_batch_set_sentinel(b, hp_section_id(2), NULL));
}

TEST(encodes_as_protobuf_would) {
  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  hp_batch *batch = hp_batch_new(hp_table_with_id(9), NULL);
  fill_with_the_rest(batch);
  CHECK(hp_batch_error(batch)->kind == HP_ERROR_NONE);
  CHECK(hp_send_batch(s.async, NULL, batch) == 2);
  bytes sent = session_sent(&s);
  Hp__V1__ClientFrame *frame = unpack_frame(&sent);
  CHECK(frame != NULL && frame->request_case == HP__V1__CLIENT_FRAME__REQUEST_BATCH);
  if (frame != NULL) {
    bytes repacked = {NULL, 0, 0};
    add_message(&repacked, &frame->base);
    CHECK(sent.size == repacked.size && memcmp(sent.data, repacked.data, sent.size) == 0);
    CHECK(frame->base.n_unknown_fields == 0);
    const Hp__V1__Batch *b = frame->batch;
    CHECK(b->n_operations == hp_batch_count(batch) && b->n_operations == 24);
    CHECK(b->mode == HP__V1__BATCH_MODE__BATCH_MODE_TRANSITION);
    CHECK(b->n_section_counts == 3 && b->section_counts[2] == 500);
    CHECK(b->basis->at->revision == 42 && !b->basis->rebase);
    CHECK(b->operations[1]->delete_row->row->path->row == 1);
    CHECK(b->operations[8]->move_many->n_ids == 3);
    CHECK(b->operations[11]->delete_where->filter->n_nodes == 3);
    CHECK(b->operations[11]->delete_where->filter->nodes[2]->operator_ ==
          HP__V1__FILTER__OPERATOR__AND);
    const Hp__V1__Policy *policy = b->operations[19]->set_policy->policy;
    CHECK(policy->has_can_move && !policy->can_move && !policy->has_allows_selection);
    CHECK(policy->editing_style == HP__V1__EDITING_STYLE__EDITING_STYLE_DELETE);
    CHECK(policy->drop == HP__V1__DROP_RULE__DROP_RULE_SAME_SECTION);
    CHECK(b->operations[20]->set_policy->clear);
    CHECK(!b->operations[22]->set_policy->has_clear);
    CHECK_TEXT(b->operations[22]->set_policy->sentinel->text, "No more items!");
    CHECK(b->operations[23]->set_policy->clear_sentinel);
    bytes_free(&repacked);
    hp__v1__client_frame__free_unpacked(frame, NULL);
  }
  bytes_free(&sent);
  hp_batch_free(batch);
  session_close(&s);
}

TEST(sends_a_filtered_subscription) {
  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  hp_table_ref tables[] = {hp_table_named("items"), hp_table_with_id(3)};
  uint64_t sections[] = {2}, rows[] = {7, 8};
  const char *columns[] = {"name", "value"};
  hp_change_kind kinds[] = {HP_CHANGE_INSERT, HP_CHANGE_MOVE};
  hp_subscribe_options options = {.tables = tables,
                                  .table_count = 2,
                                  .sections = sections,
                                  .section_count = 1,
                                  .columns = columns,
                                  .column_count = 2,
                                  .notice_rows = rows,
                                  .notice_row_count = 2,
                                  .notice_kinds = kinds,
                                  .notice_kind_count = 2,
                                  .old_rows = true,
                                  .only_live = true};
  CHECK(hp_send_subscribe(s.async, NULL, &options) == 2);
  bytes sent = session_sent(&s);
  Hp__V1__ClientFrame *frame = unpack_frame(&sent);
  CHECK(frame != NULL);
  if (frame != NULL) {
    bytes repacked = {NULL, 0, 0};
    const Hp__V1__Subscribe *subscribe = frame->subscribe;
    add_message(&repacked, &frame->base);
    CHECK(sent.size == repacked.size && memcmp(sent.data, repacked.data, sent.size) == 0);
    CHECK(subscribe->only_live && subscribe->old_rows && subscribe->table == NULL);
    CHECK(subscribe->filter->n_tables == 2 && subscribe->filter->n_columns == 2);
    CHECK(subscribe->filter->n_notice_rows == 2 && subscribe->filter->notice_kinds[1] == 3);
    bytes_free(&repacked);
    hp__v1__client_frame__free_unpacked(frame, NULL);
  }
  bytes_free(&sent);
  session_close(&s);
}

TEST(refuses_what_cannot_be_said) {
  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  hp_table_ref items = hp_table_named("items");
  /* Bad text, missing names, numbers of no request: typed, and nothing is sent. */
  CHECK(hp_send_describe_table(s.async, NULL, hp_table_named("\xff")) == 0);
  CHECK(hp_async_error(s.async)->kind == HP_ERROR_ARGUMENT);
  CHECK(hp_send_describe_table(s.async, NULL, hp_table_all()) == 0);
  CHECK(hp_send_set_log_level(s.async, NULL, NULL) == 0);
  CHECK(hp_send_encoded(s.async, NULL, 16, NULL, 0) == 0);
  CHECK(hp_send_ping(s.async, &(hp_envelope){.key = "\xc0\x80"}, NULL, 0) == 0);
  CHECK(hp_async_error(s.async)->kind == HP_ERROR_ARGUMENT);
  CHECK(hp_async_in_flight(s.async) == 0 && hp_async_is_flushed(s.async));
  /* The next one takes the next id and clears the error. */
  CHECK(hp_send_ping(s.async, NULL, NULL, 0) == 2);
  CHECK(hp_async_error(s.async)->kind == HP_ERROR_NONE);

  hp_batch *batch = hp_batch_new(items, NULL);
  hp_cell nameless = hp_cell_text(NULL, "x");
  hp_cell textless = hp_cell_text("name", NULL);
  CHECK(!hp_batch_insert_row(batch, hp_place_default(), &nameless, 1));
  CHECK(hp_batch_error(batch)->kind == HP_ERROR_ARGUMENT);
  CHECK(!hp_batch_delete_row(batch, hp_row_id(7), HP_ANIMATION_DEFAULT)); /* it stays broken */
  CHECK(hp_batch_count(batch) == 0 && hp_batch_size(batch) == 0);
  CHECK(hp_send_batch(s.async, NULL, batch) == 0);
  CHECK(hp_async_error(s.async)->kind == HP_ERROR_ARGUMENT);
  hp_batch_clear(batch);
  CHECK(!hp_batch_insert_row(batch, hp_place_default(), &textless, 1));
  hp_batch_clear(batch);
  CHECK(!hp_batch_sort_section(batch, hp_section_none(), NULL, 0));
  hp_batch_clear(batch);
  CHECK(hp_batch_require_matched(batch, HP_NEXT, 1));
  CHECK(hp_send_batch(s.async, NULL, batch) == 0); /* a condition of no operation */
  hp_batch_clear(batch);
  CHECK(hp_batch_delete_row(batch, hp_row_id(7), HP_ANIMATION_DEFAULT));
  CHECK(hp_send_batch(s.async, NULL, batch) == 3);
  hp_batch_free(batch);
  session_close(&s);
}

TEST(keeps_to_the_frame_limit) {
  static char text[70000];
  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  memset(text, 'x', sizeof text - 1);
  hp_batch *batch = hp_batch_new(hp_table_named("items"), NULL);
  hp_cell cell = hp_cell_text("name", text);
  for (int i = 0; i < 40; i++) CHECK(hp_batch_insert_row(batch, hp_place_default(), &cell, 1));
  CHECK(hp_batch_count(batch) == 40 && hp_batch_size(batch) > 2 * HP_FRAME_UP);
  hp_batch_clear(batch);
  CHECK(hp_batch_size(batch) == 0);
  /* One operation is at most a frame. */
  hp_cell many[16];
  for (int i = 0; i < 16; i++) many[i] = cell;
  CHECK(!hp_batch_insert_row(batch, hp_place_default(), many, 16));
  CHECK(hp_batch_error(batch)->kind == HP_ERROR_TOO_LARGE);
  CHECK(hp_send_batch(s.async, NULL, batch) == 0);
  CHECK(hp_async_error(s.async)->kind == HP_ERROR_TOO_LARGE);
  hp_batch_free(batch);

  /* One as large as a frame may be goes out whole, with the buffer growing to it. */
  static char payload[HP_FRAME_UP];
  CHECK(hp_send_ping(s.async, NULL, payload, sizeof payload) == 0);
  CHECK(hp_async_error(s.async)->kind == HP_ERROR_TOO_LARGE);
  CHECK(hp_send_ping(s.async, NULL, payload, sizeof payload - 11) == 2);
  bytes sent = session_sent(&s);
  CHECK(sent.size == HP_FRAME_UP + 3);
  bytes_free(&sent);

  /* A server that does not read: a bounded number of bytes waits. */
  int queued = 0;
  while (hp_send_ping(s.async, NULL, payload, sizeof payload - 100) != 0) queued++;
  CHECK(hp_async_error(s.async)->kind == HP_ERROR_FULL);
  CHECK(queued >= 8 && queued <= 10);
  session_close(&s);
}
