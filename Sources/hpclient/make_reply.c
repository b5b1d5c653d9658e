#include "make.h"

#include "hp/scene.h"
#include "hp/steps.h"

static void make_limits(const Hp__V1__Limits *from, hp_limits *limits) {
  if (from == NULL) return;
  limits->frame_up = from->frame_up;
  limits->frame_down = from->frame_down;
  limits->text = from->text;
  limits->depth = from->depth;
  limits->elements = from->elements;
  limits->row = from->row;
  limits->columns = from->columns;
  limits->sections = from->sections;
  limits->title = from->title;
  limits->key = from->key;
  limits->subscriptions = from->subscriptions;
  limits->requests_in_flight = from->requests_in_flight;
  limits->clients = from->clients;
  limits->clients_per_uid = from->clients_per_uid;
  limits->output = from->output;
  limits->filter_nodes = from->filter_nodes;
  limits->keys_per_uid = from->keys_per_uid;
  limits->history_revisions = from->history_revisions;
  limits->history_bytes = from->history_bytes;
  limits->history_seconds = from->history_seconds;
  limits->undo_steps = from->undo_steps;
  limits->undo_bytes = from->undo_bytes;
  limits->undo_seconds = from->undo_seconds;
  limits->key_seconds = from->key_seconds;
  limits->unmaterialised_operations = from->unmaterialised_operations;
  limits->unmaterialised_bytes = from->unmaterialised_bytes;
  limits->request_seconds = from->request_seconds;
  limits->upload = from->upload;
  limits->upload_connection = from->upload_connection;
  limits->upload_uid = from->upload_uid;
  limits->upload_total = from->upload_total;
  limits->upload_seconds = from->upload_seconds;
}

bool hp_make_hello(hp_maker *maker, hp_hello *hello, const uint8_t *body, size_t size) {
  const Hp__V1__HelloReply *from =
      hp_make_unpack(maker, &hp__v1__hello_reply__descriptor, body, size);
  if (from == NULL) return false;
  hello->version = from->version;
  hello->server = hp_make_text(maker, from->server == NULL ? "" : from->server);
  hello->epoch = from->epoch;
  hello->revision = from->revision;
  hello->oldest_revision = from->oldest_revision;
  hello->client = from->client;
  hello->uid = from->uid;
  make_limits(from->limits, &hello->limits);
  hello->durability = (hp_durability)from->durability;
  hello->feature_count = from->n_features;
  hello->features = hp_make_texts(maker, from->features, from->n_features);
  hello->resume_token = hp_make_text(maker, from->resume_token);
  hello->running_clock = from->running_clock;
  hello->last_goodbye = hp_make_text(maker, from->last_goodbye);
  hello->start = from->start;
  return maker->fault == HP_ERROR_NONE;
}

static void make_conflict(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__Conflict *from = message;
  hp_conflict *conflict = made;
  conflict->revision = from->revision;
  conflict->uid = from->uid;
  conflict->actor = hp_make_text(maker, from->actor);
  conflict->row = from->row;
  conflict->section = from->section;
  conflict->column = hp_make_text(maker, from->column);
  conflict->removed = from->removed;
}

static void make_error(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__Error *from = message;
  hp_server_error *error = made;
  error->code = (hp_code)from->code;
  error->message = hp_make_text(maker, from->message == NULL ? "" : from->message);
  error->has_operation = from->has_operation;
  error->operation = from->operation;
  error->has_path = from->path != NULL;
  error->path = hp_make_path(from->path);
  error->has_other_path = from->other_path != NULL;
  error->other_path = hp_make_path(from->other_path);
  error->has_row = from->has_row;
  error->row = from->row;
  error->has_section = from->has_section;
  error->section = from->section;
  error->has_revision = from->has_revision;
  error->revision = from->revision;
  error->has_field = from->has_field;
  error->field = from->field;
  error->has_offset = from->has_offset;
  error->offset = from->offset;
  error->column = hp_make_text(maker, from->column);
  error->value = hp_make_text(maker, from->value);
  error->expected = hp_make_text(maker, from->expected);
  error->hint = hp_make_text(maker, from->hint);
  error->file = hp_make_text(maker, from->file);
  error->has_line = from->has_line;
  error->line = from->line;
  error->conflict_count = from->n_conflicts;
  error->conflicts =
      HP_MAKE_ARRAY(maker, hp_conflict, make_conflict, from->conflicts, from->n_conflicts);
}

