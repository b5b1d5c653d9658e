#include <string.h>

#include "make.h"

/*
 * A revision may come in parts (contract K2), joined here by their bytes: then one table stands
 * in several TableChange messages and one stage in several Stage messages. What belongs together
 * is put into one struct again.
 */

static hp_animation animation_of(protobuf_c_boolean has, Hp__V1__Animation animation) {
  return has ? (hp_animation)animation : HP_ANIMATION_DEFAULT;
}

static void make_row_run(hp_maker *maker, const void *message, void *made) {
  (void)maker;
  const Hp__V1__RowRun *from = message;
  hp_row_run *run = made;
  run->section = from->section;
  run->row = from->row;
  run->count = from->count;
  run->id = from->id;
  run->moved = from->moved;
  run->animation = animation_of(from->has_animation, from->animation);
}

static void make_row_move(hp_maker *maker, const void *message, void *made) {
  (void)maker;
  const Hp__V1__RowMove *from = message;
  hp_row_move *move = made;
  move->from.section = from->from_section;
  move->from.row = from->from_row;
  move->to.section = from->section;
  move->to.row = from->row;
  move->count = from->count;
  move->id = from->id;
}

static void make_row_reload(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__RowReload *from = message;
  hp_row_reload *reload = made;
  reload->old_path.section = from->old_section;
  reload->old_path.row = from->old_row;
  reload->path.section = from->section;
  reload->path.row = from->row;
  reload->id = from->id;
  reload->column_count = from->n_columns;
  reload->columns = hp_make_numbers(maker, from->columns, from->n_columns);
  reload->animation = animation_of(from->has_animation, from->animation);
}

static void make_section_move(hp_maker *maker, const void *message, void *made) {
  (void)maker;
  const Hp__V1__SectionMove *from = message;
  hp_section_move *move = made;
  move->from = from->from;
  move->to = from->to;
}

static void make_section_reload(hp_maker *maker, const void *message, void *made) {
  (void)maker;
  const Hp__V1__SectionReload *from = message;
  hp_section_reload *reload = made;
  reload->old_section = from->old_section;
  reload->section = from->section;
  reload->with_rows = from->with_rows;
  reload->animation = animation_of(from->has_animation, from->animation);
}

static void make_section_animation(hp_maker *maker, const void *message, void *made) {
  (void)maker;
  const Hp__V1__SectionAnimation *from = message;
  hp_section_animation *animation = made;
  animation->section = from->section;
  animation->inserted = from->inserted;
  animation->animation = animation_of(from->has_animation, from->animation);
}

/* One list that is spread over several messages: `list` is where its pointer lies in them,
 * `n` where its count lies. */
typedef struct spread {
  const void *const *messages;
  size_t count;
  size_t n;
  size_t list;
} spread;

static size_t count_at(const spread *from, size_t i) {
  return *(const size_t *)((const uint8_t *)from->messages[i] + from->n);
}

static const void *join(hp_maker *maker, spread from, size_t size, hp_make_one *make,
                        size_t *made_count) {
  size_t total = 0;
  for (size_t i = 0; i < from.count; i++) total += count_at(&from, i);
  uint8_t *made = hp_make_array(maker, total, size);
  *made_count = made == NULL ? 0 : total;
  uint8_t *next = made;
  for (size_t i = 0; made != NULL && i < from.count; i++) {
    size_t count = count_at(&from, i);
    const void *const *list =
        *(const void *const *const *)((const uint8_t *)from.messages[i] + from.list);
    for (size_t j = 0; j < count && maker->fault == HP_ERROR_NONE; j++, next += size) {
      make(maker, list[j], next);
    }
  }
  return made;
}

