/*
 * A live table that a test drives: live SOCKET TABLE [ALLOCATION_FAILURE_EVERY [SECTIONS [COLUMNS [WINDOW]]]]
 * SECTIONS are ids, COLUMNS names, with commas between them, WINDOW is POSITION,LENGTH or
 * row:ID,LENGTH; "-" for all.
 *
 * It keeps its copy exact by itself; a line on stdin asks for something, which is answered on
 * stdout:
 *   sync      waits for a barrier, then tells the whole table, ended by "end"
 *   wait REV  waits until that revision is folded: "at REV"
 *   state     phase, counts of changes, resets, gaps and tries
 *   resync    asks for a fresh snapshot
 *   window    waits for a barrier, then tells place and rows of the window, ended by "end"
 *   look POSITION LENGTH   moves the window
 *   else POSITION LENGTH   where the window goes when the place where it stood is gone
 *   editing   the flag, and the rows with a swipe, a confirm, a drag, a selection, a draft
 *   quit
 * Gaps and phases are told on stderr as they come. A view is kept by the callbacks alone; where it
 * differs from the copy, every answer is "fault: …".
 */
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "view.h"

typedef struct program {
  view view;
  unsigned gaps;
  unsigned waits;
  hp_window otherwise; /* no length: nowhere */
} program;

static void on_reset(const hp_copy *copy, void *context) {
  view_reset(&((program *)context)->view, copy);
}

static void on_will_change(const hp_copy *copy, const hp_update *update, void *context) {
  view_will_change(&((program *)context)->view, copy, update);
}

static void on_stage(const hp_copy *copy, const hp_update *update, const hp_stage *stage,
                     void *context) {
  (void)update;
  view_stage(&((program *)context)->view, copy, stage);
}

static void on_did_change(const hp_copy *copy, const hp_update *update, void *context) {
  view_did_change(&((program *)context)->view, copy, update);
}

static void on_phase(hp_table *table, hp_phase phase, void *context) {
  if (phase == HP_PHASE_WAITING) ((program *)context)->waits += 1;
  const hp_error *error = hp_table_error(table);
  fprintf(stderr, "phase %s%s%s\n", hp_phase_name(phase), error->kind ? ": " : "",
          error->kind ? error->message : "");
}

static void on_gap(hp_table *table, hp_gap gap, void *context) {
  program *program = context;
  program->gaps += 1;
  fprintf(stderr, "gap %s: %s\n", hp_gap_name(gap), hp_copy_reason(hp_table_copy(table)));
  if (gap == HP_GAP_WINDOW && program->otherwise.length > 0 &&
      !hp_table_move_window(table, &program->otherwise)) {
    fprintf(stderr, "not moved\n");
  }
}

static void tell_text(const char *text) {
  if (text == NULL) {
    putchar('-');
    return;
  }
  putchar('"');
  for (const char *at = text; *at != 0; at++) printf("%02x", (unsigned char)*at);
}

static void tell_header(const char *what, const hp_header_footer *header) {
  if (header == NULL) return;
  printf(" %s ", what);
  tell_text(header->title);
  tell_text(header->view);
  if (header->has_height) printf(" %g", header->height);
}

static void tell_table(const hp_copy *copy) {
  const hp_table_info *info = hp_copy_table(copy);
  printf("table %" PRIu64 " %" PRIu64 " schema %" PRIu64 " changed %" PRIu64 " ", info->id,
         hp_copy_cursor(copy).revision, info->schema_revision, info->last_changed);
  tell_text(info->name);
  tell_header("header", info->header);
  tell_header("footer", info->footer);
  putchar('\n');
  for (size_t i = 0; i < info->column_count; i++) {
    printf("column %" PRIu64 " %d ", info->columns[i].id, (int)info->columns[i].kind);
    tell_text(info->columns[i].name);
    putchar('\n');
  }
  for (uint64_t index = 0; index < hp_copy_section_count(copy); index++) {
    const hp_section *section = hp_copy_section_at(copy, index);
    uint64_t rows = section->rows;
    printf("section %" PRIu64 " ", section->id);
    tell_text(section->title);
    tell_header("header", section->header);
    tell_header("footer", section->footer);
    putchar('\n');
    for (uint64_t at = 0; at < rows; at++) {
      const hp_row *row = hp_copy_row_at(copy, hp_path_make(index, at));
      hp_path path = {0, 0};
      if (!hp_copy_locate(copy, row->id, &path) || path.section != index || path.row != at) {
        printf("fault: row %" PRIu64 " is not where it stands\n", row->id);
      }
      printf("row %" PRIu64 " %" PRIu64, row->id, row->revision);
      for (size_t i = 0; i < row->cell_count; i++) {
        const hp_cell *cell = &row->cells[i];
        printf(" %" PRIu64 ":%d:", cell->column, (int)cell->kind);
        if (cell->kind == HP_TEXT) {
          tell_text(cell->text);
        } else {
          printf("%" PRId64, cell->number);
        }
      }
      putchar('\n');
    }
  }
}

static void tell_window(const hp_copy *copy) {
  const hp_window_place *place = hp_copy_window(copy);
  if (place == NULL) {
    puts("fault: no window");
    return;
  }
  printf("window %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", place->first, place->before, place->after);
  for (uint64_t at = 0; at < hp_copy_row_count(copy); at++) {
    const hp_row *row = hp_copy_row_at(copy, hp_path_make(0, at));
    printf("%" PRIu64 " %" PRIu64 "\n", row->id, row->section);
  }
}

