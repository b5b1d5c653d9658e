/*
 * What a store holds, as plain structs: tables, columns, sections, rows, cells; and how a
 * request names them.
 *
 * Given to the library, the structs belong to the caller and are read during the call only. Got
 * from the library, they belong to the reply or event they came in and live as long as it does.
 * All text is UTF-8 without inner NUL. A text that is absent is NULL.
 */
#ifndef HP_VALUE_H
#define HP_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hp/compiler.h"

HP_BEGIN_DECLS

/** A point in a store's history. {0, 0} stands for none. */
typedef struct hp_cursor {
  uint64_t epoch;
  uint64_t revision;
} hp_cursor;

/** An index path; both indices count from 0. */
typedef struct hp_path {
  uint64_t section;
  uint64_t row;
} hp_path;

/** Numbers first, first + 1, … first + count - 1: row ids, section ids or section indices. */
typedef struct hp_id_run {
  uint64_t first;
  uint64_t count;
} hp_id_run;

/** Kind of a cell or of a column (a column is never HP_NULL). */
typedef enum hp_kind {
  HP_NULL = 0,
  HP_TEXT = 1,
  HP_INTEGER = 2,
  HP_DECIMAL = 3,   /**< counts the smallest unit: 39.95 at scale 2 is 3995 */
  HP_DATE = 4,      /**< days since 1970-01-01 */
  HP_TIMESTAMP = 5, /**< microseconds since 1970-01-01T00:00:00Z */
  HP_BOOLEAN = 6    /**< number is 0 or 1 */
} hp_kind;

/** One value in one column. In requests a column is named by `column` (its id) or, where that is
 * 0, by `column_name`. In rows that came from the server `column_name` is NULL. */
typedef struct hp_cell {
  uint64_t column;
  const char *column_name;
  hp_kind kind;
  const char *text; /**< HP_TEXT only */
  int64_t number;   /**< every other kind */
} hp_cell;

/** A row: cells that are not null, by rising column id. */
typedef struct hp_row {
  uint64_t id;
  uint64_t revision; /**< the last one that changed its cells */
  const hp_cell *cells;
  size_t cell_count;
  bool placed;      /**< `path` and `section` are known (replies to reads) */
  hp_path path;
  uint64_t section; /**< id of its section */
} hp_row;

/** A row to be made. Cells that are absent take their column's default. */
typedef struct hp_new_row {
  const hp_cell *cells;
  size_t cell_count;
  uint64_t as; /**< handle for later operations of the same batch; 0: none */
} hp_new_row;

typedef struct hp_column {
  uint64_t id;
  const char *name;
  hp_kind kind;
  bool required;
  bool unique;
  bool read_only;
  bool default_now;          /**< dates and timestamps: the time of the insert */
  uint32_t scale;            /**< decimals, 0 to 9 */
  const char *currency;      /**< decimals */
  const hp_cell *default_value;
  const hp_cell *fill;       /**< read where an older row has no value */
} hp_column;

/** A header or footer: of a section or of the whole table. */
typedef struct hp_header_footer {
  const char *title;
  const char *view;  /**< name of a .xib file in the bundle */
  bool has_height;   /**< false: automatic */
  double height;     /**< points; 0: hidden */
  const char *owner; /**< class that owns the view; NULL: none */
  const char *language; /**< of the view, or NULL */
} hp_header_footer;

/** The last line of a section that is not a row ("No more items!"). */
typedef struct hp_sentinel {
  const char *text;
  bool has_height;
  double height;
} hp_sentinel;

typedef struct hp_section {
  uint64_t id;
  const char *title;              /**< NULL: untitled */
  const hp_header_footer *header; /**< NULL: none */
  const hp_header_footer *footer;
  const hp_sentinel *sentinel;
  uint64_t index;
  uint64_t rows; /**< how many rows it has; 0 where the message does not tell */
  const struct hp_policy *policy; /**< NULL: none set */
} hp_section;

/** Yes, no, or not said here and taken from the level above. Zeroed structs are inherited. */
typedef enum hp_choice { HP_INHERITED = 0, HP_NO = 1, HP_YES = 2 } hp_choice;

typedef enum hp_editing_style {
  HP_STYLE_INHERITED = 0,
  HP_STYLE_NONE = 1,
  HP_STYLE_DELETE = 2,
  HP_STYLE_INSERT = 3
} hp_editing_style;