static void make_pong(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__Pong *from = message;
  hp_pong *pong = made;
  pong->size = from->payload.len;
  pong->payload = hp_make_bytes(maker, from->payload.data, from->payload.len);
}

static void make_counter(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__Counter *from = message;
  hp_counter *counter = made;
  counter->name = hp_make_text(maker, from->name == NULL ? "" : from->name);
  counter->value = from->value;
}

static void make_info(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__Info *from = message;
  hp_info *info = made;
  info->server = hp_make_text(maker, from->server);
  info->pid = from->pid;
  info->socket = hp_make_text(maker, from->socket);
  info->store = hp_make_text(maker, from->store);
  info->cursor = hp_make_cursor(from->cursor);
  info->oldest_revision = from->oldest_revision;
  info->materialised = from->materialised;
  info->clients = from->clients;
  info->subscriptions = from->subscriptions;
  info->memory = from->memory;
  info->uptime = from->uptime;
  info->durability = (hp_durability)from->durability;
  make_limits(from->limits, &info->limits);
  info->table_count = from->n_tables;
  info->tables = HP_MAKE_ARRAY(maker, hp_table_info, hp_make_table, from->tables, from->n_tables);
  info->counter_count = from->n_counters;
  info->counters = HP_MAKE_ARRAY(maker, hp_counter, make_counter, from->counters, from->n_counters);
}

static void make_subscribed(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__SubscribeReply *from = message;
  hp_subscribed *subscribed = made;
  if (from->subscription == 0) {
    hp_maker_fail(maker, HP_ERROR_PROTOCOL, "the server sent a subscription without a number");
  }
  subscribed->subscription = from->subscription;
  subscribed->from = hp_make_cursor(from->from);
  subscribed->snapshot = from->snapshot;
  subscribed->fingerprint = from->fingerprint;
  subscribed->foldable = from->foldable;
  subscribed->paths_by_id = from->paths_by_id;
  subscribed->table = from->table;
}

void hp_make_counts(const Hp__V1__Counts *from, hp_counts *counts) {
  if (from == NULL) return;
  counts->rows_inserted = from->rows_inserted;
  counts->rows_deleted = from->rows_deleted;
  counts->rows_moved = from->rows_moved;
  counts->rows_updated = from->rows_updated;
  counts->sections_inserted = from->sections_inserted;
  counts->sections_deleted = from->sections_deleted;
  counts->sections_moved = from->sections_moved;
  counts->sections_updated = from->sections_updated;
  counts->matched = from->matched;
}

static void make_batch(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__BatchReply *from = message;
  hp_batch_result *result = made;
  result->cursor = hp_make_cursor(from->cursor);
  result->unchanged = from->unchanged;
  result->replayed = from->replayed;
  result->dry_run = from->dry_run;
  result->truncated = from->truncated;
  result->undoable = from->undoable;
  hp_make_counts(from->counts, &result->counts);
  result->inserted_count = from->n_inserted;
  result->inserted =
      HP_MAKE_ARRAY(maker, hp_id_run, hp_make_id_run, from->inserted, from->n_inserted);
  result->inserted_section_count = from->n_inserted_sections;
  result->inserted_sections = HP_MAKE_ARRAY(maker, hp_id_run, hp_make_id_run,
                                            from->inserted_sections, from->n_inserted_sections);
  result->stages = hp_make_stages(maker, from->stages, from->n_stages, &result->stage_count);
  result->table = from->table;
  result->last_changed = from->last_changed;
  result->source = from->source;
  result->source_last_changed = from->source_last_changed;
  result->source_stages =
      hp_make_stages(maker, from->source_stages, from->n_source_stages, &result->source_stage_count);
  result->step = from->step;
}

static void make_tables(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__TableList *from = message;
  hp_table_list *list = made;
  list->cursor = hp_make_cursor(from->cursor);
  list->count = from->n_tables;
  list->tables = HP_MAKE_ARRAY(maker, hp_table_info, hp_make_table, from->tables, from->n_tables);
}