static void tell_editing(hp_table *table) {
  const hp_editing *editing = hp_table_editing(table);
  if (!hp_editing_is_whole(editing)) {
    puts("fault: no live state");
    return;
  }
  const hp_editing_state *state =
      hp_editing_of(editing, hp_copy_table(hp_table_copy(table))->id);
  hp_editing_state none = {0};
  if (state == NULL) state = &none;
  printf("%d swipe %" PRIu64 " confirm %" PRIu64 " drag %" PRIu64 " selected", state->editing,
         state->swipe ? state->swipe->row : 0, state->confirm ? state->confirm->row : 0,
         state->drag ? state->drag->row : 0);
  for (size_t i = 0; i < state->selection_count; i++) {
    for (size_t j = 0; j < state->selections[i].row_count; j++) {
      hp_id_run run = state->selections[i].rows[j];
      for (uint64_t at = 0; at < run.count; at++) printf(" %" PRIu64, run.first + at);
    }
  }
  printf(" drafts");
  for (size_t i = 0; i < state->draft_count; i++) printf(" %" PRIu64, state->drafts[i].row);
  putchar('\n');
}

/* POSITION,LENGTH or row:ID,LENGTH, with any one character between them. */
static hp_window window_of(const char *text) {
  hp_window window = {0};
  char *end = NULL;
  if (strncmp(text, "row:", 4) == 0) {
    window.row = strtoull(text + 4, &end, 10);
  } else {
    window.position = strtoull(text, &end, 10);
  }
  window.length = strtoull(end + 1, NULL, 10);
  return window;
}

static bool obey(hp_table *table, program *program, const char *line) {
  const hp_copy *copy = hp_table_copy(table);
  if (program->view.fault != NULL) {
    printf("fault: %s\nend\n", program->view.fault);
  } else if (strcmp(line, "sync") == 0) {
    if (!hp_table_sync(table, 30000)) {
      printf("fault: %s\n", hp_table_error(table)->message);
    } else if (program->view.fault != NULL) {
      printf("fault: %s\n", program->view.fault);
    } else {
      tell_table(copy);
    }
    puts("end");
  } else if (strncmp(line, "wait ", 5) == 0) {
    bool done = hp_table_wait(table, strtoull(line + 5, NULL, 10), 30000);
    printf("%s %" PRIu64 "\n", done ? "at" : "fault: only at", hp_copy_cursor(copy).revision);
  } else if (strcmp(line, "state") == 0) {
    printf("%s code %d table %" PRIu64 " changes %" PRIu64 " resets %" PRIu64 " reloads %" PRIu64 " gaps %u waits %u rows %zu bytes %zu\n",
           hp_phase_name(hp_table_phase(table)), (int)hp_table_error(table)->code,
           hp_copy_table(copy)->id, program->view.changes, program->view.resets, program->view.reloads,
           program->gaps, program->waits, hp_copy_row_count(copy), hp_copy_memory(copy));
  } else if (strcmp(line, "window") == 0) {
    if (!hp_table_sync(table, 30000)) {
      printf("fault: %s\n", hp_table_error(table)->message);
    } else if (program->view.fault != NULL) {
      printf("fault: %s\n", program->view.fault);
    } else {
      tell_window(copy);
    }
    puts("end");
  } else if (strncmp(line, "look ", 5) == 0) {
    hp_window window = window_of(line + 5);
    puts(hp_table_move_window(table, &window) ? "moved" : "fault: not moved");
  } else if (strncmp(line, "else ", 5) == 0) {
    program->otherwise = window_of(line + 5);
    puts("noted");
  } else if (strcmp(line, "editing") == 0) {
    if (hp_table_sync(table, 30000)) {
      tell_editing(table);
    } else {
      printf("fault: %s\n", hp_table_error(table)->message);
    }
  } else if (strcmp(line, "resync") == 0) {
    puts(hp_table_resync(table) ? "asked" : "not subscribed");
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

/* Takes a list apart in place. Returns how many members it has. */
static size_t members(char *list, const char **names, size_t most) {
  size_t count = 0;
  if (strcmp(list, "-") == 0) return 0;
  for (char *name = strtok(list, ","); name != NULL && count < most; name = strtok(NULL, ",")) {
    names[count++] = name;
  }
  return count;
}

int main(int count, char **arguments) {
  if (count < 3) return 2;
  const char *names[16];
  uint64_t sections[16];
  size_t section_count = count > 4 ? members(arguments[4], names, 16) : 0;
  for (size_t i = 0; i < section_count; i++) sections[i] = strtoull(names[i], NULL, 10);
  size_t column_count = count > 5 ? members(arguments[5], names, 16) : 0;
  hp_window window = {0};
  if (count > 6) window = window_of(arguments[6]);
  program program = {0};
  failing failing = {count > 3 ? (unsigned)strtoul(arguments[3], NULL, 10) : 0, 0};
  hp_allocator allocator = {allocate, release, &failing};
  hp_table_callbacks callbacks = {
      .copy = {on_reset, on_will_change, on_stage, on_did_change, NULL},
      .phase = on_phase,
      .gap = on_gap,
  };
  hp_async_options connection = {.client_name = "live test", .allocator = &allocator};
  hp_table_options options = {.table = hp_table_named(arguments[2]), .connection = &connection,
                              .sections = sections, .section_count = section_count,
                              .columns = names, .column_count = column_count,
                              .window = count > 6 ? &window : NULL,
                              .live_state = true, .retry_max = 100};
  hp_table *table = NULL;
  for (int i = 0; i < 100 && table == NULL; i++) {
    table = hp_table_new(&options, &callbacks, &program);
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
    if (!obey(table, &program, line)) break;
  }
  hp_table_free(table);
  view_free(&program.view);
  return 0;
}
