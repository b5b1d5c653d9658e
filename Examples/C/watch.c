/* Keeps a live copy of a table and tells every change of it as it happens, in the form of a
 * UITableView's batch updates. The copy stays right over a restart of the daemon.
 *
 *   cc -std=c11 watch.c $(pkg-config --cflags --libs hpclient) -o watch
 *   ./watch [TABLE]
 */
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

#include <hp/client.h>

static void on_reset(const hp_copy *copy, void *context) {
  (void)context;
  printf("%zu rows in %zu sections\n", hp_copy_row_count(copy), hp_copy_section_count(copy));
}

static void on_live(const hp_copy *copy, void *context) {
  (void)context;
  printf("live at %" PRIu64 "\n", hp_copy_cursor(copy).revision);
  fflush(stdout);
}

static void on_will_change(const hp_copy *copy, const hp_update *update, void *context) {
  (void)copy;
  (void)context;
  printf("%" PRIu64 " by %s:", update->revision, update->actor ? update->actor : "somebody");
}

/* The copy is as it is after this stage; the rows that went had these places before it. */
static void on_stage(const hp_copy *copy, const hp_update *update, const hp_stage *stage,
                     void *context) {
  (void)copy;
  (void)update;
  (void)context;
  for (size_t i = 0; i < stage->delete_count; i++) {
    const hp_row_run *run = &stage->deletes[i];
    printf(" -[%" PRIu64 ",%" PRIu64 "]x%" PRIu64, run->section, run->row, run->count);
  }
  for (size_t i = 0; i < stage->insert_count; i++) {
    const hp_row_run *run = &stage->inserts[i];
    printf(" +[%" PRIu64 ",%" PRIu64 "]x%" PRIu64, run->section, run->row, run->count);
  }
  for (size_t i = 0; i < stage->move_count; i++) {
    const hp_row_move *move = &stage->moves[i];
    printf(" [%" PRIu64 ",%" PRIu64 "]>[%" PRIu64 ",%" PRIu64 "]", move->from.section,
           move->from.row, move->to.section, move->to.row);
  }
  for (size_t i = 0; i < stage->reload_count; i++) {
    printf(" ~[%" PRIu64 ",%" PRIu64 "]", stage->reloads[i].path.section,
           stage->reloads[i].path.row);
  }
}

static void on_did_change(const hp_copy *copy, const hp_update *update, void *context) {
  (void)update;
  (void)context;
  printf(" = %zu rows\n", hp_copy_row_count(copy));
  fflush(stdout);
}

static void on_phase(hp_table *table, hp_phase phase, void *context) {
  (void)context;
  if (phase == HP_PHASE_WAITING) {
    fprintf(stderr, "watch: %s; trying again\n", hp_error_message(hp_table_error(table)));
  }
}

static void on_gap(hp_table *table, hp_gap gap, void *context) {
  (void)table;
  (void)context;
  fprintf(stderr, "watch: a gap (%s): starting anew\n", hp_gap_name(gap));
}

int main(int count, char **arguments) {
  hp_table_callbacks callbacks = {
      .copy = {on_reset, on_will_change, on_stage, on_did_change, on_live},
      .phase = on_phase,
      .gap = on_gap,
  };
  hp_async_options connection = {.client_name = "watch"};
  hp_table_options options = {.table = hp_table_named(count > 1 ? arguments[1] : "items"),
                              .connection = &connection};
  hp_table *table = hp_table_new(&options, &callbacks, NULL);
  if (table == NULL) return EXIT_FAILURE;
  bool goes_on = hp_table_connect(table, NULL);
  while (goes_on) {
    /* A loop that serves other descriptors as well polls them here, too. */
    struct pollfd polled = {hp_table_fd(table), hp_table_events(table), 0};
    int ready = poll(&polled, 1, hp_table_timeout(table));
    goes_on = hp_table_process(table, ready > 0 ? polled.revents : 0);
  }
  fprintf(stderr, "watch: %s\n", hp_error_message(hp_table_error(table)));
  hp_table_free(table);
  return EXIT_FAILURE;
}
