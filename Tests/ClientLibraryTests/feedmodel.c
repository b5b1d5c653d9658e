#include "feedmodel.h"

#include <stdlib.h>

#define TABLE_ID 5

uint32_t model_random(model *model, uint32_t below) {
  model->seed = model->seed * 1664525u + 1013904223u;
  return (model->seed >> 8) % below;
}

static model_row new_row(model *model) {
  model_row row = {model->next_id, model->revision, (int64_t)model_random(model, 1000)};
  model->next_id += 1 + (model_random(model, 4) == 0);
  return row;
}

void model_begin(model *model, uint32_t seed) {
  memset(model, 0, sizeof *model);
  model->seed = seed * 2654435761u + 1;
  model->revision = 40;
  model->next_id = 1;
  model->sections = calloc(MODEL_SECTIONS, sizeof *model->sections);
  if (model->sections == NULL) abort();
  model->count = 1 + model_random(model, 4);
  for (size_t i = 0; i < model->count; i++) {
    model->sections[i].id = 900 + i;
    model->sections[i].count = model_random(model, 30);
    for (size_t row = 0; row < model->sections[i].count; row++) {
      model->sections[i].rows[row] = new_row(model);
    }
  }
}

void model_end(model *model) { free(model->sections); }

size_t model_row_count(const model *model) {
  size_t rows = 0;
  for (size_t i = 0; i < model->count; i++) rows += model->sections[i].count;
  return rows;
}

/* Telling */

static void begin_event(model_event *out, hp_event_kind kind) {
  memset(&out->event, 0, sizeof out->event);
  memset(&out->change, 0, sizeof out->change);
  memset(&out->table, 0, sizeof out->table);
  memset(out->stages, 0, sizeof out->stages);
  out->event.kind = kind;
  out->event.subscription = 3;
  out->event.last = true;
}

static void tell_row(model_event *out, size_t at, const model_row *row) {
  hp_cell *cells = &out->cells[2 * at];
  snprintf(out->texts[at], sizeof out->texts[at], "n%lld", (long long)row->value);
  cells[0] = hp_cell_in(1, hp_cell_text(NULL, out->texts[at]));
  cells[1] = hp_cell_in(2, hp_cell_integer(NULL, row->value));
  memset(&out->rows[at], 0, sizeof out->rows[at]);
  out->rows[at].id = row->id;
  out->rows[at].revision = row->revision;
  out->rows[at].cells = cells;
  out->rows[at].cell_count = row->value % 7 == 0 ? 1 : 2;
}

static void tell_section(model_event *out, size_t at, const model_section *section,
                         uint64_t index) {
  hp_section *told = &out->sections[at];
  static const char *const titles[] = {NULL, "t1", "t2", "t3"};
  memset(told, 0, sizeof *told);
  told->id = section->id;
  told->title = titles[section->title];
  told->index = index;
  told->rows = section->count;
}

void model_snapshot(const model *model, model_event *out) {
  begin_event(out, HP_EVENT_SNAPSHOT);
  out->event.cursor.epoch = 77;
  out->event.cursor.revision = model->revision;
  out->event.last = model_row_count(model) == 0;
  memset(&out->info, 0, sizeof out->info);
  memset(out->info_columns, 0, sizeof out->info_columns);
  out->info_columns[0] = (hp_column){.id = 1, .name = "name", .kind = HP_TEXT};
  out->info_columns[1] = (hp_column){.id = 2, .name = "count", .kind = HP_INTEGER};
  out->info = (hp_table_info){.id = TABLE_ID, .name = "items", .columns = out->info_columns,
                              .column_count = 2, .sections = out->sections,
                              .section_count = model->count};
  for (size_t i = 0; i < model->count; i++) tell_section(out, i, &model->sections[i], i);
  out->event.tables = &out->info;
  out->event.table_count = 1;
}

