#include "make.h"

#include "hp/steps.h"

/* What answers to the requests of hp/steps.h become. */

static void make_entry(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__HistoryEntry *from = message;
  hp_history_entry *entry = made;
  entry->revision = from->revision;
  entry->time = from->time;
  entry->uid = from->uid;
  entry->actor = hp_make_text(maker, from->actor == NULL ? "" : from->actor);
  entry->table = from->table;
  entry->event = (hp_table_event)from->event;
  entry->undoes = from->undoes;
  entry->redoes = from->redoes;
  entry->undone_by = from->undone_by;
  entry->undoable = from->undoable;
  entry->columns_changed = from->columns_changed;
  entry->headers_changed = from->headers_changed;
  entry->policy_changed = from->policy_changed;
  hp_make_counts(from->counts, &entry->counts);
  entry->inserted = from->inserted;
  entry->deleted = from->deleted;
  entry->moved = from->moved;
  entry->old_cell_count = from->n_old_cells;
  entry->old_cells =
      HP_MAKE_ARRAY(maker, hp_cell, hp_make_cell, from->old_cells, from->n_old_cells);
  entry->new_cell_count = from->n_new_cells;
  entry->new_cells =
      HP_MAKE_ARRAY(maker, hp_cell, hp_make_cell, from->new_cells, from->n_new_cells);
}

void hp_make_history(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__HistoryPage *from = message;
  hp_history_page *page = made;
  page->count = from->n_entries;
  page->entries =
      HP_MAKE_ARRAY(maker, hp_history_entry, make_entry, from->entries, from->n_entries);
  page->has_next = from->has_next;
  page->next = from->next;
  page->cursor = hp_make_cursor(from->cursor);
}
