#include "editing_parts.h"

#include <string.h>

void hp_drop(const hp_allocator *allocator, const void *memory) {
  hp_release(allocator, (void *)(uintptr_t)memory);
}

bool hp_copy_holder(const hp_allocator *allocator, hp_holder *to, const hp_holder *from) {
  bool failed = false;
  *to = *from;
  to->actor = hp_copy_text(allocator, from->actor, &failed);
  to->lease_name = hp_copy_text(allocator, from->lease_name, &failed);
  if (failed) hp_clear_holder(allocator, to);
  return !failed;
}

void hp_clear_holder(const hp_allocator *allocator, const hp_holder *holder) {
  hp_drop(allocator, holder->actor);
  hp_drop(allocator, holder->lease_name);
}

bool hp_copy_swipe(const hp_allocator *allocator, hp_swipe_state *to, const hp_swipe_state *from) {
  bool failed = false;
  *to = *from;
  to->delete_title = hp_copy_text(allocator, from->delete_title, &failed);
  if (!failed && hp_copy_holder(allocator, &to->holder, &from->holder)) return true;
  hp_drop(allocator, to->delete_title);
  return false;
}

void hp_clear_swipe(const hp_allocator *allocator, const hp_swipe_state *swipe) {
  hp_clear_holder(allocator, &swipe->holder);
  hp_drop(allocator, swipe->delete_title);
}

bool hp_copy_drag(const hp_allocator *allocator, hp_drag_state *to, const hp_drag_state *from) {
  *to = *from;
  return hp_copy_holder(allocator, &to->holder, &from->holder);
}

void hp_clear_drag(const hp_allocator *allocator, const hp_drag_state *drag) {
  hp_clear_holder(allocator, &drag->holder);
}

bool hp_copy_draft(const hp_allocator *allocator, hp_draft_state *to, const hp_draft_state *from) {
  bool failed = false;
  *to = *from;
  to->text = hp_copy_text(allocator, from->text, &failed);
  to->reason = hp_copy_text(allocator, from->reason, &failed);
  if (!failed && hp_copy_holder(allocator, &to->holder, &from->holder)) return true;
  hp_drop(allocator, to->text);
  hp_drop(allocator, to->reason);
  return false;
}

void hp_clear_draft(const hp_allocator *allocator, const hp_draft_state *draft) {
  hp_clear_holder(allocator, &draft->holder);
  hp_drop(allocator, draft->text);
  hp_drop(allocator, draft->reason);
}

void hp_runs_free(const hp_allocator *allocator, hp_runs *runs) {
  hp_release(allocator, runs->runs);
  memset(runs, 0, sizeof *runs);
}

/* Ids stay below 2^53, so ends never overflow once this holds. */
static bool is_run(hp_id_run run) {
  uint64_t end = (uint64_t)1 << 53;
  return run.count > 0 && run.first < end && run.count <= end - run.first;
}

/* Room for one run more. */
static bool reserve(const hp_allocator *allocator, hp_runs *runs) {
  if (runs->count < runs->capacity) return true;
  size_t capacity = runs->capacity == 0 ? 4 : runs->capacity * 2;
  if (capacity > SIZE_MAX / sizeof *runs->runs) return false;
  hp_id_run *grown = hp_allocate(allocator, capacity * sizeof *grown);
  if (grown == NULL) return false;
  if (runs->count > 0) memcpy(grown, runs->runs, runs->count * sizeof *grown);
  hp_release(allocator, runs->runs);
  runs->runs = grown;
  runs->capacity = capacity;
  return true;
}

/* The first run that ends at `id` or after it. */
static size_t first_ending_from(const hp_runs *runs, uint64_t id) {
  size_t low = 0;
  size_t high = runs->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (runs->runs[middle].first + runs->runs[middle].count < id) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/* Puts `count` runs in the place of runs [from, to); there is room for them. */
static void replace(hp_runs *runs, size_t from, size_t to, const hp_id_run *with, size_t count) {
  memmove(runs->runs + from + count, runs->runs + to, (runs->count - to) * sizeof *runs->runs);
  if (count > 0) memcpy(runs->runs + from, with, count * sizeof *with);
  runs->count = runs->count - (to - from) + count;
}

bool hp_runs_add(const hp_allocator *allocator, hp_runs *runs, hp_id_run run) {
  if (!is_run(run) || !reserve(allocator, runs)) return false;
  uint64_t end = run.first + run.count;
  size_t from = first_ending_from(runs, run.first);
  size_t to = from;
  while (to < runs->count && runs->runs[to].first <= end) {
    uint64_t other = runs->runs[to].first + runs->runs[to].count;
    if (runs->runs[to].first < run.first) run.first = runs->runs[to].first;
    if (other > end) end = other;
    to += 1;
  }
  run.count = end - run.first;
  replace(runs, from, to, &run, 1);
  return true;
}

bool hp_runs_remove(const hp_allocator *allocator, hp_runs *runs, hp_id_run run) {
  if (!is_run(run) || !reserve(allocator, runs)) return false;
  uint64_t end = run.first + run.count;
  size_t from = first_ending_from(runs, run.first);
  hp_id_run left[2];
  size_t count = 0;
  size_t to = from;
  while (to < runs->count && runs->runs[to].first < end) {
    hp_id_run old = runs->runs[to];
    uint64_t old_end = old.first + old.count;
    if (old.first < run.first) {
      left[count].first = old.first;
      left[count++].count = (old_end < run.first ? old_end : run.first) - old.first;
    }
    if (old_end > end) {
      left[count].first = end;
      left[count++].count = old_end - end;
    }
    to += 1;
  }
  replace(runs, from, to, left, count);
  return true;
}
