/* Windows: a run of rows, folded from change lists in window coordinates (contract F3). */
#include "feedmodel.h"
#include "tests.h"
#include "view.h"

enum { ROWS = 64 };

/* A window as a plain list, and its change as an event. */
typedef struct window {
  model random; /* its seed only */
  uint64_t ids[ROWS], homes[ROWS];
  size_t count;
  uint64_t next_id;
  uint64_t revision;
  hp_event event;
  hp_window_change change;
  uint64_t deletes[ROWS];
  hp_window_row inserts[ROWS];
  hp_window_move moves[ROWS];
  hp_row rows[ROWS];
  hp_section sections[2];
  hp_column column;
} window;

static void tell(window *at, bool reset) {
  memset(&at->event, 0, sizeof at->event);
  at->change.generation = 1;
  at->change.revision = at->revision;
  at->change.first = 10;
  at->change.before = 10;
  at->change.after = 100 - at->count;
  at->change.reset = reset;
  at->change.anchor = at->count > 0 ? at->ids[0] : 0;
  at->change.actor = "anna/test";
  at->change.deletes = at->deletes;
  at->change.inserts = at->inserts;
  at->change.moves = at->moves;
  at->change.rows = at->rows;
  at->change.schema_revision = 1;
  at->event.kind = HP_EVENT_WINDOW;
  at->event.last = true;
  at->event.window = &at->change;
  at->event.revision = at->revision;
}

static void add_row(window *at, size_t index, uint64_t id, uint64_t home) {
  memmove(at->ids + index + 1, at->ids + index, (at->count - index) * sizeof *at->ids);
  memmove(at->homes + index + 1, at->homes + index, (at->count - index) * sizeof *at->homes);
  at->ids[index] = id;
  at->homes[index] = home;
  at->count += 1;
}

static size_t index_of(const window *at, uint64_t id) {
  size_t index = 0;
  while (index < at->count && at->ids[index] != id) index++;
  return index;
}

static void begin(window *at, uint32_t seed) {
  memset(at, 0, sizeof *at);
  at->random.seed = seed * 2654435761u + 1;
  at->revision = 40;
  at->next_id = 1;
  size_t count = model_random(&at->random, 20);
  for (size_t i = 0; i < count; i++) {
    add_row(at, i, at->next_id, 900 + i / 5);
    at->rows[i] = (hp_row){.id = at->next_id++, .revision = 40};
    at->inserts[count - 1 - i] = (hp_window_row){i, at->homes[i], at->ids[i]};
  }
  at->change.insert_count = at->change.row_count = count;
  at->column = (hp_column){.id = 1, .name = "name", .kind = HP_TEXT};
  at->change.columns = &at->column;
  at->change.column_count = 1;
  at->sections[0] = (hp_section){.id = 900, .title = "first", .rows = 50};
  at->change.sections = at->sections;
  at->change.section_count = 1;
  tell(at, true);
}

static void change(window *at) {
  window before = *at;
  uint64_t from = at->revision;
  uint64_t movers[ROWS], homes[ROWS];
  size_t mover_count = 0;
  memset(&at->change, 0, sizeof at->change);
  at->count = 0;
  at->revision += 1 + model_random(&at->random, 3);
  for (size_t i = 0; i < before.count; i++) {
    uint32_t fate = model_random(&at->random, 10);
    if (fate == 0) {
      at->deletes[at->change.delete_count++] = i;
    } else if (fate == 1) {
      movers[mover_count] = before.ids[i];
      homes[mover_count++] = before.homes[i] + model_random(&at->random, 2);
    } else {
      add_row(at, at->count, before.ids[i], before.homes[i]);
    }
  }
  for (size_t i = 0; i < mover_count; i++) {
    add_row(at, model_random(&at->random, (uint32_t)at->count + 1), movers[i], homes[i]);
  }
  size_t fresh = at->count < 40 ? model_random(&at->random, 4) : 0;
  uint64_t first = at->next_id;
  for (size_t i = 0; i < fresh; i++) {
    add_row(at, model_random(&at->random, (uint32_t)at->count + 1), at->next_id++, 905);
  }
  for (uint64_t id = first; id < at->next_id; id++) {
    at->inserts[at->change.insert_count++] = (hp_window_row){index_of(at, id), 905, id};
    at->rows[at->change.row_count++] = (hp_row){.id = id, .revision = at->revision};
  }
  for (size_t i = 0; i < mover_count; i++) {
    at->moves[at->change.move_count++] =
        (hp_window_move){index_of(&before, movers[i]), index_of(at, movers[i]), homes[i]};
  }
  tell(at, false);
  at->event.from = from;
}