typedef enum hp_drop_rule {
  HP_DROP_INHERITED = 0,
  HP_DROP_ANYWHERE = 1,
  HP_DROP_SAME_SECTION = 2
} hp_drop_rule;

/** What may be done to a table, a section or a row by hand. */
typedef struct hp_policy {
  hp_choice can_edit;
  hp_choice can_move;
  hp_editing_style editing_style;
  const char *delete_title;
  hp_choice indent_while_editing;
  hp_choice allows_selection;
  hp_choice allows_selection_during_editing;
  hp_choice allows_multiple_selection;
  hp_choice allows_multiple_selection_during_editing;
  hp_drop_rule drop;
  hp_choice writes_only_while_holding;
} hp_policy;

/** A row's own policy; NULL: it has none any more. */
typedef struct hp_row_policy {
  uint64_t row;
  const hp_policy *policy;
} hp_row_policy;

typedef struct hp_table_info {
  uint64_t id;
  const char *name;
  uint64_t schema_revision;
  uint64_t last_changed; /**< the last revision that changed this table */
  const hp_column *columns;
  size_t column_count;
  const hp_section *sections;
  size_t section_count;
  const hp_header_footer *header;
  const hp_header_footer *footer;
  uint64_t rows;
  const hp_policy *policy; /**< NULL: none set */
} hp_table_info;

/** The cell of `row` in a column, or NULL when it is null there. Lives as long as the row. */
HP_API HP_PURE const hp_cell *hp_row_cell(const hp_row *row, uint64_t column);

/** The column of that name (bytes compared), or NULL. Lives as long as the table's struct. */
HP_API HP_PURE const hp_column *hp_table_column(const hp_table_info *table, const char *name);

/** The column of that id, or NULL. */
HP_API HP_PURE const hp_column *hp_table_column_with_id(const hp_table_info *table, uint64_t id);

/* How a request names things. */

/** A table by id, or by name where id is 0. {0, NULL}: all tables, where a request allows that. */
typedef struct hp_table_ref {
  uint64_t id;
  const char *name;
} hp_table_ref;

typedef enum hp_ref_by {
  HP_BY_NOTHING = 0,
  HP_BY_ID = 1,
  HP_BY_HANDLE = 2, /**< given by `as` of an earlier operation of the batch */
  HP_BY_PATH = 3,   /**< rows: an index path; sections: an index */
  HP_BY_TITLE = 4   /**< sections only */
} hp_ref_by;

typedef struct hp_row_ref {
  hp_ref_by by;
  uint64_t number; /**< id or handle */
  hp_path path;
} hp_row_ref;

typedef struct hp_section_ref {
  hp_ref_by by;
  uint64_t number; /**< id, handle or index */
  const char *title;
} hp_section_ref;

typedef enum hp_place_at {
  HP_AT_DEFAULT = 0, /**< rows: last of the last section; sections: last */
  HP_AT_PATH = 1,    /**< sections: `path.section` is the index */
  HP_AT_BEFORE = 2,
  HP_AT_AFTER = 3,
  HP_AT_FIRST_OF = 4,
  HP_AT_LAST_OF = 5
} hp_place_at;

/** Where a row goes. */
typedef struct hp_place {
  hp_place_at at;
  hp_path path;
  hp_row_ref row;         /**< HP_AT_BEFORE, HP_AT_AFTER */
  hp_section_ref section; /**< HP_AT_FIRST_OF, HP_AT_LAST_OF */
} hp_place;

/** Where a section goes: HP_AT_DEFAULT, HP_AT_PATH (`index`), HP_AT_BEFORE or HP_AT_AFTER. */
typedef struct hp_section_place {
  hp_place_at at;
  uint64_t index;
  hp_section_ref section;
} hp_section_place;

typedef enum hp_basis_kind {
  HP_BASIS_NONE = 0,    /**< no paths in the request (a path without a basis is refused) */
  HP_BASIS_CURRENT = 1, /**< paths as they are when applied */
  HP_BASIS_AT = 2,      /**< as they were at `cursor`; STALE if the table changed since */
  HP_BASIS_REBASE = 3   /**< as they were at `cursor`, carried to now (contract E3) */
} hp_basis_kind;

/** What paths and section indices mean (contract E2). */
typedef struct hp_basis {
  hp_basis_kind kind;
  hp_cursor cursor;
} hp_basis;

