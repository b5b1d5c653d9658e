#include "live.h"

#include <string.h>

/*
 * A revision may come in parts (contract K2) and takes effect at its last one. Until then its lists
 * are collected here: rows as the images they will be, all else as structs whose texts lie in an
 * arena. The lists keep their memory from revision to revision.
 */

#define EACH_STAGE_LIST(X)                             \
  X(delete_sections, delete_section_count, hp_id_run) \
  X(insert_sections, insert_section_count, hp_id_run) \
  X(move_sections, move_section_count, hp_section_move) \
  X(reload_sections, reload_section_count, hp_section_reload) \
  X(deletes, delete_count, hp_row_run) \
  X(inserts, insert_count, hp_row_run) \
  X(moves, move_count, hp_row_move) \
  X(reloads, reload_count, hp_row_reload) \
  X(contents, content_count, hp_row_run)               \
  X(section_animations, section_animation_count, hp_section_animation)

#define EACH_LIST(X) \
  X(images, hp_image *) \
  X(sections, hp_section) \
  X(columns, hp_column) \
  X(deleted, hp_id_run) \
  X(policies, hp_row_policy) \
  X(rows, uint64_t) \
  X(section_numbers, uint64_t)

void hp_pending_clear(const hp_allocator *allocator, hp_pending *pending, hp_state *state) {
  hp_image **images = pending->images.items;
  for (size_t i = 0; i < pending->images.count; i++) {
    if (images[i] != NULL) hp_image_free(&state->pool, images[i]);
  }
  for (size_t kind = 0; kind < 3; kind++) {
    hp_pending_stage *stage = &pending->stages[kind];
#define X(list, n, type) hp_list_clear(allocator, &stage->list, sizeof(type));
    EACH_STAGE_LIST(X)
#undef X
  }
#define X(list, type) hp_list_clear(allocator, &pending->list, sizeof(type));
  EACH_LIST(X)
#undef X
  if (pending->arena != NULL) hp_arena_reset(pending->arena);
  pending->begun = false;
  pending->touched = false;
  pending->name = NULL;
  pending->header = NULL;
  pending->footer = NULL;
  pending->policy = NULL;
  memset(&pending->update, 0, sizeof pending->update);
}

void hp_pending_free(const hp_allocator *allocator, hp_pending *pending, hp_state *state) {
  hp_pending_clear(allocator, pending, state);
  for (size_t kind = 0; kind < 3; kind++) {
    hp_pending_stage *stage = &pending->stages[kind];
#define X(list, n, type) hp_list_free(allocator, &stage->list);
    EACH_STAGE_LIST(X)
#undef X
  }
#define X(list, type) hp_list_free(allocator, &pending->list);
  EACH_LIST(X)
#undef X
  hp_arena_free(pending->arena);
  pending->arena = NULL;
}

static bool add_stage(const hp_allocator *allocator, hp_pending *pending, const hp_stage *from) {
  hp_pending_stage *stage = &pending->stages[from->kind - HP_STAGE_MAIN];
  size_t before = stage->reloads.count;
#define X(list, n, type) \
  if (!hp_list_add(allocator, &stage->list, from->list, from->n, sizeof(type))) return false;
  EACH_STAGE_LIST(X)
#undef X
  hp_maker maker = {pending->arena, NULL, HP_ERROR_NONE, ""};
  hp_row_reload *reloads = stage->reloads.items;
  for (size_t i = before; i < stage->reloads.count; i++) {
    hp_row_reload *reload = &reloads[i];
    const uint64_t *columns = reload->columns;
    uint64_t *kept = hp_make_array(&maker, reload->column_count, sizeof *kept);
    if (kept != NULL) memcpy(kept, columns, reload->column_count * sizeof *kept);
    reload->columns = kept;
  }
  return maker.fault == HP_ERROR_NONE;
}

static bool add_rows(const hp_allocator *allocator, hp_pending *pending, hp_state *state,
                     const hp_table_change *part) {
  if (!hp_list_reserve(allocator, &pending->images, part->row_count, sizeof(hp_image *)) ||
      !hp_list_reserve(allocator, &pending->rows, part->row_count, sizeof(uint64_t))) {
    return false;
  }
  for (size_t i = 0; i < part->row_count; i++) {
    hp_image *image = hp_image_make(&state->pool, &part->rows[i]);
    if (image == NULL) return false;
    ((hp_image **)pending->images.items)[pending->images.count++] = image;
    ((uint64_t *)pending->rows.items)[pending->rows.count++] = image->id;
  }
  return true;
}

