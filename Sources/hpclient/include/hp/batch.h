/*
 * A batch: operations that change one table, all or nothing, at most one revision (SPEC 3).
 *
 * A builder encodes each operation as it is added. Its functions return false when the operation
 * could not be added (bad text, no memory, one operation larger than a frame may be); the builder
 * then stays broken, adds nothing more, and sending it fails with that error. So the results may be
 * ignored until the send.
 *
 * A batch may be of any size. One that does not fit a frame is sent in parts as the server takes
 * them, and is applied whole at its end (contract K2). It may be changed and freed as soon as the
 * send has returned: what is on its way is shared, not copied.
 *
 * In HP_SEQUENCE mode operations apply in order and address rows by id, handle, anchor or path;
 * in HP_TRANSITION mode all paths and indices describe one old and one new table. Paths need a
 * basis (contract E2).
 */
#ifndef HP_BATCH_H
#define HP_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hp/async.h"
#include "hp/compiler.h"
#include "hp/error.h"
#include "hp/value.h"

HP_BEGIN_DECLS

typedef struct hp_batch hp_batch;

typedef enum hp_batch_mode { HP_SEQUENCE = 0, HP_TRANSITION = 1 } hp_batch_mode;

/** Makes an empty batch in HP_SEQUENCE mode. The name in `table` is copied. `allocator` NULL:
 * malloc and free. Returns NULL when memory runs out. Free it with hp_batch_free; sending does
 * not consume it. */
HP_API HP_CHECK hp_batch *hp_batch_new(hp_table_ref table, const hp_allocator *allocator);

/** Frees a batch. NULL is allowed. */
HP_API void hp_batch_free(hp_batch *batch);

/** Takes all operations, conditions and errors out; table, mode, basis and dry run stay. */
HP_API void hp_batch_clear(hp_batch *batch);

/** What broke the builder, never NULL (kind HP_ERROR_NONE: nothing). */
HP_API HP_PURE const hp_error *hp_batch_error(const hp_batch *batch);

/** How many operations it holds. */
HP_API HP_PURE size_t hp_batch_count(const hp_batch *batch);

/** How many bytes they take. A frame holds HP_FRAME_UP of them, and HP_FRAME_UP_ELEMENTS; a batch
 * that is larger goes out in parts. */
HP_API HP_PURE size_t hp_batch_size(const hp_batch *batch);

HP_API void hp_batch_set_mode(hp_batch *batch, hp_batch_mode mode);
HP_API void hp_batch_set_basis(hp_batch *batch, hp_basis basis);
/** The same checks and the same reply, nothing changed (contract E8). */
HP_API void hp_batch_set_dry_run(hp_batch *batch, bool dry_run);
/** Declares how many rows each section of the result has (contract E12); `count` 0: it has no
 * sections. */
HP_API bool hp_batch_set_section_counts(hp_batch *batch, const uint64_t *counts, size_t count);

/* Conditions. HP_FIRST: judged before the first operation; HP_NEXT: judged when the turn of the
 * next added operation comes (contract E4). */

typedef enum hp_when { HP_FIRST = 0, HP_NEXT = 1 } hp_when;

HP_API bool hp_batch_require_row(hp_batch *batch, hp_when when, hp_row_ref row);
HP_API bool hp_batch_require_no_row(hp_batch *batch, hp_when when, hp_row_ref row);
HP_API bool hp_batch_require_revision(hp_batch *batch, hp_when when, hp_row_ref row,
                                      uint64_t revision);
HP_API bool hp_batch_require_cell(hp_batch *batch, hp_when when, hp_row_ref row, hp_cell cell);
HP_API bool hp_batch_require_section_count(hp_batch *batch, hp_when when, hp_section_ref section,
                                           uint64_t rows);
HP_API bool hp_batch_require_section_total(hp_batch *batch, hp_when when, uint64_t sections);
/** For move many, update where and delete where: how many rows the filter has to match. */
HP_API bool hp_batch_require_matched(hp_batch *batch, hp_when when, uint64_t rows);

/* Rows. */

HP_API bool hp_batch_insert_row(hp_batch *batch, hp_place at, const hp_cell *cells, size_t count);
/** As hp_batch_insert_row, with a handle and an animation. */
HP_API bool hp_batch_insert_new_row(hp_batch *batch, hp_place at, const hp_new_row *row,
                                    hp_animation animation);
HP_API bool hp_batch_delete_row(hp_batch *batch, hp_row_ref row, hp_animation animation);
HP_API bool hp_batch_move_row(hp_batch *batch, hp_row_ref row, hp_place to);
/** A cell of kind HP_NULL sets null. */
HP_API bool hp_batch_update_row(hp_batch *batch, hp_row_ref row, const hp_cell *cells,
                                size_t count);
