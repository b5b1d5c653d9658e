#include "make.h"

/* Ids stay below 2^53 (contract K9). */
#define ID_END ((uint64_t)1 << 53)

hp_cursor hp_make_cursor(const Hp__V1__Cursor *cursor) {
  hp_cursor made = {0, 0};
  if (cursor != NULL) {
    made.epoch = cursor->epoch;
    made.revision = cursor->revision;
  }
  return made;
}

hp_path hp_make_path(const Hp__V1__Path *path) {
  hp_path made = {0, 0};
  if (path != NULL) {
    made.section = path->section;
    made.row = path->row;
  }
  return made;
}

void hp_make_id_run(hp_maker *maker, const void *message, void *made) {
  (void)maker;
  const Hp__V1__IdRun *from = message;
  hp_id_run *run = made;
  run->first = from->first;
  run->count = from->count;
}

void hp_make_cell(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__Cell *from = message;
  hp_cell *cell = made;
  cell->column = from->column;
  cell->column_name = hp_make_text(maker, from->column_name);
  switch (from->value_case) {
    case HP__V1__CELL__VALUE_TEXT:
      cell->kind = HP_TEXT;
      cell->text = hp_make_text(maker, from->text);
      break;
    case HP__V1__CELL__VALUE_INTEGER:
      cell->kind = HP_INTEGER;
      cell->number = from->integer;
      break;
    case HP__V1__CELL__VALUE_DECIMAL:
      cell->kind = HP_DECIMAL;
      cell->number = from->decimal;
      break;
    case HP__V1__CELL__VALUE_DATE:
      cell->kind = HP_DATE;
      cell->number = from->date;
      break;
    case HP__V1__CELL__VALUE_TIMESTAMP:
      cell->kind = HP_TIMESTAMP;
      cell->number = from->timestamp;
      break;
    case HP__V1__CELL__VALUE_BOOLEAN:
      cell->kind = HP_BOOLEAN;
      cell->number = from->boolean ? 1 : 0;
      break;
    case HP__V1__CELL__VALUE__NOT_SET:
    default: cell->kind = HP_NULL; break;
  }
}

void hp_make_row(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__Row *from = message;
  hp_row *row = made;
  if (from->id == 0 || from->id >= ID_END) {
    hp_maker_fail(maker, HP_ERROR_PROTOCOL, "the server sent a row without an id");
    return;
  }
  row->id = from->id;
  row->revision = from->revision;
  row->cell_count = from->n_cells;
  row->cells = HP_MAKE_ARRAY(maker, hp_cell, hp_make_cell, from->cells, from->n_cells);
}

void hp_make_placed_row(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__PlacedRow *from = message;
  hp_row *row = made;
  if (from->row == NULL) {
    hp_maker_fail(maker, HP_ERROR_PROTOCOL, "the server sent a place without a row");
    return;
  }
  hp_make_row(maker, from->row, row);
  row->placed = from->path != NULL;
  row->path = hp_make_path(from->path);
  row->section = from->section;
}

static hp_kind kind_of(hp_maker *maker, Hp__V1__ColumnKind kind) {
  if (kind < HP__V1__COLUMN_KIND__COLUMN_KIND_TEXT ||
      kind > HP__V1__COLUMN_KIND__COLUMN_KIND_BOOLEAN) {
    hp_maker_fail(maker, HP_ERROR_PROTOCOL, "the server sent a column of an unknown kind");
    return HP_NULL;
  }
  return (hp_kind)kind;
}

void hp_make_column(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__Column *from = message;
  hp_column *column = made;
  if (from->id == 0 || from->name == NULL) {
    hp_maker_fail(maker, HP_ERROR_PROTOCOL, "the server sent a column without id or name");
    return;
  }
  column->id = from->id;
  column->name = hp_make_text(maker, from->name);
  column->kind = kind_of(maker, from->kind);
  column->required = from->required;
  column->unique = from->unique;
  column->read_only = from->read_only;
  column->default_now = from->default_now;
  column->scale = from->scale;
  column->currency = hp_make_text(maker, from->currency);
  column->default_value =
      hp_make_optional(maker, from->default_value, sizeof(hp_cell), hp_make_cell);
  column->fill = hp_make_optional(maker, from->fill, sizeof(hp_cell), hp_make_cell);
}

