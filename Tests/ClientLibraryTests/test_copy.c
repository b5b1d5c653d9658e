/* The copy: folding events, held against plain lists; what does not fit ends in a gap. */
#include "feedmodel.h"
#include "tests.h"
#include "view.h"

static void on_reset(const hp_copy *copy, void *context) { view_reset(context, copy); }
static void on_will_change(const hp_copy *copy, const hp_update *update, void *context) {
  view_will_change(context, copy, update);
}
static void on_stage(const hp_copy *copy, const hp_update *update, const hp_stage *stage,
                     void *context) {
  (void)update;
  view_stage(context, copy, stage);
}
static void on_did_change(const hp_copy *copy, const hp_update *update, void *context) {
  view_did_change(context, copy, update);
}
static const hp_copy_callbacks by_view = {on_reset, on_will_change, on_stage, on_did_change, NULL};

static hp_copy *fold_golden(const char *const *names, size_t count) {
  session s = {.free_in = NULL};
  hp_copy *copy = hp_copy_new(0, NULL, NULL, NULL);
  if (copy == NULL) return NULL;
  session_ready(&s, NULL);
  session_subscribe(&s, 3);
  for (size_t i = 0; i < count; i++) {
    bytes frame = golden(names[i]);
    session_feed(&s, &frame);
    bytes_free(&frame);
    CHECK(s.last_event != NULL);
    hp_gap gap = hp_copy_take(copy, s.last_event);
    if (gap != HP_GAP_NONE) check_failed(names[i], (int)gap, hp_copy_reason(copy));
  }
  session_close(&s);
  return copy;
}

TEST(folds_golden_events) {
  static const char *const names[] = {"event_snapshot", "event_rows", "event_live"};
  hp_copy *copy = fold_golden(names, 3);
  CHECK(hp_copy_is_live(copy) && hp_copy_is_whole(copy));
  CHECK_TEXT(hp_copy_table(copy)->name, "items");
  CHECK(hp_copy_row_count(copy) > 0 && copy_is_consistent(copy));
  const hp_row *row = hp_copy_row_at(copy, hp_path_make(0, 0));
  CHECK(row != NULL && row->cell_count > 0 && row->placed);
  hp_cell cell;
  CHECK(hp_copy_cell(copy, row->id, row->cells[0].column, &cell));
  CHECK(cell.kind == row->cells[0].kind && !hp_copy_cell(copy, row->id, 999, &cell));
  CHECK(!hp_copy_cell(copy, 12345, 1, &cell) && cell.kind == HP_NULL);
  hp_copy_free(copy);
}

TEST(folds_random_changes_as_plain_lists_do) {
  static model_event out;
  for (uint32_t seed = 1; seed <= 40; seed++) {
    model table;
    view seen = {0};
    model_begin(&table, seed);
    hp_copy *copy = hp_copy_new(0, &by_view, &seen, NULL);
    CHECK(copy != NULL && model_feed(&table, &out, copy) == HP_GAP_NONE);
    CHECK(model_equals(&table, copy) && hp_copy_is_live(copy));
    for (int step = 0; step < 60; step++) {
      model_change(&table, &out);
      hp_gap gap = hp_copy_take(copy, &out.event);
      if (gap != HP_GAP_NONE || !model_equals(&table, copy) || seen.fault != NULL) {
        check_failed("seed", (int)seed, seen.fault != NULL ? seen.fault : hp_copy_reason(copy));
        break;
      }
    }
    CHECK(seen.changes == 60 && seen.resets == 1);
    hp_copy_free(copy);
    view_free(&seen);
    model_end(&table);
  }
}

