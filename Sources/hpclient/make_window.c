#include "make.h"

/* A window's change list (contract F3). */

static void make_row(hp_maker *maker, const void *message, void *made) {
  (void)maker;
  const Hp__V1__WindowRow *from = message;
  hp_window_row *row = made;
  row->index = from->index;
  row->section = from->section;
  row->id = from->id;
}

static void make_move(hp_maker *maker, const void *message, void *made) {
  (void)maker;
  const Hp__V1__WindowMove *from = message;
  hp_window_move *move = made;
  move->from = from->from;
  move->to = from->to;
  move->section = from->section;
}

void hp_make_window(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__WindowChange *from = message;
  hp_window_change *window = made;
  window->generation = from->generation;
  window->revision = from->revision;
  window->first = from->first;
  window->before = from->before;
  window->after = from->after;
  window->reset = from->reset;
  window->anchor = from->anchor;
  window->schema_revision = from->schema_revision;
  window->uid = from->actor_uid;
  window->actor = hp_make_text(maker, from->actor);
  window->client = from->client;
  window->request = from->request;
  window->time = from->time;
  window->delete_count = from->n_deletes;
  window->deletes = hp_make_numbers(maker, from->deletes, from->n_deletes);
  window->insert_count = from->n_inserts;
  window->inserts =
      HP_MAKE_ARRAY(maker, hp_window_row, make_row, from->inserts, from->n_inserts);
  window->move_count = from->n_moves;
  window->moves = HP_MAKE_ARRAY(maker, hp_window_move, make_move, from->moves, from->n_moves);
  window->reload_count = from->n_reloads;
  window->reloads = hp_make_numbers(maker, from->reloads, from->n_reloads);
  window->row_count = from->n_rows;
  window->rows = HP_MAKE_ARRAY(maker, hp_row, hp_make_row, from->rows, from->n_rows);
  window->section_count = from->n_sections;
  window->sections =
      HP_MAKE_ARRAY(maker, hp_section, hp_make_section, from->sections, from->n_sections);
  window->column_count = from->n_columns;
  window->columns =
      HP_MAKE_ARRAY(maker, hp_column, hp_make_column, from->columns, from->n_columns);
}