static void make_rows(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__RowPage *from = message;
  hp_row_page *page = made;
  page->cursor = hp_make_cursor(from->cursor);
  page->count = from->n_rows;
  page->rows = HP_MAKE_ARRAY(maker, hp_row, hp_make_placed_row, from->rows, from->n_rows);
  page->has_next = from->has_next;
  page->next = from->next;
  page->last_changed = from->last_changed;
  page->snapshot = from->snapshot;
  page->missing_count = from->n_missing;
  page->missing = hp_make_numbers(maker, from->missing, from->n_missing);
  page->schema_revision = from->schema_revision;
}

static void make_location(hp_maker *maker, const void *message, void *made) {
  (void)maker;
  const Hp__V1__RowLocation *from = message;
  hp_row_location *location = made;
  location->path = hp_make_path(from->path);
  location->section = from->section;
  location->position = from->position;
  location->cursor = hp_make_cursor(from->cursor);
}

static void make_count(hp_maker *maker, const void *message, void *made) {
  (void)maker;
  const Hp__V1__RowCount *from = message;
  hp_row_count *count = made;
  count->rows = from->rows;
  count->cursor = hp_make_cursor(from->cursor);
}

static void make_sum(hp_maker *maker, const void *message, void *made) {
  (void)maker;
  const Hp__V1__ColumnSum *from = message;
  hp_column_sum *sum = made;
  sum->sum = from->sum;
  sum->rows = from->rows;
  sum->nulls = from->nulls;
  sum->cursor = hp_make_cursor(from->cursor);
}

static void make_client(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__ClientInfo *from = message;
  hp_client_info *info = made;
  info->client = from->client;
  info->uid = from->uid;
  info->pid = from->pid;
  info->name = hp_make_text(maker, from->name);
  info->actor = hp_make_text(maker, from->actor);
  info->subscriptions = from->subscriptions;
  info->queued = from->queued;
  info->connected = from->connected;
}

static void make_clients(hp_maker *maker, const void *message, void *made) {
  const Hp__V1__ClientList *from = message;
  hp_client_list *list = made;
  list->count = from->n_clients;
  list->clients =
      HP_MAKE_ARRAY(maker, hp_client_info, make_client, from->clients, from->n_clients);
}

/* A result: how it is unpacked and what is made of it. */
typedef struct result {
  uint32_t number;
  hp_reply_kind kind;
  const ProtobufCMessageDescriptor *descriptor;
  size_t size;
  hp_make_one *make;
} result;

