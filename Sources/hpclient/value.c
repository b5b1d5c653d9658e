#include "internal.h"

#include <string.h>

const hp_cell *hp_row_cell(const hp_row *row, uint64_t column) {
  /* Cells stand by rising column id. */
  size_t low = 0;
  size_t high = row->cell_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (row->cells[middle].column < column) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < row->cell_count && row->cells[low].column == column ? &row->cells[low] : NULL;
}

const hp_column *hp_table_column(const hp_table_info *table, const char *name) {
  for (size_t i = 0; i < table->column_count; i++) {
    if (strcmp(table->columns[i].name, name) == 0) return &table->columns[i];
  }
  return NULL;
}

const hp_column *hp_table_column_with_id(const hp_table_info *table, uint64_t id) {
  for (size_t i = 0; i < table->column_count; i++) {
    if (table->columns[i].id == id) return &table->columns[i];
  }
  return NULL;
}
