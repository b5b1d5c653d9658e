#include "live.h"

/*
 * A subscription to some sections tells them by their ids (contract F1), and not their order. The
 * copy keeps the order in which they came, new ones last; before a change is folded, its ids become
 * the indices that this order gives them, so that folding and the callbacks know one form only.
 * What names a section that is not there becomes an index that is none, which the fold refuses.
 */

#define NOWHERE UINT64_MAX

/** Sections that a change takes and brings. */
typedef struct crossing {
  const hp_state *state;
  const hp_id_run *gone;
  size_t gone_count;
  const hp_id_run *fresh;
  size_t fresh_count;
} crossing;

static uint64_t old_index(const crossing *at, uint64_t id) {
  const hp_live_section *section = hp_state_find_section(at->state, id);
  return section == NULL ? NOWHERE : section->shown.index;
}

static uint64_t new_index(const crossing *at, uint64_t id) {
  uint64_t before = hp_state_section_count(at->state);
  for (size_t i = 0; i < at->gone_count; i++) before -= at->gone[i].count;
  for (size_t i = 0; i < at->fresh_count; i++) {
    if (id - at->fresh[i].first < at->fresh[i].count) return before + (id - at->fresh[i].first);
    before += at->fresh[i].count;
  }
  uint64_t index = old_index(at, id);
  if (index == NOWHERE) return NOWHERE;
  uint64_t shift = 0;
  for (size_t i = 0; i < at->gone_count; i++) {
    for (uint64_t step = 0; step < at->gone[i].count; step++) {
      uint64_t gone = old_index(at, at->gone[i].first + step);
      if (gone == index) return NOWHERE;
      shift += gone < index;
    }
  }
  return index - shift;
}

static void translate_runs(const crossing *at, hp_list *list,
                           uint64_t (*index)(const crossing *at, uint64_t id)) {
  hp_row_run *runs = list->items;
  for (size_t i = 0; i < list->count; i++) runs[i].section = index(at, runs[i].section);
}

static void translate_stage(const crossing *at, hp_pending_stage *stage, bool is_main) {
  uint64_t (*before)(const crossing *at, uint64_t id) = is_main ? old_index : new_index;
  translate_runs(at, &stage->deletes, before);
  translate_runs(at, &stage->inserts, new_index);
  translate_runs(at, &stage->contents, new_index);
  hp_row_move *moves = stage->moves.items;
  for (size_t i = 0; i < stage->moves.count; i++) {
    moves[i].from.section = before(at, moves[i].from.section);
    moves[i].to.section = new_index(at, moves[i].to.section);
  }
  hp_row_reload *reloads = stage->reloads.items;
  for (size_t i = 0; i < stage->reloads.count; i++) {
    reloads[i].old_path.section = old_index(at, reloads[i].old_path.section);
    reloads[i].path.section = new_index(at, reloads[i].path.section);
  }
  hp_section_reload *sections = stage->reload_sections.items;
  for (size_t i = 0; i < stage->reload_sections.count; i++) {
    sections[i].old_section = old_index(at, sections[i].old_section);
    sections[i].section = new_index(at, sections[i].section);
  }
}

/* Runs of ids as runs of one index each. False when memory runs out. */
static bool translate_sections(const crossing *at, const hp_allocator *allocator, hp_list *list,
                               const hp_id_run *ids, size_t count,
                               uint64_t (*index)(const crossing *at, uint64_t id)) {
  list->count = 0;
  for (size_t i = 0; i < count; i++) {
    for (uint64_t step = 0; step < ids[i].count; step++) {
      hp_id_run run = {index(at, ids[i].first + step), 1};
      if (!hp_list_add(allocator, list, &run, 1, sizeof run)) return false;
    }
  }
  return true;
}

/* Whether there are no more ids in the runs than sections to go or to come. */
static bool fits(const hp_list *list, uint64_t most) {
  const hp_id_run *runs = list->items;
  uint64_t sum = 0;
  for (size_t i = 0; i < list->count; i++) {
    if (runs[i].count > most - sum) return false;
    sum += runs[i].count;
  }
  return true;
}

hp_gap hp_copy_number_sections(hp_copy *copy) {
  hp_pending *pending = &copy->pending;
  hp_pending_stage *main = &pending->stages[0];
  copy->why = "sections go or come that are not there";
  if (!fits(&main->delete_sections, hp_state_section_count(copy->state)) ||
      !fits(&main->insert_sections, pending->sections.count)) {
    return HP_GAP_CONTENT;
  }
  /* The ids are read while the lists that held them are filled with indices. */
  hp_list gone = main->delete_sections;
  hp_list fresh = main->insert_sections;
  hp_list none = {NULL, 0, 0};
  main->delete_sections = none;
  main->insert_sections = none;
  crossing at = {copy->state, gone.items, gone.count, fresh.items, fresh.count};
  for (size_t kind = 0; kind < 3; kind++) translate_stage(&at, &pending->stages[kind], kind == 0);
  hp_section *records = pending->sections.items;
  for (size_t i = 0; i < pending->sections.count; i++) {
    records[i].index = new_index(&at, records[i].id);
  }
  bool done = translate_sections(&at, &copy->allocator, &main->delete_sections, at.gone,
                                 at.gone_count, old_index) &&
              translate_sections(&at, &copy->allocator, &main->insert_sections, at.fresh,
                                 at.fresh_count, new_index);
  hp_list_free(&copy->allocator, &gone);
  hp_list_free(&copy->allocator, &fresh);
  if (!done) return HP_GAP_MEMORY;
  copy->why = "";
  return HP_GAP_NONE;
}