#define JOIN(maker, type, make, message_type, messages, count, member, made_count) \
  ((const type *)join((maker),                                                     \
                      (spread){(const void *const *)(messages), (count),           \
                               offsetof(message_type, n_##member),                 \
                               offsetof(message_type, member)},                    \
                      sizeof(type), (make), (made_count)))

static void make_stage(hp_maker *maker, Hp__V1__Stage *const *parts, size_t count,
                       hp_stage *stage) {
  stage->delete_sections = JOIN(maker, hp_id_run, hp_make_id_run, Hp__V1__Stage, parts, count,
                                delete_sections, &stage->delete_section_count);
  stage->insert_sections = JOIN(maker, hp_id_run, hp_make_id_run, Hp__V1__Stage, parts, count,
                                insert_sections, &stage->insert_section_count);
  stage->move_sections = JOIN(maker, hp_section_move, make_section_move, Hp__V1__Stage, parts,
                              count, move_sections, &stage->move_section_count);
  stage->reload_sections = JOIN(maker, hp_section_reload, make_section_reload, Hp__V1__Stage,
                                parts, count, reload_sections, &stage->reload_section_count);
  stage->deletes = JOIN(maker, hp_row_run, make_row_run, Hp__V1__Stage, parts, count, deletes,
                        &stage->delete_count);
  stage->inserts = JOIN(maker, hp_row_run, make_row_run, Hp__V1__Stage, parts, count, inserts,
                        &stage->insert_count);
  stage->moves = JOIN(maker, hp_row_move, make_row_move, Hp__V1__Stage, parts, count, moves,
                      &stage->move_count);
  stage->reloads = JOIN(maker, hp_row_reload, make_row_reload, Hp__V1__Stage, parts, count,
                        reloads, &stage->reload_count);
  stage->contents = JOIN(maker, hp_row_run, make_row_run, Hp__V1__Stage, parts, count, contents,
                         &stage->content_count);
  stage->section_animations =
      JOIN(maker, hp_section_animation, make_section_animation, Hp__V1__Stage, parts, count,
           section_animations, &stage->section_animation_count);
}

const hp_stage *hp_make_stages(hp_maker *maker, Hp__V1__Stage *const *stages, size_t count,
                               size_t *made_count) {
  *made_count = 0;
  hp_stage *made = hp_make_array(maker, count == 0 ? 0 : HP_STAGE_RELOAD, sizeof *made);
  size_t begin = 0;
  while (made != NULL && begin < count && maker->fault == HP_ERROR_NONE) {
    Hp__V1__StageKind kind = stages[begin]->kind;
    /* Kinds rise, so there is at most one stage of each. */
    if (kind < HP__V1__STAGE_KIND__STAGE_KIND_MAIN ||
        kind > HP__V1__STAGE_KIND__STAGE_KIND_RELOAD ||
        (*made_count > 0 && (hp_stage_kind)kind <= made[*made_count - 1].kind)) {
      hp_maker_fail(maker, HP_ERROR_PROTOCOL, "the server sent stages out of order");
      break;
    }
    size_t end = begin + 1;
    while (end < count && stages[end]->kind == kind) end++;
    hp_stage *stage = &made[*made_count];
    stage->kind = (hp_stage_kind)kind;
    make_stage(maker, stages + begin, end - begin, stage);
    *made_count += 1;
    begin = end;
  }
  return made;
}

/* The parts of one table's change: `count` messages that stand together. */
static void make_table_change(hp_maker *maker, Hp__V1__TableChange *const *parts, size_t count,
                              hp_table_change *change) {
  change->table = parts[0]->table;
  size_t stage_total = 0;
  for (size_t i = 0; i < count; i++) {
    const Hp__V1__TableChange *part = parts[i];
    stage_total += part->n_stages;
    if (part->has_schema_revision) change->schema_revision = part->schema_revision;
    if (part->has_event) change->event = (hp_table_event)part->event;
    if (part->name != NULL) change->name = hp_make_text(maker, part->name);
    if (part->columns_changed) change->columns_changed = true;
    if (part->headers_changed) change->headers_changed = true;
    if (part->policy_changed) change->policy_changed = true;
    if (part->header != NULL) {
      change->header =
          hp_make_optional(maker, part->header, sizeof(hp_header_footer), hp_make_header_footer);
    }
    if (part->footer != NULL) {
      change->footer =
          hp_make_optional(maker, part->footer, sizeof(hp_header_footer), hp_make_header_footer);
    }
    if (part->policy != NULL) {
      change->policy = hp_make_optional(maker, part->policy, sizeof(hp_policy), hp_make_policy);
    }
  }
  if (stage_total > 0 && maker->fault == HP_ERROR_NONE) {
    Hp__V1__Stage **stages = hp_arena_take_array(maker->scratch, stage_total, sizeof *stages);
    if (stages == NULL) {
      hp_maker_fail(maker, HP_ERROR_MEMORY, "no memory for what was received");
      return;
    }
    size_t filled = 0;
    for (size_t i = 0; i < count; i++) {
      for (size_t j = 0; j < parts[i]->n_stages; j++) stages[filled++] = parts[i]->stages[j];
    }
    change->stages = hp_make_stages(maker, stages, stage_total, &change->stage_count);
  }
  change->columns = JOIN(maker, hp_column, hp_make_column, Hp__V1__TableChange, parts, count,
                         columns, &change->column_count);
  change->sections = JOIN(maker, hp_section, hp_make_section, Hp__V1__TableChange, parts, count,
                          sections, &change->section_count);
  change->rows = JOIN(maker, hp_row, hp_make_row, Hp__V1__TableChange, parts, count, rows,
                      &change->row_count);
  change->deleted = JOIN(maker, hp_id_run, hp_make_id_run, Hp__V1__TableChange, parts, count,
                         deleted, &change->deleted_count);
  change->row_policies = JOIN(maker, hp_row_policy, hp_make_row_policy, Hp__V1__TableChange, parts,
                              count, row_policies, &change->row_policy_count);
}

void hp_make_change(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__Change *from = message;
  hp_change *change = made;
  change->revision = from->revision;
  change->time = from->time;
  change->uid = from->uid;
  change->actor = hp_make_text(maker, from->actor);
  change->client = from->client;
  change->request = from->request;
  change->undoes = from->undoes;
  change->redoes = from->redoes;
  change->cause = hp_make_text(maker, from->cause);
  change->cause_row = from->cause_row;
  hp_table_change *tables = hp_make_array(maker, from->n_tables, sizeof *tables);
  change->tables = tables;
  size_t begin = 0;
  while (tables != NULL && begin < from->n_tables && maker->fault == HP_ERROR_NONE) {
    size_t end = begin + 1;
    while (end < from->n_tables && from->tables[end]->table == from->tables[begin]->table) end++;
    make_table_change(maker, from->tables + begin, end - begin, &tables[change->table_count]);
    change->table_count += 1;
    begin = end;
  }
  change->old_row_count = from->n_old_rows;
  change->old_rows = HP_MAKE_ARRAY(maker, hp_row, hp_make_row, from->old_rows, from->n_old_rows);
}