static bool equals(const window *at, const hp_copy *copy) {
  if (hp_copy_section_count(copy) != 1 || hp_copy_row_count(copy) != at->count ||
      hp_copy_cursor(copy).revision != at->revision || hp_copy_window(copy) == NULL ||
      hp_copy_window(copy)->after != 100 - at->count) {
    return false;
  }
  for (size_t i = 0; i < at->count; i++) {
    const hp_row *row = hp_copy_row_at(copy, hp_path_make(0, i));
    if (row == NULL || row->id != at->ids[i] || row->section != at->homes[i]) return false;
  }
  return true;
}

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

TEST(folds_a_window_as_a_plain_list_does) {
  static window at;
  for (uint32_t seed = 1; seed <= 60; seed++) {
    view seen = {0};
    hp_copy *copy = hp_copy_new(0, &by_view, &seen, NULL);
    hp_subscribed subscribed = {.from = {77, 40}};
    hp_copy_resume(copy, &subscribed);
    begin(&at, seed);
    CHECK(hp_copy_take(copy, &at.event) == HP_GAP_NONE && equals(&at, copy));
    CHECK(hp_copy_cursor(copy).epoch == 77 && hp_copy_window(copy)->section_count == 1);
    CHECK_TEXT(hp_copy_window(copy)->sections[0].title, "first");
    for (int step = 0; step < 40; step++) {
      change(&at);
      hp_gap gap = hp_copy_take(copy, &at.event);
      if (gap != HP_GAP_NONE || !equals(&at, copy) || seen.fault != NULL) {
        check_failed("seed", (int)seed, seen.fault != NULL ? seen.fault : hp_copy_reason(copy));
        break;
      }
    }
    CHECK(hp_copy_window(copy)->section_count == 1); /* as they were */
    hp_event progress = {.kind = HP_EVENT_PROGRESS, .from = at.revision,
                         .revision = at.revision + 1, .last = true};
    CHECK(hp_copy_take(copy, &progress) == HP_GAP_NONE);
    hp_copy_free(copy);
    view_free(&seen);
  }
}

/* What a stage of reloads said, beside a window's plain list as it was. */
typedef struct reloaded {
  const window *before;
  size_t rows;
  size_t cells;
  const char *fault;
} reloaded;

static void on_reload(const hp_copy *copy, const hp_update *update, const hp_stage *stage,
                      void *context) {
  reloaded *seen = context;
  if (stage->kind != HP_STAGE_RELOAD) return;
  if (stage != &update->stages[update->stage_count - 1]) seen->fault = "not the last stage";
  for (size_t i = 0; i < stage->reload_count; i++) {
    const hp_row_reload *reload = &stage->reloads[i];
    if (hp_copy_id_at(copy, reload->path) != reload->id) seen->fault = "another row at its place";
    if (reload->old_path.section != 0 || reload->old_path.row >= seen->before->count ||
        seen->before->ids[reload->old_path.row] != reload->id) {
      seen->fault = "another row stood there";
    }
    seen->rows += 1;
    hp_cell cell = {0};
    for (size_t j = 0; j < reload->column_count; j++) {
      if (reload->columns[j] != 1 || !hp_copy_cell(copy, reload->id, 1, &cell)) {
        seen->fault = "another column";
      }
      seen->cells += 1;
    }
  }
}