/* A change in parts: each list is cut somewhere. */
static hp_gap take_in_parts(model *table, model_event *out, hp_copy *copy, uint32_t parts) {
  hp_table_change whole = out->table;
  hp_stage stages[2] = {whole.stages[0], whole.stages[1]};
  hp_gap gap = HP_GAP_NONE;
#define CUT(list, n)                                          \
  size_t n##_from = whole.n * part / parts;                   \
  out->table.list = whole.list + n##_from;                    \
  out->table.n = whole.n * (part + 1) / parts - n##_from;
#define CUT_STAGE(list, n)                                    \
  size_t n##_from = stages[i].n * part / parts;               \
  cut[i].list = stages[i].list == NULL ? NULL : stages[i].list + n##_from; \
  cut[i].n = stages[i].n * (part + 1) / parts - n##_from;
  for (uint32_t part = 0; part < parts && gap == HP_GAP_NONE; part++) {
    hp_stage cut[2] = {stages[0], stages[1]};
    CUT(sections, section_count)
    CUT(rows, row_count)
    CUT(deleted, deleted_count)
    for (size_t i = 0; i < 2; i++) {
      CUT_STAGE(delete_sections, delete_section_count)
      CUT_STAGE(insert_sections, insert_section_count)
      CUT_STAGE(move_sections, move_section_count)
      CUT_STAGE(reload_sections, reload_section_count)
      CUT_STAGE(deletes, delete_count)
      CUT_STAGE(inserts, insert_count)
      CUT_STAGE(moves, move_count)
      CUT_STAGE(reloads, reload_count)
      CUT_STAGE(contents, content_count)
    }
    out->table.stages = cut;
    out->event.part = part;
    out->event.last = part + 1 == parts;
    uint64_t before = hp_copy_cursor(copy).revision;
    gap = hp_copy_take(copy, &out->event);
    if (!out->event.last) CHECK(hp_copy_cursor(copy).revision == before);
  }
  (void)table;
  return gap;
}

TEST(folds_changes_in_parts) {
  static model_event out;
  model table;
  view seen = {0};
  model_begin(&table, 99);
  hp_copy *copy = hp_copy_new(0, &by_view, &seen, NULL);
  CHECK(copy != NULL && model_feed(&table, &out, copy) == HP_GAP_NONE);
  for (int step = 0; step < 100; step++) {
    model_change(&table, &out);
    hp_gap gap = take_in_parts(&table, &out, copy, 1 + model_random(&table, 6));
    if (gap != HP_GAP_NONE || !model_equals(&table, copy) || seen.fault != NULL) {
      check_failed("step", step, seen.fault != NULL ? seen.fault : hp_copy_reason(copy));
      break;
    }
  }
  hp_copy_free(copy);
  view_free(&seen);
  model_end(&table);
}

static hp_event mark(hp_event_kind kind, uint64_t from, uint64_t revision) {
  hp_event event;
  memset(&event, 0, sizeof event);
  event.kind = kind;
  event.subscription = 3;
  event.from = from;
  event.revision = revision;
  event.last = true;
  return event;
}

TEST(keeps_to_the_rule_of_from) {
  static model_event out;
  model table;
  model_begin(&table, 7);
  hp_copy *copy = hp_copy_new(0, NULL, NULL, NULL);
  model_live(&table, &out);
  CHECK(hp_copy_take(copy, &out.event) == HP_GAP_ORDER); /* nothing to begin with */
  hp_copy_free(copy);
  copy = hp_copy_new(0, NULL, NULL, NULL);
  CHECK(model_feed(&table, &out, copy) == HP_GAP_NONE);
  uint64_t now = table.revision;
  hp_event progress = mark(HP_EVENT_PROGRESS, now, now + 5);
  CHECK(hp_copy_take(copy, &progress) == HP_GAP_NONE);
  CHECK(hp_copy_cursor(copy).revision == now + 5);
  CHECK(hp_copy_take(copy, &progress) == HP_GAP_ORDER); /* from is behind now */
  CHECK(hp_copy_is_whole(copy) && hp_copy_cursor(copy).revision == now + 5);
  CHECK(hp_copy_reason(copy)[0] != 0);
  progress = mark(HP_EVENT_PROGRESS, now + 5, now + 6);
  CHECK(hp_copy_take(copy, &progress) == HP_GAP_ORDER); /* it waits for a snapshot */
  hp_event barrier = mark(HP_EVENT_BARRIER, 0, now + 6);
  CHECK(hp_copy_take(copy, &barrier) == HP_GAP_NONE);
  CHECK(model_feed(&table, &out, copy) == HP_GAP_NONE && model_equals(&table, copy));
  /* A resumed subscription goes on; what was half there is forgotten. */
  model_change(&table, &out);
  out.event.last = false;
  CHECK(hp_copy_take(copy, &out.event) == HP_GAP_NONE);
  hp_copy_resume(copy, NULL);
  out.event.last = true;
  CHECK(hp_copy_take(copy, &out.event) == HP_GAP_NONE && model_equals(&table, copy));
  hp_event ended = mark(HP_EVENT_ENDED, 0, 0);
  ended.reason = HP_END_TOO_SLOW;
  CHECK(hp_copy_take(copy, &ended) == HP_GAP_TOO_SLOW && hp_copy_is_whole(copy));
  CHECK_TEXT(hp_gap_name(HP_GAP_TOO_SLOW), "too_slow");
  hp_copy_free(copy);
  model_end(&table);
}