void model_rows(const model *model, size_t section, uint32_t part, bool last, model_event *out) {
  begin_event(out, HP_EVENT_SNAPSHOT_ROWS);
  const model_section *from = &model->sections[section];
  for (size_t i = 0; i < from->count; i++) tell_row(out, i, &from->rows[i]);
  out->event.table = TABLE_ID;
  out->event.section = from->id;
  out->event.rows = out->rows;
  out->event.row_count = from->count;
  out->event.part = part;
  out->event.last = last;
}

void model_live(const model *model, model_event *out) {
  begin_event(out, HP_EVENT_LIVE);
  out->event.from = model->revision;
  out->event.revision = model->revision;
  out->event.cursor.epoch = 77;
  out->event.cursor.revision = model->revision;
}

hp_gap model_feed(const model *model, model_event *scratch, hp_copy *copy) {
  model_snapshot(model, scratch);
  hp_gap gap = hp_copy_take(copy, &scratch->event);
  size_t left = model_row_count(model);
  uint32_t part = 1;
  for (size_t i = 0; i < model->count && gap == HP_GAP_NONE; i++) {
    if (model->sections[i].count == 0) continue;
    left -= model->sections[i].count;
    model_rows(model, i, part++, left == 0, scratch);
    gap = hp_copy_take(copy, &scratch->event);
  }
  if (gap != HP_GAP_NONE) return gap;
  model_live(model, scratch);
  return hp_copy_take(copy, &scratch->event);
}

/* Changing. The old table is kept beside the new one that is being made; rows and sections that
 * come to a place are marked, and what they are told as follows from where they stand in the end. */

typedef enum origin { STAYED, MOVED, RESCUED, FRESH } origin;

typedef struct arrival {
  origin from;
  uint64_t old_section;
  uint64_t old_row;
} arrival;

typedef struct plan {
  model_section sections[MODEL_SECTIONS];
  arrival rows[MODEL_SECTIONS][MODEL_ROWS];
  arrival came[MODEL_SECTIONS]; /* sections; `old_section` is where from */
  size_t count;
} plan;

static void put_row(plan *made, size_t section, size_t at, model_row row, arrival came) {
  model_section *to = &made->sections[section];
  if (to->count == MODEL_ROWS) abort();
  memmove(to->rows + at + 1, to->rows + at, (to->count - at) * sizeof *to->rows);
  memmove(made->rows[section] + at + 1, made->rows[section] + at,
          (to->count - at) * sizeof(arrival));
  to->rows[at] = row;
  made->rows[section][at] = came;
  to->count += 1;
}

static void put_section(plan *made, size_t at, const model_section *section, arrival came) {
  size_t behind = made->count - at;
  memmove(made->sections + at + 1, made->sections + at, behind * sizeof *made->sections);
  memmove(made->rows + at + 1, made->rows + at, behind * sizeof *made->rows);
  memmove(made->came + at + 1, made->came + at, behind * sizeof *made->came);
  made->sections[at] = *section;
  made->sections[at].count = 0;
  made->came[at] = came;
  made->count += 1;
}

static bool chance(model *model, uint32_t percent) { return model_random(model, 100) < percent; }

static void add_deleted(model_event *out, uint64_t id) {
  out->deleted[out->table.deleted_count++] = (hp_id_run){id, 1};
}

