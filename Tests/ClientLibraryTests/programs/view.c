#include "view.h"

#include <stdlib.h>
#include <string.h>

static void *need(void *memory) {
  if (memory == NULL) abort();
  return memory;
}

static void fault(view *view, const char *what) {
  if (view->fault == NULL) view->fault = what;
}

void view_free(view *view) {
  for (size_t i = 0; i < view->count; i++) free(view->sections[i].ids);
  free(view->sections);
  view->sections = NULL;
  view->count = 0;
}

void view_reset(view *view, const hp_copy *copy) {
  view_free(view);
  view->resets += 1;
  view->open = false;
  view->count = hp_copy_section_count(copy);
  view->sections = need(calloc(view->count + 1, sizeof *view->sections));
  for (size_t i = 0; i < view->count; i++) {
    view_section *section = &view->sections[i];
    section->count = (size_t)hp_copy_section_at(copy, i)->rows;
    section->ids = need(calloc(section->count + 1, sizeof *section->ids));
    for (size_t row = 0; row < section->count; row++) {
      section->ids[row] = hp_copy_id_at(copy, hp_path_make(i, row));
    }
  }
}

/* Whether view and copy have the same rows at the same places. */
static bool is_equal(const view *view, const hp_copy *copy, bool ids_too) {
  if (view->count != hp_copy_section_count(copy)) return false;
  for (size_t i = 0; i < view->count; i++) {
    const view_section *section = &view->sections[i];
    if (section->count != hp_copy_section_at(copy, i)->rows) return false;
    for (size_t row = 0; ids_too && row < section->count; row++) {
      if (section->ids[row] != hp_copy_id_at(copy, hp_path_make(i, row))) return false;
    }
  }
  return true;
}

void view_will_change(view *view, const hp_copy *copy, const hp_update *update) {
  if (view->open) fault(view, "will_change twice");
  if (hp_copy_cursor(copy).revision != update->from) fault(view, "will_change is late");
  if (!is_equal(view, copy, true)) fault(view, "will_change shows another table");
  view->open = true;
}

/* One row is to go or to come; sorted, so that indices of one table stay right. */
typedef struct step {
  uint64_t section;
  uint64_t row;
  uint64_t id; /* moves: the row that comes; else 0 */
} step;

static int by_place(const void *a, const void *b) {
  const step *left = a;
  const step *right = b;
  if (left->section != right->section) return left->section < right->section ? -1 : 1;
  return left->row < right->row ? -1 : left->row > right->row;
}

static size_t total(const hp_row_run *runs, size_t count) {
  size_t sum = 0;
  for (size_t i = 0; i < count; i++) sum += (size_t)runs[i].count;
  return sum;
}

static void add_runs(step *steps, size_t *filled, const hp_row_run *runs, size_t count) {
  for (size_t i = 0; i < count; i++) {
    for (uint64_t j = 0; j < runs[i].count; j++) {
      step made = {runs[i].section, runs[i].row + j, 0};
      steps[(*filled)++] = made;
    }
  }
}

static void take_out(view *view, const step *at) {
  if (at->section >= view->count || at->row >= view->sections[at->section].count) {
    fault(view, "a stage takes a row that is not there");
    return;
  }
  view_section *section = &view->sections[at->section];
  memmove(section->ids + at->row, section->ids + at->row + 1,
          (section->count - at->row - 1) * sizeof *section->ids);
  section->count -= 1;
}

static void put_in(view *view, const hp_copy *copy, const step *at) {
  if (at->section >= view->count || at->row > view->sections[at->section].count) {
    fault(view, "a stage puts a row where there is no place");
    return;
  }
  view_section *section = &view->sections[at->section];
  section->ids = need(realloc(section->ids, (section->count + 2) * sizeof *section->ids));
  memmove(section->ids + at->row + 1, section->ids + at->row,
          (section->count - at->row) * sizeof *section->ids);
  uint64_t there = hp_copy_id_at(copy, hp_path_make(at->section, at->row));
  if (at->id != 0 && at->id != there) fault(view, "another row came than moved");
  section->ids[at->row] = there;
  section->count += 1;
}

