/* Steps: what is sent, and what is made of the answers. */
#include "test.h"
#include "tests.h"

static void check_sent(bytes sent, const char *name) {
  bytes expected = golden(name);
  CHECK(sent.size == expected.size && memcmp(sent.data, expected.data, sent.size) == 0);
  bytes_free(&expected);
  bytes_free(&sent);
}

#define GOLDEN(name, id, send)            \
  do {                                    \
    session s = {.free_in = NULL};        \
    session_ready(&s, NULL);              \
    session_advance(&s, (id));            \
    hp_async *async = s.async;            \
    CHECK((send) == (id));                \
    check_sent(session_sent(&s), name);   \
    session_close(&s);                    \
  } while (0)

static void answer(session *s, const char *name) {
  bytes frame = golden(name);
  session_feed(s, &frame);
  bytes_free(&frame);
}

TEST(sends_requests_about_steps) {
  hp_step_options newest = {.table = hp_table_named("items")};
  hp_step_options named = {.step = 41, .expect_step = 41, .any = true, .dry_run = true};
  GOLDEN("undo", 25, hp_send_undo(async, NULL, &newest));
  GOLDEN("undo_step", 61, hp_send_undo(async, NULL, &named));
  hp_envelope keyed = {.key = "redo-1", .expect = {1311768467463790320u, 42}};
  named.table = hp_table_with_id(1);
  GOLDEN("redo", 62, hp_send_redo(async, &keyed, &named));
  GOLDEN("restore_row", 63,
         hp_send_restore_row(async, NULL, hp_table_named("items"), 7, true));
  hp_history_options page = {.table = hp_table_named("items"),
                             .before = 41,
                             .limit = 10,
                             .actor = "anna/hpctl",
                             .has_uid = true,
                             .uid = 1000};
  GOLDEN("history", 64, hp_send_history(async, NULL, &page));
  GOLDEN("row_history", 65, hp_send_row_history(async, NULL, hp_table_with_id(1), 7, 41, 10));
}

TEST(sends_steps_without_options) {
  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  CHECK(hp_send_undo(s.async, NULL, NULL) == 2);
  CHECK(hp_send_redo(s.async, NULL, NULL) == 3);
  CHECK(hp_send_history(s.async, NULL, NULL) == 4);
  bytes sent = session_sent(&s);
  static const uint8_t expected[] = {5, 8, 2, 0xba, 3, 0, 5, 8, 3, 0xc2, 3, 0, 5, 8, 4, 0xba, 2, 0};
  CHECK(sent.size == sizeof expected && memcmp(sent.data, expected, sizeof expected) == 0);
  bytes_free(&sent);
  session_close(&s);
}

TEST(reads_history) {
  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  session_advance(&s, 65);
  CHECK(hp_send_row_history(s.async, NULL, hp_table_with_id(1), 7, 0, 0) == 65);
  answer(&s, "reply_history");
  CHECK(hp_reply_kind_of(s.last_reply) == HP_REPLY_HISTORY);
  const hp_history_page *page = hp_reply_history(s.last_reply);
  CHECK(page != NULL && page->count == 4 && page->has_next && page->next == 40);
  CHECK(page->cursor.revision == 43 && hp_reply_cursor(s.last_reply).revision == 43);
  CHECK(hp_reply_batch(s.last_reply) == NULL);
  const hp_history_entry *undo = &page->entries[0], *step = &page->entries[1];
  CHECK(undo->undoes == 42 && undo->undone_by == 0 && undo->counts.rows_updated == 1);
  CHECK(undo->old_cell_count == 1 && undo->old_cells[0].number == 4100);
  CHECK(step->revision == 42 && step->uid == 1000 && step->undone_by == 43 && step->moved);
  CHECK(step->time == 1764543110000000 && step->table == 1 && !step->undoable);
  CHECK_TEXT(step->actor, "anna/hpctl");
  CHECK(step->old_cell_count == 2 && step->old_cells[0].kind == HP_NULL);
  CHECK(step->new_cell_count == 2 && step->new_cells[1].column == 3);
  CHECK_TEXT(step->new_cells[0].text, "0007");
  CHECK(page->entries[2].inserted && page->entries[2].undoable && page->entries[2].columns_changed);
  CHECK(page->entries[2].headers_changed && page->entries[2].policy_changed);
  CHECK(page->entries[3].event == HP_TABLE_CREATED && page->entries[3].old_cells == NULL);
  session_close(&s);
}

TEST(reads_the_outcome_of_an_undo) {
  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  session_advance(&s, 25);
  CHECK(hp_send_undo(s.async, NULL, NULL) == 25);
  answer(&s, "reply_undo");
  const hp_batch_result *result = hp_reply_batch(s.last_reply);
  CHECK(result != NULL && result->step == 42 && !result->undoable && result->stage_count == 1);
  CHECK(hp_reply_history(s.last_reply) == NULL);
  session_close(&s);

  session_ready(&s, NULL);
  session_advance(&s, 25);
  CHECK(hp_send_undo(s.async, NULL, NULL) == 25);
  answer(&s, "reply_undo_conflict");
  const hp_server_error *error = hp_reply_error(s.last_reply);
  CHECK(error != NULL && error->code == HP_CODE_CONFLICT && error->conflict_count == 2);
  CHECK(error->conflicts[0].row == 7 && error->conflicts[0].section == 0);
  CHECK_TEXT(error->conflicts[0].column, "value");
  CHECK(error->conflicts[1].row == 0 && error->conflicts[1].section == 2);
  CHECK(error->conflicts[1].column == NULL);
  CHECK(!error->conflicts[0].removed && error->conflicts[1].removed);
  CHECK_TEXT(error->conflicts[1].actor, "anna/ui");
  session_close(&s);
}