/* Sections of the new table, with the rows that stay in them; the others are put aside. */
static void plan_sections(model *model, plan *made, model_event *out, model_row *aside,
                          arrival *aside_from, size_t *aside_count) {
  hp_stage *main = &out->stages[0];
  bool moves[MODEL_SECTIONS] = {false};
  for (size_t i = 0; i < model->count; i++) {
    const model_section *old = &model->sections[i];
    bool goes = chance(model, 5);
    moves[i] = !goes && chance(model, 12);
    if (goes) {
      out->delete_sections[main->delete_section_count++] = (hp_id_run){i, 1};
    } else if (!moves[i]) {
      put_section(made, made->count, old, (arrival){STAYED, i, 0});
    }
    for (size_t row = 0; row < old->count; row++) {
      bool leaves = chance(model, 12);
      if (!leaves && goes) {
        add_deleted(out, old->rows[row].id);
      } else if (leaves && chance(model, 40)) {
        out->deletes[main->delete_count++] =
            (hp_row_run){.section = i, .row = row, .count = 1, .id = old->rows[row].id};
        add_deleted(out, old->rows[row].id);
      } else if (leaves) {
        aside[*aside_count] = old->rows[row];
        aside_from[(*aside_count)++] = (arrival){goes ? RESCUED : MOVED, i, row};
      }
    }
  }
  for (size_t i = 0; i < model->count; i++) {
    if (!moves[i]) continue;
    put_section(made, model_random(model, (uint32_t)made->count + 1), &model->sections[i],
                (arrival){MOVED, i, 0});
  }
  while (made->count == 0 || (made->count < MODEL_SECTIONS / 2 && chance(model, 15))) {
    model_section fresh = {.id = 5000 + model->next_id++, .title = model_random(model, 4)};
    put_section(made, model_random(model, (uint32_t)made->count + 1), &fresh,
                (arrival){FRESH, 0, 0});
  }
}

static bool is_aside(const arrival *aside, size_t count, size_t section, size_t row) {
  for (size_t i = 0; i < count; i++) {
    if (aside[i].old_section == section && aside[i].old_row == row) return true;
  }
  return false;
}

static bool was_deleted(const model_event *out, uint64_t id) {
  for (size_t i = 0; i < out->table.deleted_count; i++) {
    if (out->deleted[i].first == id) return true;
  }
  return false;
}

static void plan_rows(model *model, plan *made, const model_event *out, const model_row *aside,
                      const arrival *aside_from, size_t aside_count) {
  for (size_t i = 0; i < made->count; i++) {
    if (made->came[i].from == FRESH) continue;
    const model_section *old = &model->sections[made->came[i].old_section];
    for (size_t row = 0; row < old->count; row++) {
      if (was_deleted(out, old->rows[row].id) ||
          is_aside(aside_from, aside_count, made->came[i].old_section, row)) {
        continue;
      }
      put_row(made, i, made->sections[i].count, old->rows[row],
              (arrival){STAYED, made->came[i].old_section, row});
    }
  }
  for (size_t i = 0; i < aside_count; i++) {
    size_t to = model_random(model, (uint32_t)made->count);
    put_row(made, to, model_random(model, (uint32_t)made->sections[to].count + 1), aside[i],
            aside_from[i]);
  }
  size_t fresh = model_random(model, model_row_count(model) > 200 ? 2 : 8);
  for (size_t i = 0; i < fresh; i++) {
    size_t to = model_random(model, (uint32_t)made->count);
    size_t at = model_random(model, (uint32_t)made->sections[to].count + 1);
    put_row(made, to, at, new_row(model), (arrival){FRESH, 0, 0});
  }
}

/* Adds a run, or makes the last one longer where ids and places follow. */
static void add_run(hp_row_run *runs, size_t *count, hp_row_run run) {
  hp_row_run *last = *count > 0 ? &runs[*count - 1] : NULL;
  if (last != NULL && last->section == run.section && last->row + last->count == run.row &&
      last->id + last->count == run.id && last->moved == run.moved) {
    last->count += 1;
  } else {
    runs[(*count)++] = run;
  }
}

