#include "internal.h"

void hp_write_cursor(hp_writer *writer, uint32_t number, hp_cursor cursor) {
  size_t mark = hp_write_begin(writer, number);
  hp_write_fixed64(writer, 1, cursor.epoch);
  hp_write_uint(writer, 2, cursor.revision);
  hp_write_end(writer, mark);
}

void hp_write_table_ref(hp_writer *writer, uint32_t number, hp_table_ref table) {
  size_t mark = hp_write_begin(writer, number);
  if (table.id != 0) {
    hp_write_uint(writer, 1, table.id);
  } else {
    hp_write_name(writer, 2, table.name, "no table is named");
  }
  hp_write_end(writer, mark);
}

void hp_write_path(hp_writer *writer, uint32_t number, hp_path path) {
  size_t mark = hp_write_begin(writer, number);
  hp_write_uint(writer, 1, path.section);
  hp_write_uint(writer, 2, path.row);
  hp_write_end(writer, mark);
}

void hp_write_row_ref(hp_writer *writer, uint32_t number, hp_row_ref row) {
  size_t mark = hp_write_begin(writer, number);
  switch (row.by) {
    case HP_BY_ID: hp_write_uint(writer, 1, row.number); break;
    case HP_BY_HANDLE: hp_write_uint(writer, 2, row.number); break;
    case HP_BY_PATH: hp_write_path(writer, 3, row.path); break;
    case HP_BY_NOTHING:
    case HP_BY_TITLE:
    default: hp_writer_fail(writer, HP_ERROR_ARGUMENT, "no row is named"); break;
  }
  hp_write_end(writer, mark);
}

void hp_write_section_ref(hp_writer *writer, uint32_t number, hp_section_ref section) {
  if (section.by == HP_BY_NOTHING) return;
  size_t mark = hp_write_begin(writer, number);
  switch (section.by) {
    case HP_BY_ID: hp_write_uint(writer, 1, section.number); break;
    case HP_BY_TITLE:
      hp_write_name(writer, 2, section.title, "a section's title is missing");
      break;
    case HP_BY_HANDLE: hp_write_uint(writer, 3, section.number); break;
    case HP_BY_PATH: hp_write_uint(writer, 4, section.number); break;
    case HP_BY_NOTHING:
    default: hp_writer_fail(writer, HP_ERROR_ARGUMENT, "no section is named"); break;
  }
  hp_write_end(writer, mark);
}

void hp_write_needed_section(hp_writer *writer, uint32_t number, hp_section_ref section) {
  if (section.by == HP_BY_NOTHING) {
    hp_writer_fail(writer, HP_ERROR_ARGUMENT, "no section is named");
  }
  hp_write_section_ref(writer, number, section);
}

void hp_write_place(hp_writer *writer, uint32_t number, hp_place place) {
  if (place.at == HP_AT_DEFAULT) return;
  size_t mark = hp_write_begin(writer, number);
  switch (place.at) {
    case HP_AT_PATH: hp_write_path(writer, 1, place.path); break;
    case HP_AT_BEFORE: hp_write_row_ref(writer, 2, place.row); break;
    case HP_AT_AFTER: hp_write_row_ref(writer, 3, place.row); break;
    case HP_AT_FIRST_OF: hp_write_needed_section(writer, 4, place.section); break;
    case HP_AT_LAST_OF: hp_write_needed_section(writer, 5, place.section); break;
    case HP_AT_DEFAULT:
    default: hp_writer_fail(writer, HP_ERROR_ARGUMENT, "no place is named"); break;
  }
  hp_write_end(writer, mark);
}

