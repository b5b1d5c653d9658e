/* Lists the rows of a table, one a line, the cells parted by tabs.
 *
 *   cc -std=c11 list.c $(pkg-config --cflags --libs hpclient) -o list
 *   ./list [TABLE]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <hp/client.h>

static void print_decimal(int64_t units, uint32_t scale) {
  uint64_t left = units < 0 ? 0 - (uint64_t)units : (uint64_t)units;
  uint64_t one = 1;
  for (uint32_t i = 0; i < scale; i++) one *= 10;
  printf("%s%" PRIu64, units < 0 ? "-" : "", left / one);
  if (scale > 0) printf(".%0*" PRIu64, (int)scale, left % one);
}

static void print_cell(const hp_cell *cell, const hp_column *column) {
  if (cell == NULL) return; /* null */
  switch (cell->kind) {
    case HP_TEXT: fputs(cell->text, stdout); break;
    case HP_DECIMAL: print_decimal(cell->number, column->scale); break;
    case HP_BOOLEAN: fputs(cell->number ? "yes" : "no", stdout); break;
    default: printf("%" PRId64, cell->number); break;
  }
}

int main(int count, char **arguments) {
  hp_table_ref table = hp_table_named(count > 1 ? arguments[1] : "items");
  hp_async_options options = {.client_name = "list"};
  hp_client *client = hp_client_new(&options);
  if (client == NULL) return EXIT_FAILURE;
  hp_client_connect(client, NULL);

  /* Errors stick, so each step can be tried and the reason is looked at once, at the end. */
  hp_reply *described = hp_run_describe_table(client, NULL, table);
  const hp_table_info *info = described ? hp_reply_table(described) : NULL;
  hp_list_options page = {.first = 0};
  bool more = info != NULL;
  while (more) {
    hp_reply *reply = hp_run_list_rows(client, NULL, hp_table_with_id(info->id), &page);
    if (reply == NULL) break;
    const hp_row_page *rows = hp_reply_rows(reply);
    for (size_t i = 0; i < rows->count; i++) {
      printf("%" PRIu64, rows->rows[i].id);
      for (size_t j = 0; j < info->column_count; j++) {
        putchar('\t');
        print_cell(hp_row_cell(&rows->rows[i], info->columns[j].id), &info->columns[j]);
      }
      putchar('\n');
    }
    more = rows->has_next;
    page.first = rows->next;
    page.snapshot = rows->snapshot; /* every page from the same revision */
    hp_reply_free(reply);
  }
  hp_reply_free(described);

  const hp_error *error = hp_client_error(client);
  bool failed = error->kind != HP_ERROR_NONE;
  if (failed) fprintf(stderr, "list: %s\n", hp_error_message(error));
  hp_client_free(client);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