void hp_make_header_footer(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__HeaderFooter *from = message;
  hp_header_footer *value = made;
  value->title = hp_make_text(maker, from->title);
  value->view = hp_make_text(maker, from->view);
  value->has_height = from->has_height;
  value->height = from->height;
  value->owner = hp_make_text(maker, from->owner);
  value->language = hp_make_text(maker, from->language);
}

void hp_make_sentinel(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__Sentinel *from = message;
  hp_sentinel *value = made;
  value->text = hp_make_text(maker, from->text);
  value->has_height = from->has_height;
  value->height = from->height;
}

void hp_make_section(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__Section *from = message;
  hp_section *section = made;
  section->id = from->id;
  section->title = hp_make_text(maker, from->title);
  section->header =
      hp_make_optional(maker, from->header, sizeof(hp_header_footer), hp_make_header_footer);
  section->footer =
      hp_make_optional(maker, from->footer, sizeof(hp_header_footer), hp_make_header_footer);
  section->sentinel = hp_make_optional(maker, from->sentinel, sizeof(hp_sentinel), hp_make_sentinel);
  section->index = from->index;
  section->rows = from->rows;
  section->policy = hp_make_optional(maker, from->policy, sizeof(hp_policy), hp_make_policy);
}

static hp_choice choice_of(protobuf_c_boolean has, protobuf_c_boolean value) {
  return !has ? HP_INHERITED : value ? HP_YES : HP_NO;
}

void hp_make_policy(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__Policy *from = message;
  hp_policy *policy = made;
  policy->can_edit = choice_of(from->has_can_edit, from->can_edit);
  policy->can_move = choice_of(from->has_can_move, from->can_move);
  if (from->has_editing_style) policy->editing_style = (hp_editing_style)(from->editing_style + 1);
  policy->delete_title = hp_make_text(maker, from->delete_title);
  policy->indent_while_editing =
      choice_of(from->has_indent_while_editing, from->indent_while_editing);
  policy->allows_selection = choice_of(from->has_allows_selection, from->allows_selection);
  policy->allows_selection_during_editing =
      choice_of(from->has_allows_selection_during_editing, from->allows_selection_during_editing);
  policy->allows_multiple_selection =
      choice_of(from->has_allows_multiple_selection, from->allows_multiple_selection);
  policy->allows_multiple_selection_during_editing =
      choice_of(from->has_allows_multiple_selection_during_editing,
                from->allows_multiple_selection_during_editing);
  if (from->has_drop) policy->drop = (hp_drop_rule)(from->drop + 1);
  policy->writes_only_while_holding =
      choice_of(from->has_writes_only_while_holding, from->writes_only_while_holding);
}

void hp_make_row_policy(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__RowPolicy *from = message;
  hp_row_policy *row = made;
  row->row = from->row;
  row->policy = hp_make_optional(maker, from->policy, sizeof(hp_policy), hp_make_policy);
}

void hp_make_table(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__Table *from = message;
  hp_table_info *table = made;
  table->id = from->id;
  table->name = hp_make_text(maker, from->name == NULL ? "" : from->name);
  table->schema_revision = from->schema_revision;
  table->last_changed = from->last_changed;
  table->column_count = from->n_columns;
  table->columns = HP_MAKE_ARRAY(maker, hp_column, hp_make_column, from->columns, from->n_columns);
  table->section_count = from->n_sections;
  table->sections =
      HP_MAKE_ARRAY(maker, hp_section, hp_make_section, from->sections, from->n_sections);
  table->header =
      hp_make_optional(maker, from->header, sizeof(hp_header_footer), hp_make_header_footer);
  table->footer =
      hp_make_optional(maker, from->footer, sizeof(hp_header_footer), hp_make_header_footer);
  table->rows = from->rows;
  table->policy = hp_make_optional(maker, from->policy, sizeof(hp_policy), hp_make_policy);
}