static void change_sections(view *view, const hp_stage *stage) {
  if (stage->delete_section_count + stage->insert_section_count + stage->move_section_count == 0) {
    return;
  }
  size_t count = view->count;
  view_section *old = view->sections;
  char *leaves = need(calloc(count + 1, 1));
  for (size_t i = 0; i < stage->delete_section_count; i++) {
    for (uint64_t j = 0; j < stage->delete_sections[i].count; j++) {
      uint64_t index = stage->delete_sections[i].first + j;
      if (index < count) {
        leaves[index] = 1;
        free(old[index].ids);
      }
      view->count -= 1;
    }
  }
  for (size_t i = 0; i < stage->move_section_count; i++) leaves[stage->move_sections[i].from] = 1;
  for (size_t i = 0; i < stage->insert_section_count; i++) {
    view->count += (size_t)stage->insert_sections[i].count;
  }
  view_section *sections = need(calloc(view->count + 1, sizeof *sections));
  char *taken = need(calloc(view->count + 1, 1));
  for (size_t i = 0; i < stage->insert_section_count; i++) {
    for (uint64_t j = 0; j < stage->insert_sections[i].count; j++) {
      taken[stage->insert_sections[i].first + j] = 1;
      sections[stage->insert_sections[i].first + j].ids = need(calloc(1, sizeof(uint64_t)));
    }
  }
  for (size_t i = 0; i < stage->move_section_count; i++) {
    taken[stage->move_sections[i].to] = 1;
    sections[stage->move_sections[i].to] = old[stage->move_sections[i].from];
  }
  size_t next = 0;
  for (size_t i = 0; i < count; i++) {
    if (leaves[i]) continue;
    while (next < view->count && taken[next]) next++;
    if (next == view->count) {
      fault(view, "a section has no place");
      break;
    }
    sections[next++] = old[i];
  }
  free(old);
  free(leaves);
  free(taken);
  view->sections = sections;
}

static void reload_sections(view *view, const hp_copy *copy, const hp_stage *stage) {
  for (size_t i = 0; i < stage->reload_section_count; i++) {
    uint64_t index = stage->reload_sections[i].section;
    if (index >= view->count) {
      fault(view, "a section is reloaded that is not there");
      continue;
    }
    view_section *section = &view->sections[index];
    free(section->ids);
    section->count = (size_t)hp_copy_section_at(copy, index)->rows;
    section->ids = need(calloc(section->count + 1, sizeof *section->ids));
    for (size_t row = 0; row < section->count; row++) {
      section->ids[row] = hp_copy_id_at(copy, hp_path_make(index, row));
    }
  }
}

void view_stage(view *view, const hp_copy *copy, const hp_stage *stage) {
  if (!view->open) fault(view, "a stage outside of a change");
  if (stage->kind == HP_STAGE_RELOAD) {
    reload_sections(view, copy, stage);
    for (size_t i = 0; i < stage->reload_count; i++) {
      hp_path path = stage->reloads[i].path;
      if (path.section >= view->count || path.row >= view->sections[path.section].count ||
          view->sections[path.section].ids[path.row] != stage->reloads[i].id) {
        fault(view, "a row is reloaded that does not stand there");
      }
      view->reloads += 1;
    }
  } else {
    size_t moves = 0;
    for (size_t i = 0; i < stage->move_count; i++) moves += (size_t)stage->moves[i].count;
    step *out = need(calloc(total(stage->deletes, stage->delete_count) + moves + 1, sizeof *out));
    step *in = need(calloc(total(stage->inserts, stage->insert_count) +
                               total(stage->contents, stage->content_count) + moves + 1,
                           sizeof *in));
    size_t outs = 0;
    size_t ins = 0;
    add_runs(out, &outs, stage->deletes, stage->delete_count);
    add_runs(in, &ins, stage->inserts, stage->insert_count);
    add_runs(in, &ins, stage->contents, stage->content_count);
    for (size_t i = 0; i < stage->move_count; i++) {
      const hp_row_move *move = &stage->moves[i];
      for (uint64_t j = 0; j < move->count; j++) {
        step from = {move->from.section, move->from.row + j, 0};
        step to = {move->to.section, move->to.row + j, 0};
        if (from.section < view->count && from.row < view->sections[from.section].count) {
          to.id = view->sections[from.section].ids[from.row];
        }
        out[outs++] = from;
        in[ins++] = to;
      }
    }
    qsort(out, outs, sizeof *out, by_place);
    qsort(in, ins, sizeof *in, by_place);
    for (size_t i = outs; i-- > 0;) take_out(view, &out[i]);
    change_sections(view, stage);
    for (size_t i = 0; i < ins; i++) put_in(view, copy, &in[i]);
    free(out);
    free(in);
  }
  if (!is_equal(view, copy, false)) fault(view, "after a stage the counts differ");
}

void view_did_change(view *view, const hp_copy *copy, const hp_update *update) {
  if (!view->open) fault(view, "did_change without will_change");
  if (hp_copy_cursor(copy).revision != update->revision) fault(view, "did_change is early");
  if (!is_equal(view, copy, true)) fault(view, "after a change the rows differ");
  view->open = false;
  view->changes += 1;
}