static void tell_order(const plan *made, model_event *out) {
  hp_stage *main = &out->stages[0];
  for (size_t i = 0; i < made->count; i++) {
    if (made->came[i].from == FRESH) {
      out->insert_sections[main->insert_section_count++] = (hp_id_run){i, 1};
      tell_section(out, out->table.section_count++, &made->sections[i], i);
    } else if (made->came[i].from == MOVED) {
      out->move_sections[main->move_section_count++] =
          (hp_section_move){made->came[i].old_section, i};
    }
    for (size_t row = 0; row < made->sections[i].count; row++) {
      arrival came = made->rows[i][row];
      uint64_t id = made->sections[i].rows[row].id;
      if (came.from == STAYED) continue;
      bool is_new = came.from == FRESH;
      if (is_new) tell_row(out, out->table.row_count++, &made->sections[i].rows[row]);
      if (came.from == MOVED && made->came[i].from != FRESH) {
        out->moves[main->move_count++] = (hp_row_move){
            {came.old_section, came.old_row}, {i, row}, 1, id};
        continue;
      }
      if (!is_new) {
        out->deletes[main->delete_count++] =
            (hp_row_run){.section = came.old_section, .row = came.old_row, .count = 1, .id = id,
                         .moved = true};
      }
      hp_row_run run = {.section = i, .row = row, .count = 1, .id = id, .moved = !is_new};
      if (made->came[i].from == FRESH) {
        add_run(out->contents, &main->content_count, run);
      } else {
        add_run(out->inserts, &main->insert_count, run);
      }
    }
  }
}

static bool has_arrivals(const plan *made, size_t section) {
  for (size_t row = 0; row < made->sections[section].count; row++) {
    if (made->rows[section][row].from != STAYED) return true;
  }
  return false;
}

static void plan_reloads(model *model, plan *made, model_event *out) {
  hp_stage *stage = &out->stages[2];
  for (size_t i = 0; i < made->count; i++) {
    model_section *section = &made->sections[i];
    if (made->came[i].from == FRESH) continue;
    if (!has_arrivals(made, i) && chance(model, 4)) {
      for (size_t row = 0; row < section->count; row++) add_deleted(out, section->rows[row].id);
      section->count = model_random(model, 6);
      for (size_t row = 0; row < section->count; row++) {
        section->rows[row] = new_row(model);
        tell_row(out, out->table.row_count++, &section->rows[row]);
        add_run(out->new_contents, &stage->content_count,
                (hp_row_run){.section = i, .row = row, .count = 1, .id = section->rows[row].id});
      }
      out->reload_sections[stage->reload_section_count++] =
          (hp_section_reload){.old_section = made->came[i].old_section, .section = i,
                              .with_rows = true};
      continue;
    }
    for (size_t row = 0; row < section->count; row++) {
      if (made->rows[i][row].from == FRESH || !chance(model, 5)) continue;
      section->rows[row].value = (int64_t)model_random(model, 1000);
      section->rows[row].revision = model->revision;
      tell_row(out, out->table.row_count++, &section->rows[row]);
      uint64_t *columns = &out->columns[2 * stage->reload_count];
      columns[0] = 1;
      columns[1] = 2;
      out->reloads[stage->reload_count++] = (hp_row_reload){
          .old_path = {made->rows[i][row].old_section, made->rows[i][row].old_row},
          .path = {i, row}, .id = section->rows[row].id, .columns = columns, .column_count = 2};
    }
    if (chance(model, 5)) {
      section->title = (section->title + 1) % 4;
      tell_section(out, out->table.section_count++, section, i);
    }
  }
}

/* What is listed has no order. */
#define SHUFFLE(model, list, count)                                                  \
  for (size_t i_ = (count); i_ > 1; i_--) {                                          \
    size_t j_ = model_random((model), (uint32_t)i_);                                 \
    unsigned char held_[sizeof *(list)];                                             \
    memcpy(held_, &(list)[j_], sizeof held_);                                        \
    memcpy(&(list)[j_], &(list)[i_ - 1], sizeof held_);                              \
    memcpy(&(list)[i_ - 1], held_, sizeof held_);                                    \
  }