void hp_write_section_place(hp_writer *writer, uint32_t number, hp_section_place place) {
  if (place.at == HP_AT_DEFAULT) return;
  size_t mark = hp_write_begin(writer, number);
  switch (place.at) {
    case HP_AT_PATH: hp_write_uint(writer, 1, place.index); break;
    case HP_AT_BEFORE: hp_write_needed_section(writer, 2, place.section); break;
    case HP_AT_AFTER: hp_write_needed_section(writer, 3, place.section); break;
    case HP_AT_DEFAULT:
    case HP_AT_FIRST_OF:
    case HP_AT_LAST_OF:
    default: hp_writer_fail(writer, HP_ERROR_ARGUMENT, "no place for a section is named"); break;
  }
  hp_write_end(writer, mark);
}

void hp_write_basis(hp_writer *writer, uint32_t number, hp_basis basis) {
  if (basis.kind == HP_BASIS_NONE) return;
  size_t mark = hp_write_begin(writer, number);
  switch (basis.kind) {
    case HP_BASIS_CURRENT: hp_write_bool(writer, 1, true); break;
    case HP_BASIS_AT: hp_write_cursor(writer, 2, basis.cursor); break;
    case HP_BASIS_REBASE:
      hp_write_cursor(writer, 2, basis.cursor);
      hp_write_bool(writer, 3, true);
      break;
    case HP_BASIS_NONE:
    default: hp_writer_fail(writer, HP_ERROR_ARGUMENT, "no such basis"); break;
  }
  hp_write_end(writer, mark);
}

void hp_write_cell(hp_writer *writer, uint32_t number, const hp_cell *cell, bool named) {
  if (named && cell->column == 0 && cell->column_name == NULL) {
    hp_writer_fail(writer, HP_ERROR_ARGUMENT, "a cell names no column");
    return;
  }
  size_t mark = hp_write_begin(writer, number);
  if (cell->column != 0) hp_write_uint(writer, 1, cell->column);
  switch (cell->kind) {
    case HP_NULL: break;
    case HP_TEXT: hp_write_name(writer, 2, cell->text, "a text cell has no text"); break;
    case HP_INTEGER: hp_write_sint(writer, 3, cell->number); break;
    case HP_DECIMAL: hp_write_sint(writer, 4, cell->number); break;
    case HP_DATE: hp_write_sint(writer, 5, cell->number); break;
    case HP_TIMESTAMP: hp_write_sint(writer, 6, cell->number); break;
    case HP_BOOLEAN: hp_write_bool(writer, 7, cell->number != 0); break;
    default: hp_writer_fail(writer, HP_ERROR_ARGUMENT, "a cell is of no kind"); break;
  }
  if (cell->column == 0) hp_write_text(writer, 8, cell->column_name);
  hp_write_end(writer, mark);
}

void hp_write_cells(hp_writer *writer, uint32_t number, const hp_cell *cells, size_t count) {
  for (size_t i = 0; i < count && writer->fault == HP_ERROR_NONE; i++) {
    hp_write_cell(writer, number, &cells[i], true);
  }
}

void hp_write_new_row(hp_writer *writer, uint32_t number, const hp_new_row *row) {
  size_t mark = hp_write_begin(writer, number);
  hp_write_cells(writer, 1, row->cells, row->cell_count);
  if (row->as != 0) hp_write_uint(writer, 2, row->as);
  hp_write_end(writer, mark);
}

void hp_write_column(hp_writer *writer, uint32_t number, const hp_column *column) {
  size_t mark = hp_write_begin(writer, number);
  hp_write_name(writer, 2, column->name, "a column has no name");
  if (column->kind < HP_TEXT || column->kind > HP_BOOLEAN) {
    hp_writer_fail(writer, HP_ERROR_ARGUMENT, "a column is of no kind");
  }
  hp_write_uint(writer, 3, (uint64_t)column->kind);
  if (column->required) hp_write_bool(writer, 4, true);
  if (column->unique) hp_write_bool(writer, 5, true);
  if (column->read_only) hp_write_bool(writer, 6, true);
  if (column->scale != 0) hp_write_uint(writer, 7, column->scale);
  hp_write_text(writer, 8, column->currency);
  if (column->default_value != NULL) hp_write_cell(writer, 9, column->default_value, false);
  if (column->fill != NULL) hp_write_cell(writer, 10, column->fill, false);
  if (column->default_now) hp_write_bool(writer, 11, true);
  hp_write_end(writer, mark);
}