TEST(takes_a_snapshot_over_when_it_is_whole) {
  static model_event out;
  model table;
  model_begin(&table, 3);
  hp_copy *copy = hp_copy_new(0, NULL, NULL, NULL);
  CHECK(model_feed(&table, &out, copy) == HP_GAP_NONE);
  model later;
  model_begin(&later, 4);
  later.revision = 90;
  model_snapshot(&later, &out);
  CHECK(hp_copy_take(copy, &out.event) == HP_GAP_NONE);
  CHECK(model_equals(&table, copy)); /* still the old one */
  /* A part that is missing, rows that were not announced, a row twice. */
  model_rows(&later, 0, 2, false, &out);
  CHECK(hp_copy_take(copy, &out.event) == HP_GAP_ORDER && model_equals(&table, copy));
  model_snapshot(&later, &out);
  out.sections[0].rows += 1;
  CHECK(hp_copy_take(copy, &out.event) == HP_GAP_NONE);
  model_rows(&later, 0, 1, true, &out);
  CHECK(hp_copy_take(copy, &out.event) == HP_GAP_CONTENT && model_equals(&table, copy));
  model_snapshot(&later, &out);
  CHECK(hp_copy_take(copy, &out.event) == HP_GAP_NONE);
  model_rows(&later, 0, 1, false, &out);
  out.event.first = 1;
  CHECK(hp_copy_take(copy, &out.event) == HP_GAP_CONTENT && model_equals(&table, copy));
  CHECK(model_feed(&later, &out, copy) == HP_GAP_NONE && model_equals(&later, copy));
  hp_copy_free(copy);
  model_end(&table);
  model_end(&later);
}

TEST(fills_and_drops_columns_on_reading) {
  static model_event out;
  model table;
  model_begin(&table, 11);
  hp_copy *copy = hp_copy_new(0, NULL, NULL, NULL);
  CHECK(model_feed(&table, &out, copy) == HP_GAP_NONE);
  uint64_t id = hp_copy_id_at(copy, hp_path_make(0, 0));
  uint64_t row_revision = hp_copy_row(copy, id)->revision;
  hp_cell fill = {.kind = HP_TEXT, .text = "none"};
  hp_column columns[] = {{.id = 9, .name = "place", .kind = HP_TEXT, .required = true, .fill = &fill},
                         {.id = 2, .name = "number", .kind = HP_INTEGER}};
  hp_table_change part = {.table = 5, .schema_revision = 41, .columns_changed = true,
                          .columns = columns, .column_count = 2};
  hp_change change = {.revision = 41, .tables = &part, .table_count = 1};
  hp_event event = mark(HP_EVENT_CHANGE, 40, 41);
  event.change = &change;
  CHECK(hp_copy_take(copy, &event) == HP_GAP_NONE);
  const hp_row *row = hp_copy_row(copy, id);
  CHECK(row != NULL && row->revision == row_revision && hp_row_cell(row, 1) == NULL);
  CHECK_TEXT(hp_row_cell(row, 9)->text, "none");
  CHECK(hp_copy_table(copy)->schema_revision == 41 && hp_copy_table(copy)->column_count == 2);
  hp_cell cell;
  CHECK(hp_copy_cell(copy, id, 9, &cell) && strcmp(cell.text, "none") == 0 && cell.column == 9);
  CHECK(!hp_copy_cell(copy, id, 1, &cell));
  hp_copy_free(copy);
  model_end(&table);
}

TEST(empties_the_copy_when_a_table_is_dropped) {
  static model_event out;
  model table;
  view seen = {0};
  model_begin(&table, 12);
  hp_copy *copy = hp_copy_new(0, &by_view, &seen, NULL);
  CHECK(model_feed(&table, &out, copy) == HP_GAP_NONE);
  hp_table_change part = {.table = 5, .event = HP_TABLE_DROPPED};
  hp_change change = {.revision = 41, .tables = &part, .table_count = 1};
  hp_event event = mark(HP_EVENT_CHANGE, 40, 41);
  event.change = &change;
  CHECK(hp_copy_take(copy, &event) == HP_GAP_TABLE_DROPPED);
  CHECK(!hp_copy_is_whole(copy) && hp_copy_row_count(copy) == 0 && seen.resets == 2);
  CHECK(hp_copy_row(copy, 1) == NULL && hp_copy_section_at(copy, 0) == NULL);
  CHECK(hp_copy_table(copy)->column_count == 0 && hp_copy_cursor(copy).revision == 0);
  hp_copy_free(copy);
  view_free(&seen);
  model_end(&table);
}
