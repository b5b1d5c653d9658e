/*
 * A transition: operations by index paths that describe one old and one new table (contract E12).
 *
 * The order of the calls means nothing. What is deleted, reloaded or moved away is named by its
 * place in the old table, what is inserted or moved in by its place in the new one; what is not
 * named keeps its order and fills the places left. A batch that contradicts itself is refused as a
 * whole, with a code that says how and both paths.
 *
 *   hp_batch *batch = hp_batch_new(hp_table_named("items"), NULL);
 *   hp_transition_begin(batch, hp_basis_current());
 *   hp_transition_delete_row(batch, 0, 4);
 *   hp_transition_insert_row(batch, 0, 0, &name, 1);
 *   hp_transition_move_row(batch, 0, 1, 1, 0);
 *
 * These are short forms of the functions in hp/batch.h, whose results they return; anything else
 * there may be mixed in.
 */
#ifndef HP_TRANSITION_H
#define HP_TRANSITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hp/batch.h"
#include "hp/compiler.h"
#include "hp/value.h"

HP_BEGIN_DECLS

/** Makes a batch a transition. `basis`: what its old paths mean, hp_basis_current() or
 * hp_basis_at(cursor). */
static inline void hp_transition_begin(hp_batch *batch, hp_basis basis) {
  hp_batch_set_mode(batch, HP_TRANSITION);
  hp_batch_set_basis(batch, basis);
}

static inline bool hp_transition_insert_row(hp_batch *batch, uint64_t section, uint64_t row,
                                            const hp_cell *cells, size_t count) {
  return hp_batch_insert_row(batch, hp_place_path(section, row), cells, count);
}

static inline bool hp_transition_delete_row(hp_batch *batch, uint64_t section, uint64_t row) {
  return hp_batch_delete_row(batch, hp_row_at(section, row), HP_ANIMATION_DEFAULT);
}

/** From the old table's (section, row) to the new one's. */
static inline bool hp_transition_move_row(hp_batch *batch, uint64_t section, uint64_t row,
                                          uint64_t to_section, uint64_t to_row) {
  return hp_batch_move_row(batch, hp_row_at(section, row), hp_place_path(to_section, to_row));
}

/** With new cells, if there are any. The row may be moved as well. */
static inline bool hp_transition_reload_row(hp_batch *batch, uint64_t section, uint64_t row,
                                            const hp_cell *cells, size_t count) {
  return hp_batch_reload_row(batch, hp_row_at(section, row), cells, count, HP_ANIMATION_DEFAULT);
}

/** With all its rows; `made` may be zero but must be there. */
static inline bool hp_transition_insert_section(hp_batch *batch, uint64_t section,
                                                const hp_new_section *made) {
  return hp_batch_insert_section(batch, hp_section_place_index(section), made,
                                 HP_ANIMATION_DEFAULT);
}

static inline bool hp_transition_delete_section(hp_batch *batch, uint64_t section) {
  return hp_batch_delete_section(batch, hp_section_at(section), HP_ANIMATION_DEFAULT);
}

static inline bool hp_transition_move_section(hp_batch *batch, uint64_t section, uint64_t to) {
  return hp_batch_move_section(batch, hp_section_at(section), hp_section_place_index(to));
}

/** With the rows it has. */
static inline bool hp_transition_reload_section(hp_batch *batch, uint64_t section) {
  return hp_batch_reload_section(batch, hp_section_at(section), HP_ANIMATION_DEFAULT);
}

/** With these rows instead of the ones it has. */
static inline bool hp_transition_reload_section_rows(hp_batch *batch, uint64_t section,
                                                     const hp_new_row *rows, size_t count) {
  return hp_batch_reload_section_rows(batch, hp_section_at(section), rows, count,
                                      HP_ANIMATION_DEFAULT);
}

HP_END_DECLS

#endif
