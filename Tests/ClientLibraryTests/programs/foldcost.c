/*
 * What a live copy costs: foldcost [ROWS [CHANGES]]
 *
 * Takes a snapshot of rows of four cells, folds changes of one operation each (a row inserted,
 * removed, moved or given new cells, at random places), reads rows by path and by id; prints bytes a
 * row and nanoseconds of processor time for each. The events are handed over as structs: reading frames is not in it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <hp/client.h>

static uint64_t state = 88172645463325252u;

static uint64_t below(uint64_t limit) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state % limit;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time); /* others may be at work */
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static char texts[2][32];
static hp_cell cells[4];

static hp_row row_of(uint64_t id, uint64_t revision) {
  snprintf(texts[0], sizeof texts[0], "Fluffy Bear %" PRIu64, id % 1000);
  snprintf(texts[1], sizeof texts[1], "%" PRIu64 "A%" PRIu64 "B", id % 10, id % 7);
  cells[0] = hp_cell_in(1, hp_cell_text(NULL, texts[0]));
  cells[1] = hp_cell_in(2, hp_cell_text(NULL, texts[1]));
  cells[2] = hp_cell_in(3, hp_cell_decimal(NULL, (int64_t)(id % 10000)));
  cells[3] = hp_cell_in(4, hp_cell_timestamp(NULL, 1796000000000000 + (int64_t)id));
  hp_row row = {.id = id, .revision = revision, .cells = cells, .cell_count = 4};
  return row;
}

static void need(bool condition, const char *what) {
  if (condition) return;
  fprintf(stderr, "foldcost: %s\n", what);
  exit(1);
}

static void load(hp_copy *copy, uint64_t rows) {
  hp_column columns[] = {{.id = 1, .name = "name", .kind = HP_TEXT},
                         {.id = 2, .name = "serial", .kind = HP_TEXT},
                         {.id = 3, .name = "value", .kind = HP_DECIMAL, .scale = 2},
                         {.id = 4, .name = "created", .kind = HP_TIMESTAMP}};
  hp_section section = {.id = 9, .rows = rows};
  hp_table_info table = {.id = 5, .name = "items", .columns = columns, .column_count = 4,
                         .sections = &section, .section_count = 1};
  hp_event event = {.kind = HP_EVENT_SNAPSHOT, .cursor = {1, 1}, .tables = &table,
                    .table_count = 1};
  need(hp_copy_take(copy, &event) == HP_GAP_NONE, "the snapshot begins");
  for (uint64_t i = 0; i < rows; i++) {
    hp_row row = row_of(1000000000 + i, 1);
    hp_event page = {.kind = HP_EVENT_SNAPSHOT_ROWS, .table = 5, .section = 9, .first = i,
                     .rows = &row, .row_count = 1, .part = (uint32_t)i + 1, .last = i + 1 == rows};
    need(hp_copy_take(copy, &page) == HP_GAP_NONE, "the rows fit");
  }
}

int main(int count, char **arguments) {
  uint64_t rows = count > 1 ? strtoull(arguments[1], NULL, 10) : 1000000;
  uint64_t changes = count > 2 ? strtoull(arguments[2], NULL, 10) : 100000;
  hp_copy *copy = hp_copy_new(0, NULL, NULL, NULL);
  need(copy != NULL && rows > 0, "there are rows");
  double start = now();
  load(copy, rows);
  printf("load: %.0f ns a row, %.1f bytes a row\n", (now() - start) / (double)rows,
         (double)hp_copy_memory(copy) / (double)rows);

  const char *const names[] = {"insert", "delete", "move", "update"};
  uint64_t revision = 1;
  uint64_t fresh = 5000000000;
  for (int kind = 0; kind < 4; kind++) {
    double spent = 0;
    for (uint64_t i = 0; i < changes; i++) {
      uint64_t total = hp_copy_row_count(copy);
      uint64_t at = below(total);
      uint64_t id = kind == 0 ? fresh++ : hp_copy_id_at(copy, hp_path_make(0, at));
      hp_row row = row_of(id, revision + 1);
      hp_row_run run = {.row = at, .count = 1, .id = id, .animation = HP_ANIMATION_DEFAULT};
      hp_row_move move = {{0, at}, {0, below(total)}, 1, id};
      hp_row_reload reload = {.old_path = {0, at}, .path = {0, at}, .id = id};
      hp_id_run gone = {id, 1};
      hp_stage stage = {.kind = kind == 3 ? HP_STAGE_RELOAD : HP_STAGE_MAIN};
      hp_table_change table = {.table = 5, .stages = &stage, .stage_count = 1};
      if (kind == 0 || kind == 3) {
        table.rows = &row;
        table.row_count = 1;
      }
      switch (kind) {
        case 0: stage.inserts = &run; stage.insert_count = 1; break;
        case 1:
          stage.deletes = &run;
          stage.delete_count = 1;
          table.deleted = &gone;
          table.deleted_count = 1;
          break;
        case 2: stage.moves = &move; stage.move_count = 1; break;
        default: stage.reloads = &reload; stage.reload_count = 1; break;
      }
      hp_change change = {.revision = revision + 1, .tables = &table, .table_count = 1};
      hp_event event = {.kind = HP_EVENT_CHANGE, .from = revision, .revision = revision + 1,
                        .last = true, .change = &change};
      start = now();
      hp_gap gap = hp_copy_take(copy, &event);
      spent += now() - start;
      need(gap == HP_GAP_NONE, hp_copy_reason(copy));
      revision += 1;
    }
    printf("%s: %.0f ns\n", names[kind], spent / (double)changes);
  }
  start = now();
  uint64_t sum = 0;
  for (uint64_t i = 0; i < changes; i++) {
    sum += hp_copy_row_at(copy, hp_path_make(0, below(hp_copy_row_count(copy))))->id;
  }
  printf("row by path: %.0f ns\n", (now() - start) / (double)changes);
  start = now();
  for (uint64_t i = 0; i < changes; i++) {
    const hp_row *row = hp_copy_row(copy, 1000000000 + below(rows));
    if (row != NULL) sum += row->path.row;
  }
  printf("row by id: %.0f ns (%" PRIu64 ")\n", (now() - start) / (double)changes, sum % 10);
  printf("after it: %.1f bytes a row\n",
         (double)hp_copy_memory(copy) / (double)hp_copy_row_count(copy));
  hp_copy_free(copy);
  return 0;
}
