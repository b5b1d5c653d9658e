/* Events that do not fit the copy end in a typed gap: never a crash, never half a revision. */
#include <stdlib.h>

#include "feedmodel.h"
#include "tests.h"

static uint64_t wrong_number(model *table, uint64_t right) {
  switch (model_random(table, 8)) {
    case 0: return right + 1;
    case 1: return right - 1;
    case 2: return 0;
    case 3: return UINT64_MAX;
    case 4: return UINT64_C(1) << 32;
    case 5: return UINT64_C(1) << 53;
    case 6: return right * 2;
    default: return model_random(table, 40);
  }
}

static void spoil(model *table, uint64_t *number) { *number = wrong_number(table, *number); }

static void spoil_run(model *table, hp_row_run *run) {
  uint64_t *numbers[] = {&run->section, &run->row, &run->count, &run->id};
  spoil(table, numbers[model_random(table, 4)]);
}

static void spoil_rows(model *table, model_event *out) {
  hp_stage *stages = out->stages;
  switch (model_random(table, 6)) {
    case 0:
      if (stages[0].delete_count > 0) {
        spoil_run(table, &out->deletes[model_random(table, (uint32_t)stages[0].delete_count)]);
      }
      break;
    case 1:
      if (stages[0].insert_count > 0) {
        spoil_run(table, &out->inserts[model_random(table, (uint32_t)stages[0].insert_count)]);
      }
      break;
    case 2:
      if (stages[0].content_count > 0) {
        spoil_run(table, &out->contents[model_random(table, (uint32_t)stages[0].content_count)]);
      }
      break;
    case 3:
      if (stages[0].move_count > 0) {
        hp_row_move *move = &out->moves[model_random(table, (uint32_t)stages[0].move_count)];
        uint64_t *numbers[] = {&move->from.section, &move->from.row, &move->to.section,
                               &move->to.row, &move->count, &move->id};
        spoil(table, numbers[model_random(table, 6)]);
      }
      break;
    case 4:
      if (stages[1].reload_count > 0) {
        hp_row_reload *reload =
            &out->reloads[model_random(table, (uint32_t)stages[1].reload_count)];
        uint64_t *numbers[] = {&reload->path.section, &reload->path.row, &reload->id};
        spoil(table, numbers[model_random(table, 3)]);
      }
      break;
    default:
      if (stages[1].content_count > 0) {
        spoil_run(table,
                  &out->new_contents[model_random(table, (uint32_t)stages[1].content_count)]);
      }
      break;
  }
}

static void spoil_sections(model *table, model_event *out) {
  hp_stage *main = &out->stages[0];
  switch (model_random(table, 5)) {
    case 0:
      if (main->delete_section_count > 0) {
        spoil(table, model_random(table, 2) ? &out->delete_sections[0].first
                                            : &out->delete_sections[0].count);
      }
      break;
    case 1:
      if (main->insert_section_count > 0) {
        spoil(table, model_random(table, 2) ? &out->insert_sections[0].first
                                            : &out->insert_sections[0].count);
      }
      break;
    case 2:
      if (main->move_section_count > 0) {
        spoil(table, model_random(table, 2) ? &out->move_sections[0].from
                                            : &out->move_sections[0].to);
      }
      break;
    case 3:
      if (out->stages[1].reload_section_count > 0) spoil(table, &out->reload_sections[0].section);
      break;
    default:
      if (out->table.section_count > 0) {
        hp_section *section = &out->sections[model_random(table, (uint32_t)out->table.section_count)];
        spoil(table, model_random(table, 2) ? &section->id : &section->index);
      }
      break;
  }
}

/* Lists that lack something, or say it twice. */
static void spoil_lists(model *table, model_event *out) {
  hp_stage *main = &out->stages[0];
  size_t *counts[] = {&main->delete_count, &main->insert_count, &main->content_count,
                      &main->move_count, &out->table.row_count, &out->table.deleted_count,
                      &out->table.section_count, &main->move_section_count,
                      &main->insert_section_count, &main->delete_section_count,
                      &out->stages[1].content_count};
  size_t *count = counts[model_random(table, 11)];
  if (*count == 0) return;
  if (model_random(table, 2)) {
    *count -= 1;
  } else if (count == &main->delete_count) {
    out->deletes[*count] = out->deletes[0];
    *count += 1;
  } else if (count == &main->insert_count) {
    out->inserts[*count] = out->inserts[0];
    *count += 1;
  } else if (count == &main->move_count) {
    out->moves[*count] = out->moves[0];
    *count += 1;
  } else if (count == &out->table.deleted_count) {
    out->deleted[*count] = out->deleted[0];
    *count += 1;
  } else if (count == &main->move_section_count) {
    out->move_sections[*count] = out->move_sections[0];
    *count += 1;
  } else if (count == &main->delete_section_count) {
    out->delete_sections[*count] = out->delete_sections[0];
    *count += 1;
  }
}

static void spoil_rest(model *table, model_event *out) {
  switch (model_random(table, 6)) {
    case 0: spoil(table, &out->event.from); break;
    case 1: spoil(table, &out->change.revision); break;
    case 2:
      if (out->table.deleted_count > 0) {
        spoil(table, model_random(table, 2) ? &out->deleted[0].first : &out->deleted[0].count);
      }
      break;
    case 3:
      if (out->table.row_count > 0) {
        spoil(table, &out->rows[model_random(table, (uint32_t)out->table.row_count)].id);
      }
      break;
    case 4:
      if (out->table.row_count > 0) spoil(table, &out->cells[0].column);
      break;
    default:
      out->stages[1].deletes = out->deletes; /* the stage of reloads changes no order */
      out->stages[1].delete_count = out->stages[0].delete_count;
      break;
  }
}

