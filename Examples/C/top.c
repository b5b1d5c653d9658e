/* Prints the first rows of a table, and again whenever the table changes: a live table without an
 * event loop, and a row added to it over the same connection.
 *
 *   cc -std=c11 top.c $(pkg-config --cflags --libs hpclient) -o top
 *   ./top [ROWS [CHANGES]]     ends after so many changes (0: never)
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <hp/client.h>

static void print_rows(const hp_copy *copy, uint64_t most) {
  const hp_table_info *table = hp_copy_table(copy);
  const hp_column *name = hp_table_column(table, "name");
  printf("%s at %" PRIu64 ", %zu rows:\n", table->name, hp_copy_cursor(copy).revision,
         hp_copy_row_count(copy));
  for (uint64_t section = 0; section < hp_copy_section_count(copy) && most > 0; section++) {
    uint64_t rows = hp_copy_section_at(copy, section)->rows;
    for (uint64_t at = 0; at < rows && most > 0; at++, most--) {
      const hp_row *row = hp_copy_row_at(copy, hp_path_make(section, at));
      const hp_cell *cell = name != NULL ? hp_row_cell(row, name->id) : NULL;
      printf("  %" PRIu64 "\t%s\n", row->id, cell != NULL && cell->text ? cell->text : "-");
    }
  }
  fflush(stdout);
}

static bool add_row(hp_table *table) {
  hp_batch *batch = hp_batch_new(hp_table_named("items"), NULL);
  if (batch == NULL) return false;
  hp_cell cells[] = {hp_cell_text("name", "Seen by top")};
  hp_batch_insert_row(batch, hp_place_first_of(hp_section_id(hp_copy_section_at(
                                 hp_table_copy(table), 0)->id)), cells, 1);
  uint64_t request = hp_send_batch(hp_table_async(table), NULL, batch);
  hp_batch_free(batch);
  hp_reply *reply = hp_table_receive(table, request, 5000);
  const hp_batch_result *done = reply != NULL ? hp_reply_batch(reply) : NULL;
  /* The copy has folded it when this returns. */
  bool folded = done != NULL && hp_table_wait(table, done->cursor.revision, 5000);
  hp_reply_free(reply);
  return folded;
}

int main(int count, char **arguments) {
  uint64_t rows = count > 1 ? strtoull(arguments[1], NULL, 10) : 10;
  uint64_t changes = count > 2 ? strtoull(arguments[2], NULL, 10) : 0;
  hp_table_options options = {.table = hp_table_named("items")};
  hp_table *table = hp_table_new(&options, NULL, NULL);
  bool well = table != NULL && hp_table_connect(table, NULL) && hp_table_wait(table, 0, 5000);
  if (well) print_rows(hp_table_copy(table), rows);
  if (well) well = hp_copy_section_count(hp_table_copy(table)) > 0 && add_row(table);
  uint64_t shown = 0;
  while (well) {
    const hp_copy *copy = hp_table_copy(table);
    uint64_t changed = hp_copy_table(copy)->last_changed;
    if (changed != shown) print_rows(copy, rows);
    if (changed != shown && changes > 0 && --changes == 0) break;
    shown = changed;
    well = hp_table_poll(table, -1);
  }
  if (!well && table != NULL) {
    fprintf(stderr, "top: %s\n", hp_error_message(hp_table_error(table)));
  }
  hp_table_free(table);
  return well ? EXIT_SUCCESS : EXIT_FAILURE;
}