typedef enum hp_operator {
  HP_EQUAL = 1,
  HP_NOT_EQUAL = 2,
  HP_LESS = 3,
  HP_LESS_OR_EQUAL = 4,
  HP_GREATER = 5,
  HP_GREATER_OR_EQUAL = 6,
  HP_PREFIX = 7,
  HP_CONTAINS = 8,
  HP_IN = 9,
  HP_IS_NULL = 10,
  HP_AND = 11,
  HP_OR = 12,
  HP_NOT = 13
} hp_operator;

/** One node of a filter. AND and OR join the two nodes before them, NOT turns the one before. */
typedef struct hp_filter_node {
  hp_operator op;
  const char *column;   /**< NULL for AND, OR, NOT */
  const hp_cell *cells; /**< what is compared with: one cell; HP_IN any number */
  size_t cell_count;
  bool folded;          /**< ignoring case and composed accents */
} hp_filter_node;

/** A filter in postfix order, at most 256 nodes. No nodes: every row. */
typedef struct hp_filter {
  const hp_filter_node *nodes;
  size_t node_count;
} hp_filter;

typedef struct hp_sort {
  const char *column;
  bool descending;
  bool folded;
} hp_sort;

/** UIKit's values; HP_ANIMATION_DEFAULT sends none. */
typedef enum hp_animation {
  HP_ANIMATION_DEFAULT = -1,
  HP_ANIMATION_FADE = 0,
  HP_ANIMATION_RIGHT = 1,
  HP_ANIMATION_LEFT = 2,
  HP_ANIMATION_TOP = 3,
  HP_ANIMATION_BOTTOM = 4,
  HP_ANIMATION_NONE = 5,
  HP_ANIMATION_MIDDLE = 6,
  HP_ANIMATION_AUTOMATIC = 100
} hp_animation;

/* Shorthands. Texts are not copied: they have to live until the call that uses the struct. */

static inline hp_cell hp_cell_make(const char *column, hp_kind kind, const char *text,
                                   int64_t number) {
  hp_cell cell;
  cell.column = 0;
  cell.column_name = column;
  cell.kind = kind;
  cell.text = text;
  cell.number = number;
  return cell;
}
static inline hp_cell hp_cell_text(const char *column, const char *text) {
  return hp_cell_make(column, HP_TEXT, text, 0);
}
static inline hp_cell hp_cell_integer(const char *column, int64_t value) {
  return hp_cell_make(column, HP_INTEGER, NULL, value);
}
static inline hp_cell hp_cell_decimal(const char *column, int64_t smallest_units) {
  return hp_cell_make(column, HP_DECIMAL, NULL, smallest_units);
}
static inline hp_cell hp_cell_date(const char *column, int64_t days) {
  return hp_cell_make(column, HP_DATE, NULL, days);
}
static inline hp_cell hp_cell_timestamp(const char *column, int64_t microseconds) {
  return hp_cell_make(column, HP_TIMESTAMP, NULL, microseconds);
}
static inline hp_cell hp_cell_boolean(const char *column, bool value) {
  return hp_cell_make(column, HP_BOOLEAN, NULL, value ? 1 : 0);
}
static inline hp_cell hp_cell_null(const char *column) {
  return hp_cell_make(column, HP_NULL, NULL, 0);
}
/** The same value, its column named by id. */
static inline hp_cell hp_cell_in(uint64_t column, hp_cell cell) {
  cell.column = column;
  cell.column_name = NULL;
  return cell;
}

static inline hp_table_ref hp_table_named(const char *name) {
  hp_table_ref ref;
  ref.id = 0;
  ref.name = name;
  return ref;
}
static inline hp_table_ref hp_table_with_id(uint64_t id) {
  hp_table_ref ref;
  ref.id = id;
  ref.name = NULL;
  return ref;
}
static inline hp_table_ref hp_table_all(void) { return hp_table_named(NULL); }

static inline hp_path hp_path_make(uint64_t section, uint64_t row) {
  hp_path path;
  path.section = section;
  path.row = row;
  return path;
}

static inline hp_row_ref hp_row_make(hp_ref_by by, uint64_t number, hp_path path) {
  hp_row_ref ref;
  ref.by = by;
  ref.number = number;
  ref.path = path;
  return ref;
}
static inline hp_row_ref hp_row_id(uint64_t id) {
  return hp_row_make(HP_BY_ID, id, hp_path_make(0, 0));
}
static inline hp_row_ref hp_row_handle(uint64_t as) {
  return hp_row_make(HP_BY_HANDLE, as, hp_path_make(0, 0));
}
static inline hp_row_ref hp_row_at(uint64_t section, uint64_t row) {
  return hp_row_make(HP_BY_PATH, 0, hp_path_make(section, row));
}