TEST(tells_the_reloads_of_a_window_as_a_stage) {
  static window at, before;
  const hp_copy_callbacks callbacks = {.stage = on_reload};
  for (uint32_t seed = 1; seed <= 60; seed++) {
    reloaded seen = {&before, 0, 0, NULL};
    hp_copy *copy = hp_copy_new(0, &callbacks, &seen, NULL);
    begin(&at, seed);
    CHECK(hp_copy_take(copy, &at.event) == HP_GAP_NONE);
    for (int step = 0; step < 20; step++) {
      before = at;
      change(&at);
      uint64_t reloads[ROWS];
      size_t count = 0, written = 0;
      hp_cell cell = {.column = 1, .kind = HP_TEXT, .text = step % 2 == 0 ? "even" : "odd"};
      for (size_t i = 0; i < at.count; i++) {
        if (index_of(&before, at.ids[i]) == before.count || model_random(&at.random, 3) != 0) {
          continue;
        }
        reloads[count++] = i;
        /* Some are drawn again as they are. */
        if (model_random(&at.random, 4) == 0) continue;
        hp_cell old = {0};
        bool had = hp_copy_cell(copy, at.ids[i], 1, &old) && old.kind == HP_TEXT;
        written += !had || strcmp(old.text, cell.text) != 0;
        at.rows[at.change.row_count++] = (hp_row){
            .id = at.ids[i], .revision = at.revision, .cells = &cell, .cell_count = 1};
      }
      at.change.reloads = reloads;
      at.change.reload_count = count;
      seen.rows = seen.cells = 0;
      hp_gap gap = hp_copy_take(copy, &at.event);
      if (gap != HP_GAP_NONE || !equals(&at, copy) || seen.fault != NULL || seen.rows != count ||
          seen.cells != written) {
        check_failed("seed", (int)seed, seen.fault != NULL ? seen.fault : hp_copy_reason(copy));
        break;
      }
    }
    /* One that came in, or that is not there, is no reload. */
    change(&at);
    uint64_t wrong = at.change.insert_count > 0 ? at.inserts[0].index : at.count + 7;
    at.change.reloads = &wrong;
    at.change.reload_count = 1;
    CHECK(hp_copy_take(copy, &at.event) == HP_GAP_CONTENT && !hp_copy_is_whole(copy));
    hp_copy_free(copy);
  }
}

TEST(refuses_windows_that_do_not_fit) {
  static window at;
  unsigned contents = 0;
  for (uint32_t seed = 1; seed <= 300; seed++) {
    hp_copy *copy = hp_copy_new(0, NULL, NULL, NULL);
    begin(&at, seed);
    if (seed % 5 == 0 && at.count > 0) at.inserts[0].index += 1 + model_random(&at.random, 3);
    hp_gap gap = hp_copy_take(copy, &at.event);
    if (gap == HP_GAP_NONE) {
      change(&at);
      uint64_t *numbers[] = {&at.deletes[0], &at.inserts[0].index, &at.inserts[0].id,
                             &at.moves[0].from, &at.moves[0].to, &at.rows[0].id, &at.event.from};
      *numbers[model_random(&at.random, 7)] += 1 + model_random(&at.random, 60);
      gap = hp_copy_take(copy, &at.event);
    }
    contents += gap == HP_GAP_CONTENT;
    if (gap == HP_GAP_CONTENT) CHECK(!hp_copy_is_whole(copy));
    begin(&at, seed);
    CHECK(hp_copy_take(copy, &at.event) == HP_GAP_NONE && equals(&at, copy));
    hp_copy_free(copy);
  }
  CHECK(contents > 40);
  hp_copy *copy = hp_copy_new(0, NULL, NULL, NULL);
  begin(&at, 1);
  change(&at);
  CHECK(hp_copy_take(copy, &at.event) == HP_GAP_ORDER); /* nothing to begin with */
  hp_copy_free(copy);
}

TEST(keeps_policies_of_rows) {
  static model_event out;
  model table;
  model_begin(&table, 21);
  hp_copy *copy = hp_copy_new(0, NULL, NULL, NULL);
  CHECK(model_feed(&table, &out, copy) == HP_GAP_NONE);
  uint64_t id = hp_copy_id_at(copy, hp_path_make(0, 0));
  CHECK(id != 0 && hp_copy_row_policy(copy, id) == NULL);
  hp_policy policy = {.can_edit = HP_NO, .delete_title = "Remove"};
  hp_row_policy own[] = {{id, &policy}, {id + 100000, &policy}};
  for (int step = 0; step < 3; step++) {
    hp_table_change part = {.table = 5, .row_policies = own, .row_policy_count = 2};
    hp_change change = {.revision = table.revision + 1, .tables = &part, .table_count = 1};
    hp_event event = {.kind = HP_EVENT_CHANGE, .from = table.revision,
                      .revision = table.revision + 1, .last = true, .change = &change};
    CHECK(hp_copy_take(copy, &event) == HP_GAP_NONE);
    table.revision += 1;
    const hp_policy *kept = hp_copy_row_policy(copy, id);
    CHECK((kept != NULL) == (step != 1));
    if (kept != NULL) CHECK_TEXT(kept->delete_title, "Remove");
    CHECK(hp_copy_row_policy(copy, id + 100000) == NULL);
    own[0].policy = step == 0 ? NULL : &policy;
  }
  hp_copy_free(copy);
  model_end(&table);
}