/** Reloads a row, with new cells if there are any. */
HP_API bool hp_batch_reload_row(hp_batch *batch, hp_row_ref row, const hp_cell *cells, size_t count,
                                hp_animation animation);
/** Inserts, or updates the row that has this value in the unique column named `column`. */
HP_API bool hp_batch_upsert(hp_batch *batch, const char *column, const hp_new_row *row,
                            hp_place at);
/** Adds to an integer or decimal cell; `floor` and `ceiling` may be NULL. */
HP_API bool hp_batch_add_to_cell(hp_batch *batch, hp_row_ref row, hp_cell amount,
                                 const int64_t *floor, const int64_t *ceiling);

/* Many rows. */

HP_API bool hp_batch_move_ids(hp_batch *batch, const uint64_t *ids, size_t count, hp_place to);
HP_API bool hp_batch_move_run(hp_batch *batch, hp_id_run run, hp_place to);
HP_API bool hp_batch_move_where(hp_batch *batch, const hp_filter *filter, hp_place to);
HP_API bool hp_batch_delete_where(hp_batch *batch, const hp_filter *filter);
HP_API bool hp_batch_update_where(hp_batch *batch, const hp_filter *filter, const hp_cell *cells,
                                  size_t count);
HP_API bool hp_batch_sort_section(hp_batch *batch, hp_section_ref section, const hp_sort *by,
                                  size_t count);

/* Sections. */

/** A section to be made. All of it may be zero: untitled and empty. */
typedef struct hp_new_section {
  const char *title;
  const hp_new_row *rows;
  size_t row_count;
  uint64_t as; /**< handle for later operations of the same batch; 0: none */
  const hp_header_footer *header;
  const hp_header_footer *footer;
} hp_new_section;

HP_API bool hp_batch_insert_section(hp_batch *batch, hp_section_place at,
                                    const hp_new_section *section, hp_animation animation);
HP_API bool hp_batch_delete_section(hp_batch *batch, hp_section_ref section,
                                    hp_animation animation);
HP_API bool hp_batch_move_section(hp_batch *batch, hp_section_ref section, hp_section_place to);
/** `title` NULL: untitled. */
HP_API bool hp_batch_retitle_section(hp_batch *batch, hp_section_ref section, const char *title);
/** Without rows: keeps its rows. */
HP_API bool hp_batch_reload_section(hp_batch *batch, hp_section_ref section,
                                    hp_animation animation);
/** With rows: the old ones are deleted, these are new ones. */
HP_API bool hp_batch_reload_section_rows(hp_batch *batch, hp_section_ref section,
                                         const hp_new_row *rows, size_t count,
                                         hp_animation animation);
/** `section` hp_section_none(): the table's own. `value` NULL: removed. */
HP_API bool hp_batch_set_header(hp_batch *batch, hp_section_ref section,
                                const hp_header_footer *value);
HP_API bool hp_batch_set_footer(hp_batch *batch, hp_section_ref section,
                                const hp_header_footer *value);

/* Columns. */

/** `before` NULL: last. The id in `column` is not sent. */
HP_API bool hp_batch_add_column(hp_batch *batch, const hp_column *column, const char *before);
HP_API bool hp_batch_rename_column(hp_batch *batch, const char *column, const char *name);
HP_API bool hp_batch_move_column(hp_batch *batch, const char *column, uint64_t index);
HP_API bool hp_batch_drop_column(hp_batch *batch, const char *column);

/* Policies. Set: what `policy` does not say stays as it is at that level; NULL: the level has none
 * any more. Replace: the level has exactly this one. */

HP_API bool hp_batch_replace_table_policy(hp_batch *batch, const hp_policy *policy);
HP_API bool hp_batch_replace_section_policy(hp_batch *batch, hp_section_ref section,
                                            const hp_policy *policy);
HP_API bool hp_batch_replace_row_policy(hp_batch *batch, hp_row_ref row, const hp_policy *policy);
HP_API bool hp_batch_set_table_policy(hp_batch *batch, const hp_policy *policy);
HP_API bool hp_batch_set_section_policy(hp_batch *batch, hp_section_ref section,
                                        const hp_policy *policy);
/** The last line of a section that is not a row (contract E11). `sentinel` NULL: taken away. */
HP_API bool hp_batch_set_sentinel(hp_batch *batch, hp_section_ref section,
                                  const hp_sentinel *sentinel);
HP_API bool hp_batch_set_row_policy(hp_batch *batch, hp_row_ref row, const hp_policy *policy);

HP_END_DECLS

#endif