static bool add_records(const hp_allocator *allocator, hp_pending *pending,
                        const hp_table_change *part) {
  hp_maker maker = {pending->arena, NULL, HP_ERROR_NONE, ""};
  if (!hp_list_reserve(allocator, &pending->sections, part->section_count, sizeof(hp_section)) ||
      !hp_list_reserve(allocator, &pending->section_numbers, part->section_count,
                       sizeof(uint64_t)) ||
      !hp_list_reserve(allocator, &pending->policies, part->row_policy_count,
                       sizeof(hp_row_policy)) ||
      !hp_list_reserve(allocator, &pending->columns, part->column_count, sizeof(hp_column))) {
    return false;
  }
  for (size_t i = 0; i < part->section_count; i++) {
    hp_keep_section(&maker, &((hp_section *)pending->sections.items)[pending->sections.count++],
                    &part->sections[i]);
    ((uint64_t *)pending->section_numbers.items)[pending->section_numbers.count++] =
        part->sections[i].id;
  }
  for (size_t i = 0; i < part->column_count; i++) {
    hp_keep_column(&maker, &((hp_column *)pending->columns.items)[pending->columns.count++],
                   &part->columns[i]);
  }
  for (size_t i = 0; i < part->row_policy_count; i++) {
    const hp_row_policy *from = &part->row_policies[i];
    hp_row_policy kept = {from->row, hp_keep_policy(&maker, from->policy)};
    ((hp_row_policy *)pending->policies.items)[pending->policies.count++] = kept;
  }
  if (part->name != NULL) pending->name = hp_make_text(&maker, part->name);
  if (part->header != NULL) pending->header = hp_keep_header_footer(&maker, part->header);
  if (part->footer != NULL) pending->footer = hp_keep_header_footer(&maker, part->footer);
  if (part->policy != NULL) pending->policy = hp_keep_policy(&maker, part->policy);
  return maker.fault == HP_ERROR_NONE &&
         hp_list_add(allocator, &pending->deleted, part->deleted, part->deleted_count,
                     sizeof(hp_id_run));
}

bool hp_pending_add(const hp_allocator *allocator, hp_pending *pending, hp_state *state,
                    const hp_event *event, uint64_t table) {
  const hp_change *change = event->change;
  if (pending->arena == NULL) pending->arena = hp_arena_new(allocator, 1024);
  if (pending->arena == NULL) return false;
  hp_update *update = &pending->update;
  hp_maker maker = {pending->arena, NULL, HP_ERROR_NONE, ""};
  if (!pending->begun) {
    pending->begun = true;
    pending->from = event->from;
    update->from = event->from;
    update->revision = change->revision;
    update->time = change->time;
    update->uid = change->uid;
    update->client = change->client;
    update->request = change->request;
    update->undoes = change->undoes;
    update->redoes = change->redoes;
    update->actor = hp_make_text(&maker, change->actor);
    update->cause = hp_make_text(&maker, change->cause);
    update->cause_row = change->cause_row;
    pending->schema_revision = state->info.schema_revision;
  }
  pending->part = event->part;
  for (size_t i = 0; i < change->table_count && maker.fault == HP_ERROR_NONE; i++) {
    const hp_table_change *part = &change->tables[i];
    if (part->table != table) continue;
    pending->touched = true;
    if (part->event != HP_TABLE_CHANGED) update->event = part->event;
    if (part->schema_revision != 0) pending->schema_revision = part->schema_revision;
    update->columns_changed |= part->columns_changed;
    update->headers_changed |= part->headers_changed;
    update->policy_changed |= part->policy_changed;
    for (size_t j = 0; j < part->stage_count; j++) {
      if (!add_stage(allocator, pending, &part->stages[j])) return false;
    }
    if (!add_rows(allocator, pending, state, part) || !add_records(allocator, pending, part)) {
      return false;
    }
  }
  return maker.fault == HP_ERROR_NONE;
}

void hp_pending_close(hp_pending *pending) {
  hp_update *update = &pending->update;
  size_t count = 0;
  for (size_t kind = 0; kind < 3; kind++) {
    const hp_pending_stage *stage = &pending->stages[kind];
    hp_stage *told = &pending->told[count];
    memset(told, 0, sizeof *told);
    told->kind = (hp_stage_kind)(kind + HP_STAGE_MAIN);
    size_t total = 0;
#define X(list, n, type)           \
  told->list = stage->list.items;  \
  told->n = stage->list.count;     \
  total += stage->list.count;
    EACH_STAGE_LIST(X)
#undef X
    if (total > 0) count += 1;
  }
  update->stages = pending->told;
  update->stage_count = count;
  update->rows = pending->rows.items;
  update->row_count = pending->rows.count;
  update->sections = pending->section_numbers.items;
  update->section_count = pending->section_numbers.count;
  update->row_policies = pending->policies.items;
  update->row_policy_count = pending->policies.count;
  update->deleted = pending->deleted.items;
  update->deleted_count = pending->deleted.count;
}