void hp_write_header_footer(hp_writer *writer, uint32_t number, const hp_header_footer *value) {
  if (value == NULL) return;
  size_t mark = hp_write_begin(writer, number);
  hp_write_text(writer, 1, value->title);
  hp_write_text(writer, 2, value->view);
  if (value->has_height) hp_write_double(writer, 3, value->height);
  hp_write_text(writer, 4, value->owner);
  hp_write_text(writer, 5, value->language);
  hp_write_end(writer, mark);
}

void hp_write_sentinel(hp_writer *writer, uint32_t number, const hp_sentinel *value) {
  size_t mark = hp_write_begin(writer, number);
  hp_write_text(writer, 1, value->text);
  if (value->has_height) hp_write_double(writer, 2, value->height);
  hp_write_end(writer, mark);
}

static void write_choice(hp_writer *writer, uint32_t number, hp_choice choice) {
  if (choice == HP_INHERITED) return;
  if (choice != HP_NO && choice != HP_YES) {
    hp_writer_fail(writer, HP_ERROR_ARGUMENT, "a policy is neither yes nor no");
  }
  hp_write_bool(writer, number, choice == HP_YES);
}

void hp_write_policy(hp_writer *writer, uint32_t number, const hp_policy *policy) {
  size_t mark = hp_write_begin(writer, number);
  write_choice(writer, 1, policy->can_edit);
  write_choice(writer, 2, policy->can_move);
  if (policy->editing_style != HP_STYLE_INHERITED) {
    hp_write_uint(writer, 3, (uint64_t)policy->editing_style - 1);
  }
  hp_write_text(writer, 4, policy->delete_title);
  write_choice(writer, 5, policy->indent_while_editing);
  write_choice(writer, 6, policy->allows_selection);
  write_choice(writer, 7, policy->allows_selection_during_editing);
  write_choice(writer, 8, policy->allows_multiple_selection);
  write_choice(writer, 9, policy->allows_multiple_selection_during_editing);
  if (policy->drop != HP_DROP_INHERITED) hp_write_uint(writer, 10, (uint64_t)policy->drop - 1);
  write_choice(writer, 11, policy->writes_only_while_holding);
  hp_write_end(writer, mark);
}

void hp_write_filter(hp_writer *writer, uint32_t number, const hp_filter *filter) {
  if (filter == NULL) return;
  size_t mark = hp_write_begin(writer, number);
  for (size_t i = 0; i < filter->node_count && writer->fault == HP_ERROR_NONE; i++) {
    const hp_filter_node *node = &filter->nodes[i];
    size_t inner = hp_write_begin(writer, 1);
    hp_write_uint(writer, 1, (uint64_t)node->op);
    hp_write_text(writer, 2, node->column);
    for (size_t j = 0; j < node->cell_count && writer->fault == HP_ERROR_NONE; j++) {
      hp_write_cell(writer, 3, &node->cells[j], false);
    }
    if (node->folded) hp_write_bool(writer, 4, true);
    hp_write_end(writer, inner);
  }
  hp_write_end(writer, mark);
}

void hp_write_sort(hp_writer *writer, uint32_t number, const hp_sort *sort) {
  size_t mark = hp_write_begin(writer, number);
  hp_write_name(writer, 1, sort->column, "a sort names no column");
  if (sort->descending) hp_write_bool(writer, 2, true);
  if (sort->folded) hp_write_bool(writer, 3, true);
  hp_write_end(writer, mark);
}

void hp_write_animation(hp_writer *writer, uint32_t number, hp_animation animation) {
  if (animation == HP_ANIMATION_DEFAULT) return;
  hp_write_uint(writer, number, (uint64_t)animation);
}