TEST(survives_events_that_do_not_fit) {
  static model_event out;
  unsigned gaps[HP_GAP_MEMORY + 1] = {0};
  for (uint32_t seed = 1; seed <= 400; seed++) {
    model table;
    model_begin(&table, seed);
    hp_copy *copy = hp_copy_new(0, NULL, NULL, NULL);
    CHECK(copy != NULL && model_feed(&table, &out, copy) == HP_GAP_NONE);
    for (int step = 0; step < 12; step++) {
      model_change(&table, &out);
      uint64_t before = hp_copy_cursor(copy).revision;
      unsigned faults = model_random(&table, 3);
      for (unsigned i = 0; i < faults; i++) {
        switch (model_random(&table, 4)) {
          case 0: spoil_rows(&table, &out); break;
          case 1: spoil_sections(&table, &out); break;
          case 2: spoil_lists(&table, &out); break;
          default: spoil_rest(&table, &out); break;
        }
      }
      hp_gap gap = hp_copy_take(copy, &out.event);
      gaps[gap] += 1;
      if (!copy_is_consistent(copy)) {
        check_failed("seed", (int)seed, "the copy is consistent after a lie");
      }
      if (faults == 0) CHECK(gap == HP_GAP_NONE && model_equals(&table, copy));
      if (gap == HP_GAP_ORDER) CHECK(hp_copy_cursor(copy).revision == before);
      if (gap == HP_GAP_CONTENT) CHECK(!hp_copy_is_whole(copy) && hp_copy_reason(copy)[0] != 0);
      /* Whatever was taken, a snapshot makes it right again. */
      if (faults > 0) {
        CHECK(model_feed(&table, &out, copy) == HP_GAP_NONE && model_equals(&table, copy));
      }
    }
    hp_copy_free(copy);
    model_end(&table);
  }
  CHECK(gaps[HP_GAP_NONE] > 1000 && gaps[HP_GAP_CONTENT] > 500 && gaps[HP_GAP_ORDER] > 50);
  CHECK(gaps[HP_GAP_MEMORY] == 0);
}

TEST(survives_snapshots_that_do_not_fit) {
  static model_event out;
  for (uint32_t seed = 1; seed <= 300; seed++) {
    model table;
    model_begin(&table, seed);
    hp_copy *copy = hp_copy_new(0, NULL, NULL, NULL);
    CHECK(copy != NULL);
    model_snapshot(&table, &out);
    if (model_random(&table, 3) == 0) {
      spoil(&table, model_random(&table, 2) ? &out.sections[0].index : &out.sections[0].id);
    }
    hp_gap gap = hp_copy_take(copy, &out.event);
    for (size_t i = 0; i < table.count && gap == HP_GAP_NONE; i++) {
      model_rows(&table, i, (uint32_t)i + 1, i + 1 == table.count, &out);
      uint64_t *numbers[] = {&out.event.table, &out.event.section, &out.event.first,
                             &out.rows[0].id};
      if (model_random(&table, 2) && table.sections[i].count > 0) {
        spoil(&table, numbers[model_random(&table, 4)]);
      }
      gap = hp_copy_take(copy, &out.event);
    }
    CHECK(copy_is_consistent(copy));
    CHECK(model_feed(&table, &out, copy) == HP_GAP_NONE && model_equals(&table, copy));
    hp_copy_free(copy);
    model_end(&table);
  }
}

/* A copy's whole life. Returns whether no allocation failed. */
static bool live(uint32_t seed, const hp_allocator *allocator) {
  static model_event out;
  model table;
  bool well = true;
  model_begin(&table, seed);
  hp_copy *copy = hp_copy_new(0, NULL, NULL, allocator);
  if (copy == NULL) {
    model_end(&table);
    return false;
  }
  hp_gap gap = model_feed(&table, &out, copy);
  for (int step = 0; step < 6; step++) {
    model_change(&table, &out);
    if (gap == HP_GAP_NONE) gap = hp_copy_take(copy, &out.event);
    if (gap == HP_GAP_NONE) {
      CHECK(model_equals(&table, copy));
      continue;
    }
    CHECK(gap == HP_GAP_MEMORY && copy_is_consistent(copy));
    well = false;
    gap = model_feed(&table, &out, copy);
  }
  if (gap != HP_GAP_NONE) well = false;
  hp_copy_free(copy);
  model_end(&table);
  return well;
}

TEST(survives_failing_allocations_of_a_copy) {
  for (uint32_t seed = 1; seed <= 4; seed++) {
    for (int for_good = 0; for_good < 2; for_good++) {
      long fail_at = 1;
      for (;; fail_at++) {
        failing state = {0, fail_at, for_good != 0, 0};
        hp_allocator allocator = failing_allocator(&state);
        bool well = live(seed, &allocator);
        if (state.living != 0) check_failed("allocation", (int)fail_at, "all memory is given back");
        if (well || fail_at > 5000) break;
      }
      CHECK(fail_at > 20 && fail_at <= 5000);
    }
  }
}