static inline hp_section_ref hp_section_make(hp_ref_by by, uint64_t number, const char *title) {
  hp_section_ref ref;
  ref.by = by;
  ref.number = number;
  ref.title = title;
  return ref;
}
/** No section: the whole table, where a request allows that. */
static inline hp_section_ref hp_section_none(void) {
  return hp_section_make(HP_BY_NOTHING, 0, NULL);
}
static inline hp_section_ref hp_section_id(uint64_t id) {
  return hp_section_make(HP_BY_ID, id, NULL);
}
static inline hp_section_ref hp_section_handle(uint64_t as) {
  return hp_section_make(HP_BY_HANDLE, as, NULL);
}
static inline hp_section_ref hp_section_at(uint64_t index) {
  return hp_section_make(HP_BY_PATH, index, NULL);
}
static inline hp_section_ref hp_section_titled(const char *title) {
  return hp_section_make(HP_BY_TITLE, 0, title);
}

static inline hp_place hp_place_make(hp_place_at at, hp_path path, hp_row_ref row,
                                     hp_section_ref section) {
  hp_place place;
  place.at = at;
  place.path = path;
  place.row = row;
  place.section = section;
  return place;
}
static inline hp_place hp_place_default(void) {
  return hp_place_make(HP_AT_DEFAULT, hp_path_make(0, 0), hp_row_id(0), hp_section_none());
}
static inline hp_place hp_place_path(uint64_t section, uint64_t row) {
  return hp_place_make(HP_AT_PATH, hp_path_make(section, row), hp_row_id(0), hp_section_none());
}
static inline hp_place hp_place_before(hp_row_ref row) {
  return hp_place_make(HP_AT_BEFORE, hp_path_make(0, 0), row, hp_section_none());
}
static inline hp_place hp_place_after(hp_row_ref row) {
  return hp_place_make(HP_AT_AFTER, hp_path_make(0, 0), row, hp_section_none());
}
static inline hp_place hp_place_first_of(hp_section_ref section) {
  return hp_place_make(HP_AT_FIRST_OF, hp_path_make(0, 0), hp_row_id(0), section);
}
static inline hp_place hp_place_last_of(hp_section_ref section) {
  return hp_place_make(HP_AT_LAST_OF, hp_path_make(0, 0), hp_row_id(0), section);
}

static inline hp_section_place hp_section_place_make(hp_place_at at, uint64_t index,
                                                     hp_section_ref section) {
  hp_section_place place;
  place.at = at;
  place.index = index;
  place.section = section;
  return place;
}
static inline hp_section_place hp_section_place_default(void) {
  return hp_section_place_make(HP_AT_DEFAULT, 0, hp_section_none());
}
static inline hp_section_place hp_section_place_index(uint64_t index) {
  return hp_section_place_make(HP_AT_PATH, index, hp_section_none());
}
static inline hp_section_place hp_section_place_before(hp_section_ref section) {
  return hp_section_place_make(HP_AT_BEFORE, 0, section);
}
static inline hp_section_place hp_section_place_after(hp_section_ref section) {
  return hp_section_place_make(HP_AT_AFTER, 0, section);
}

static inline hp_basis hp_basis_make(hp_basis_kind kind, hp_cursor cursor) {
  hp_basis basis;
  basis.kind = kind;
  basis.cursor = cursor;
  return basis;
}
static inline hp_basis hp_basis_none(void) {
  hp_cursor none;
  none.epoch = 0;
  none.revision = 0;
  return hp_basis_make(HP_BASIS_NONE, none);
}
static inline hp_basis hp_basis_current(void) {
  hp_basis basis = hp_basis_none();
  basis.kind = HP_BASIS_CURRENT;
  return basis;
}
static inline hp_basis hp_basis_at(hp_cursor cursor) { return hp_basis_make(HP_BASIS_AT, cursor); }
static inline hp_basis hp_basis_rebase(hp_cursor cursor) {
  return hp_basis_make(HP_BASIS_REBASE, cursor);
}

HP_END_DECLS

#endif
