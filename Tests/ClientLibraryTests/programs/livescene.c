/*
 * A live table with a scene that a test drives: livescene SOCKET TABLE SCENE [ALLOCATION_FAILURE_EVERY]
 *
 * It keeps both copies exact by itself; a line on stdin asks for something, answered on stdout:
 *   scene SEQUENCE START  waits until the scene's copy has come so far in that run of the server, then
 *                         tells all of it, ended by "end"
 *   rows REVISION         waits until that revision is folded, then tells how many rows there are
 *   state                 phase and counts
 *   quit
 */
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scenetext.h"

typedef struct program {
  unsigned gaps;
  unsigned waits;
  unsigned events;
  const char *fault;
} program;

static void on_phase(hp_table *table, hp_phase phase, void *context) {
  if (phase == HP_PHASE_WAITING) ((program *)context)->waits += 1;
  if (phase == HP_PHASE_LIVE && !hp_scene_copy_is_whole(hp_table_scene(table))) {
    ((program *)context)->fault = "live without a scene";
  }
  const hp_error *error = hp_table_error(table);
  fprintf(stderr, "phase %s%s%s\n", hp_phase_name(phase), error->kind ? ": " : "",
          error->kind ? error->message : "");
}

static void on_gap(hp_table *table, hp_gap gap, void *context) {
  ((program *)context)->gaps += 1;
  fprintf(stderr, "gap %s: %s\n", hp_gap_name(gap), hp_scene_copy_reason(hp_table_scene(table)));
}

static void on_event(hp_table *table, const hp_event *event, void *context) {
  program *self = context;
  if (event->kind != HP_EVENT_SCENE) return;
  self->events += 1;
  /* What revision r causes comes after r, in both copies (contract L6). */
  if (event->scene->kind != HP_SCENE_EVENT_REMOVED &&
      hp_copy_cursor(hp_table_copy(table)).revision < event->scene->revision &&
      hp_table_phase(table) == HP_PHASE_LIVE) {
    self->fault = "a scene's event came before its revision";
  }
}

static bool obey(hp_table *table, program *self, const char *line) {
  const hp_scene_copy *copy = hp_table_scene(table);
  if (self->fault != NULL) {
    printf("fault: %s\nend\n", self->fault);
  } else if (strncmp(line, "scene ", 6) == 0) {
    char *end = NULL;
    uint64_t sequence = strtoull(line + 6, &end, 10);
    uint64_t start = strtoull(end, NULL, 10);
    bool goes_on = true;
    for (int i = 0; goes_on && i < 3000; i++) {
      if (hp_scene_copy_is_whole(copy) && hp_scene_copy_start(copy) == start &&
          hp_scene_copy_state(copy)->sequence >= sequence) {
        break;
      }
      goes_on = hp_table_poll(table, 10);
    }
    if (hp_scene_copy_state(copy) == NULL) {
      puts("fault: no scene");
    } else {
      scene_tell(stdout, hp_scene_copy_state(copy));
    }
    puts("end");
  } else if (strncmp(line, "rows ", 5) == 0) {
    bool done = hp_table_wait(table, strtoull(line + 5, NULL, 10), 30000);
    printf("%s%zu\n", done ? "" : "fault: only ", hp_copy_row_count(hp_table_copy(table)));
  } else if (strcmp(line, "state") == 0) {
    printf("%s gaps %u waits %u events %u\n", hp_phase_name(hp_table_phase(table)), self->gaps,
           self->waits, self->events);
  } else {
    return false;
  }
  fflush(stdout);
  return true;
}

/* Every so many-th allocation fails, or none. */
typedef struct failing {
  unsigned every;
  unsigned calls;
} failing;

static void *allocate(void *context, size_t size) {
  failing *state = context;
  if (state->every != 0 && ++state->calls % state->every == 0) return NULL;
  return malloc(size);
}

static void release(void *context, void *memory) {
  (void)context;
  free(memory);
}

int main(int count, char **arguments) {
  if (count < 4) return 2;
  program self = {0};
  failing failing = {count > 4 ? (unsigned)strtoul(arguments[4], NULL, 10) : 0, 0};
  hp_allocator allocator = {allocate, release, &failing};
  hp_table_callbacks callbacks = {.phase = on_phase, .gap = on_gap, .event = on_event};
  hp_async_options connection = {.client_name = "live scene", .allocator = &allocator};
  hp_table_options options = {.table = hp_table_named(arguments[2]), .connection = &connection,
                              .scene = arguments[3], .live_state = true, .retry_max = 100};
  hp_table *table = NULL;
  for (int i = 0; i < 100 && table == NULL; i++) {
    table = hp_table_new(&options, &callbacks, &self);
  }
  if (table == NULL || !hp_table_connect(table, arguments[1])) return 1;
  char line[256];
  size_t size = 0;
  for (;;) {
    struct pollfd polled[2] = {{STDIN_FILENO, POLLIN, 0},
                               {hp_table_fd(table), hp_table_events(table), 0}};
    poll(polled, 2, hp_table_timeout(table));
    bool goes_on = hp_table_process(table, polled[1].revents);
    if (polled[0].revents == 0) {
      if (!goes_on) poll(polled, 1, -1); /* it ended; what is asked is still answered */
      continue;
    }
    ssize_t got = read(STDIN_FILENO, line + size, 1);
    if (got != 1) break;
    if (line[size] != '\n') {
      if (size + 2 < sizeof line) size += 1;
      continue;
    }
    line[size] = 0;
    size = 0;
    if (!obey(table, &self, line)) break;
  }
  hp_table_free(table);
  return 0;
}