static const result results[] = {
    {HP__V1__REPLY__RESULT_ERROR, HP_REPLY_ERROR, &hp__v1__error__descriptor,
     sizeof(hp_server_error), make_error},
    {HP__V1__REPLY__RESULT_PONG, HP_REPLY_PONG, &hp__v1__pong__descriptor, sizeof(hp_pong),
     make_pong},
    {HP__V1__REPLY__RESULT_INFO, HP_REPLY_INFO, &hp__v1__info__descriptor, sizeof(hp_info),
     make_info},
    {HP__V1__REPLY__RESULT_SUBSCRIBED, HP_REPLY_SUBSCRIBED, &hp__v1__subscribe_reply__descriptor,
     sizeof(hp_subscribed), make_subscribed},
    {HP__V1__REPLY__RESULT_BATCH, HP_REPLY_BATCH, &hp__v1__batch_reply__descriptor,
     sizeof(hp_batch_result), make_batch},
    {HP__V1__REPLY__RESULT_TABLES, HP_REPLY_TABLES, &hp__v1__table_list__descriptor,
     sizeof(hp_table_list), make_tables},
    {HP__V1__REPLY__RESULT_TABLE, HP_REPLY_TABLE, &hp__v1__table__descriptor,
     sizeof(hp_table_info), hp_make_table},
    {HP__V1__REPLY__RESULT_ROWS, HP_REPLY_ROWS, &hp__v1__row_page__descriptor,
     sizeof(hp_row_page), make_rows},
    {HP__V1__REPLY__RESULT_LOCATION, HP_REPLY_LOCATION, &hp__v1__row_location__descriptor,
     sizeof(hp_row_location), make_location},
    {HP__V1__REPLY__RESULT_COUNT, HP_REPLY_COUNT, &hp__v1__row_count__descriptor,
     sizeof(hp_row_count), make_count},
    {HP__V1__REPLY__RESULT_SUM, HP_REPLY_SUM, &hp__v1__column_sum__descriptor,
     sizeof(hp_column_sum), make_sum},
    {HP__V1__REPLY__RESULT_HISTORY, HP_REPLY_HISTORY, &hp__v1__history_page__descriptor,
     sizeof(hp_history_page), hp_make_history},
    {HP__V1__REPLY__RESULT_LEASES, HP_REPLY_LEASES, &hp__v1__lease_list__descriptor,
     sizeof(hp_lease_list), hp_make_leases},
    {HP__V1__REPLY__RESULT_EDITING, HP_REPLY_EDITING, &hp__v1__editing_reply__descriptor,
     sizeof(hp_editing_result), hp_make_editing_result},
    {HP__V1__REPLY__RESULT_EDITING_STATE, HP_REPLY_EDITING_STATE,
     &hp__v1__editing_state__descriptor, sizeof(hp_editing_state), hp_make_editing_state},
    {HP__V1__REPLY__RESULT_POLICIES, HP_REPLY_POLICIES, &hp__v1__policy_list__descriptor,
     sizeof(hp_policy_list), hp_make_policies},
    {HP__V1__REPLY__RESULT_NIB, HP_REPLY_NIB, &hp__v1__nib_loaded__descriptor, sizeof(hp_nib),
     hp_make_nib},
    {HP__V1__REPLY__RESULT_HEADER, HP_REPLY_HEADER, &hp__v1__header_shown__descriptor,
     sizeof(hp_header_shown), hp_make_header_shown},
    {HP__V1__REPLY__RESULT_SCENE, HP_REPLY_SCENE, &hp__v1__scene_reply__descriptor,
     sizeof(hp_scene_result), hp_make_scene_result},
    {HP__V1__REPLY__RESULT_CLIENTS, HP_REPLY_CLIENTS, &hp__v1__client_list__descriptor,
     sizeof(hp_client_list), make_clients},
};

static hp_cursor cursor_of(const hp_reply *reply) {
  hp_cursor none = {0, 0};
  const void *value = reply->value;
  switch (reply->kind) {
    case HP_REPLY_INFO: return ((const hp_info *)value)->cursor;
    case HP_REPLY_BATCH: return ((const hp_batch_result *)value)->cursor;
    case HP_REPLY_TABLES: return ((const hp_table_list *)value)->cursor;
    case HP_REPLY_ROWS: return ((const hp_row_page *)value)->cursor;
    case HP_REPLY_LOCATION: return ((const hp_row_location *)value)->cursor;
    case HP_REPLY_SUM: return ((const hp_column_sum *)value)->cursor;
    case HP_REPLY_COUNT: return ((const hp_row_count *)value)->cursor;
    case HP_REPLY_HISTORY: return ((const hp_history_page *)value)->cursor;
    case HP_REPLY_EDITING: return ((const hp_editing_result *)value)->cursor;
    case HP_REPLY_POLICIES: return ((const hp_policy_list *)value)->cursor;
    case HP_REPLY_SCENE: return ((const hp_scene_result *)value)->cursor;
    default: return none;
  }
}

bool hp_make_reply(hp_maker *maker, hp_reply *reply, uint32_t number, const uint8_t *body,
                   size_t size) {
  if (number == HP__V1__REPLY__RESULT_DONE) {
    const Hp__V1__Done *done = hp_make_unpack(maker, &hp__v1__done__descriptor, body, size);
    if (done == NULL) return false;
    reply->kind = HP_REPLY_DONE;
    reply->cursor = hp_make_cursor(done->cursor);
    return true;
  }
  for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
    const result *known = &results[i];
    if (known->number != number) continue;
    const void *message = hp_make_unpack(maker, known->descriptor, body, size);
    const void *value = hp_make_optional(maker, message, known->size, known->make);
    if (maker->fault != HP_ERROR_NONE) return false;
    reply->kind = known->kind;
    reply->value = value;
    reply->cursor = cursor_of(reply);
    return true;
  }
  reply->kind = HP_REPLY_OTHER;
  reply->number = number;
  reply->body = hp_make_bytes(maker, body, size);
  reply->size = size;
  return maker->fault == HP_ERROR_NONE;
}