void model_change(model *model, model_event *out) {
  static plan made;
  static model_row aside[MODEL_ROWS * 2];
  static arrival aside_from[MODEL_ROWS * 2];
  size_t aside_count = 0;
  begin_event(out, HP_EVENT_CHANGE);
  memset(&made, 0, sizeof made);
  out->event.from = model->revision;
  model->revision += 1 + model_random(model, 3);
  out->event.revision = model->revision;
  plan_sections(model, &made, out, aside, aside_from, &aside_count);
  plan_rows(model, &made, out, aside, aside_from, aside_count);
  tell_order(&made, out);
  plan_reloads(model, &made, out);
  model->count = made.count;
  memcpy(model->sections, made.sections, made.count * sizeof *made.sections);

  hp_stage *stage = &out->stages[0];
  SHUFFLE(model, out->deletes, stage->delete_count)
  SHUFFLE(model, out->inserts, stage->insert_count)
  SHUFFLE(model, out->contents, stage->content_count)
  SHUFFLE(model, out->moves, stage->move_count)
  SHUFFLE(model, out->rows, out->table.row_count)
  stage->kind = HP_STAGE_MAIN;
  stage->delete_sections = out->delete_sections;
  stage->insert_sections = out->insert_sections;
  stage->move_sections = out->move_sections;
  stage->deletes = out->deletes;
  stage->inserts = out->inserts;
  stage->moves = out->moves;
  stage->contents = out->contents;
  out->stages[1] = out->stages[2];
  out->stages[1].kind = HP_STAGE_RELOAD;
  out->stages[1].reload_sections = out->reload_sections;
  out->stages[1].reloads = out->reloads;
  out->stages[1].contents = out->new_contents;
  out->table.table = TABLE_ID;
  out->table.schema_revision = 1;
  out->table.stages = out->stages;
  out->table.stage_count = 2;
  out->table.sections = out->sections;
  out->table.rows = out->rows;
  out->table.deleted = out->deleted;
  out->change.revision = model->revision;
  out->change.actor = "anna/test";
  out->change.tables = &out->table;
  out->change.table_count = 1;
  out->event.change = &out->change;
}

/* Comparing */

bool copy_is_consistent(const hp_copy *copy) {
  size_t rows = 0;
  for (uint64_t i = 0; i < hp_copy_section_count(copy); i++) {
    const hp_section *section = hp_copy_section_at(copy, i);
    uint64_t count = section->rows;
    uint64_t id = section->id;
    if (section->index != i || hp_copy_section(copy, id) == NULL) return false;
    for (uint64_t row = 0; row < count; row++) {
      hp_path path = {0, 0};
      const hp_row *read = hp_copy_row_at(copy, hp_path_make(i, row));
      if (read == NULL || !read->placed || read->section != id ||
          !hp_copy_locate(copy, read->id, &path) || path.section != i || path.row != row ||
          hp_copy_row(copy, read->id) != read || hp_copy_id_at(copy, path) != read->id) {
        return false;
      }
    }
    if (hp_copy_row_at(copy, hp_path_make(i, count)) != NULL) return false;
    rows += count;
  }
  return rows == hp_copy_row_count(copy) && hp_copy_table(copy)->rows == rows;
}

static bool row_equals(const model_row *row, const hp_row *read) {
  char text[24];
  snprintf(text, sizeof text, "n%lld", (long long)row->value);
  const hp_cell *name = hp_row_cell(read, 1);
  const hp_cell *count = hp_row_cell(read, 2);
  return read->id == row->id && read->revision == row->revision && name != NULL &&
         strcmp(name->text, text) == 0 && (count == NULL) == (row->value % 7 == 0) &&
         (count == NULL || count->number == row->value);
}

bool model_equals(const model *model, const hp_copy *copy) {
  if (!copy_is_consistent(copy) || hp_copy_section_count(copy) != model->count ||
      hp_copy_cursor(copy).revision != model->revision) {
    return false;
  }
  for (size_t i = 0; i < model->count; i++) {
    const model_section *section = &model->sections[i];
    const hp_section *read = hp_copy_section_at(copy, i);
    if (read->id != section->id || read->rows != section->count ||
        (read->title == NULL ? section->title != 0
                             : (unsigned)(read->title[1] - '0') != section->title)) {
      return false;
    }
    for (size_t row = 0; row < section->count; row++) {
      if (!row_equals(&section->rows[row], hp_copy_row_at(copy, hp_path_make(i, row)))) {
        return false;
      }
    }
  }
  return true;
}
