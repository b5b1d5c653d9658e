/* Tells every change of a table as it happens, with the asynchronous core in a poll loop that
 * could serve other descriptors as well.
 *
 *   cc -std=c11 watch.c $(pkg-config --cflags --libs hpclient) -o watch
 *   ./watch [TABLE]
 */
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

#include <hp/client.h>

static void on_reply(hp_async *async, hp_reply *reply, void *context) {
  const hp_server_error *refusal = hp_reply_error(reply);
  if (refusal != NULL) {
    fprintf(stderr, "watch: %s\n", refusal->message);
    *(int *)context = EXIT_FAILURE;
    hp_async_close(async);
  }
  hp_reply_free(reply);
}

static void print_change(const hp_change *change) {
  printf("%" PRIu64 " by %s:", change->revision, change->actor ? change->actor : "somebody");
  for (size_t i = 0; i < change->table_count; i++) {
    const hp_table_change *table = &change->tables[i];
    for (size_t j = 0; j < table->stage_count; j++) {
      const hp_stage *stage = &table->stages[j];
      for (size_t k = 0; k < stage->delete_count; k++) {
        const hp_row_run *run = &stage->deletes[k];
        printf(" -[%" PRIu64 ",%" PRIu64 "]x%" PRIu64, run->section, run->row, run->count);
      }
      for (size_t k = 0; k < stage->insert_count; k++) {
        const hp_row_run *run = &stage->inserts[k];
        printf(" +[%" PRIu64 ",%" PRIu64 "]x%" PRIu64, run->section, run->row, run->count);
      }
      for (size_t k = 0; k < stage->move_count; k++) {
        const hp_row_move *move = &stage->moves[k];
        printf(" [%" PRIu64 ",%" PRIu64 "]>[%" PRIu64 ",%" PRIu64 "]", move->from.section,
               move->from.row, move->to.section, move->to.row);
      }
      for (size_t k = 0; k < stage->reload_count; k++) {
        printf(" ~[%" PRIu64 ",%" PRIu64 "]", stage->reloads[k].path.section,
               stage->reloads[k].path.row);
      }
    }
  }
  putchar('\n');
}

static void on_event(hp_async *async, const hp_event *event, void *context) {
  (void)async;
  (void)context;
  switch (event->kind) {
    case HP_EVENT_SNAPSHOT_ROWS: printf("%zu rows\n", event->row_count); break;
    case HP_EVENT_LIVE: printf("live at %" PRIu64 "\n", event->cursor.revision); break;
    case HP_EVENT_CHANGE: print_change(event->change); break;
    case HP_EVENT_ENDED: printf("ended: %s\n", hp_end_reason_name(event->reason)); break;
    default: break;
  }
  fflush(stdout);
}

static void on_closed(hp_async *async, const hp_error *error, void *context) {
  (void)async;
  fprintf(stderr, "watch: %s\n", hp_error_message(error));
  *(int *)context = EXIT_FAILURE;
}

int main(int count, char **arguments) {
  int status = EXIT_SUCCESS;
  hp_callbacks callbacks = {.reply = on_reply, .event = on_event, .closed = on_closed};
  hp_async_options options = {.client_name = "watch"};
  hp_subscribe_options feed = {.table = hp_table_named(count > 1 ? arguments[1] : "items")};
  hp_async *async = hp_async_new(&options, &callbacks, &status);
  if (async == NULL) return EXIT_FAILURE;
  if (!hp_async_connect(async, NULL) || hp_send_subscribe(async, NULL, &feed) == 0) {
    fprintf(stderr, "watch: %s\n", hp_error_message(hp_async_error(async)));
    hp_async_free(async);
    return EXIT_FAILURE;
  }
  for (;;) {
    struct pollfd polled = {hp_async_fd(async), hp_async_events(async), 0};
    int ready = poll(&polled, 1, hp_async_timeout(async));
    if (!hp_async_process(async, ready > 0 ? polled.revents : 0)) break;
  }
  hp_async_free(async);
  return status;
}
