/* Keeps a screenful of a table of any size: a window on a live table, printed whenever it changes.
 *
 *   cc -std=c11 window.c $(pkg-config --cflags --libs hpclient) -o window
 *   ./window [FIRST [COUNT [CHANGES]]]     ends after so many changes (0: never)
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <hp/client.h>

typedef struct screen {
  bool changed;
  uint64_t told; /* how often it was printed */
} screen;

static void print_window(screen *screen, const hp_copy *copy) {
  const hp_window_place *place = hp_copy_window(copy);
  const hp_column *name = hp_table_column(hp_copy_table(copy), "name");
  uint64_t rows = hp_copy_row_count(copy);
  printf("%" PRIu64 " rows from %" PRIu64 " on, %" PRIu64 " behind:\n", rows, place->first,
         place->after);
  for (uint64_t at = 0; at < rows; at++) {
    const hp_row *row = hp_copy_row_at(copy, hp_path_make(0, at));
    const hp_cell *cell = name != NULL ? hp_row_cell(row, name->id) : NULL;
    printf("  %" PRIu64 "\t%s\n", place->first + at, cell != NULL && cell->text ? cell->text : "-");
  }
  fflush(stdout);
  screen->changed = false;
  screen->told += 1;
}

/* A screen would scroll and animate here: `stage` has deletes, inserts and moves of the window. */
static void did_change(const hp_copy *copy, const hp_update *update, void *context) {
  (void)copy;
  (void)update;
  ((screen *)context)->changed = true;
}

static void reset(const hp_copy *copy, void *context) {
  (void)copy;
  ((screen *)context)->changed = true;
}

int main(int count, char **arguments) {
  hp_window window = {
      .position = count > 1 ? strtoull(arguments[1], NULL, 10) : 0,
      .length = count > 2 ? strtoull(arguments[2], NULL, 10) : 20,
  };
  uint64_t changes = count > 3 ? strtoull(arguments[3], NULL, 10) : 0;
  screen screen = {false, 0};
  hp_table_options options = {.table = hp_table_named("items"), .window = &window};
  hp_table_callbacks callbacks = {.copy = {.reset = reset, .did_change = did_change}};
  hp_table *table = hp_table_new(&options, &callbacks, &screen);
  bool well = table != NULL && hp_table_connect(table, NULL) && hp_table_wait(table, 0, 5000);
  while (well) {
    if (screen.changed) print_window(&screen, hp_table_copy(table));
    if (changes > 0 && screen.told > changes) break;
    well = hp_table_poll(table, -1);
  }
  if (!well && table != NULL) {
    fprintf(stderr, "window: %s\n", hp_error_message(hp_table_error(table)));
  }
  hp_table_free(table);
  return well ? EXIT_SUCCESS : EXIT_FAILURE;
}
