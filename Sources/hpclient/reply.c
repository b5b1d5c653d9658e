#include "internal.h"

#include "hp/steps.h"

hp_reply_kind hp_reply_kind_of(const hp_reply *reply) { return reply->kind; }

uint64_t hp_reply_request(const hp_reply *reply) { return reply->request; }

void *hp_reply_tag(const hp_reply *reply) { return reply->tag; }

static const void *value_of(const hp_reply *reply, hp_reply_kind kind) {
  return reply != NULL && reply->kind == kind ? reply->value : NULL;
}

const hp_server_error *hp_reply_error(const hp_reply *reply) {
  return value_of(reply, HP_REPLY_ERROR);
}

const hp_pong *hp_reply_pong(const hp_reply *reply) { return value_of(reply, HP_REPLY_PONG); }

const hp_info *hp_reply_info(const hp_reply *reply) { return value_of(reply, HP_REPLY_INFO); }

const hp_subscribed *hp_reply_subscribed(const hp_reply *reply) {
  return value_of(reply, HP_REPLY_SUBSCRIBED);
}

const hp_batch_result *hp_reply_batch(const hp_reply *reply) {
  return value_of(reply, HP_REPLY_BATCH);
}

const hp_table_list *hp_reply_tables(const hp_reply *reply) {
  return value_of(reply, HP_REPLY_TABLES);
}

const hp_table_info *hp_reply_table(const hp_reply *reply) {
  return value_of(reply, HP_REPLY_TABLE);
}

const hp_row_page *hp_reply_rows(const hp_reply *reply) { return value_of(reply, HP_REPLY_ROWS); }

const hp_row_location *hp_reply_location(const hp_reply *reply) {
  return value_of(reply, HP_REPLY_LOCATION);
}

const hp_row_count *hp_reply_count(const hp_reply *reply) {
  return value_of(reply, HP_REPLY_COUNT);
}

const hp_column_sum *hp_reply_sum(const hp_reply *reply) { return value_of(reply, HP_REPLY_SUM); }

const hp_client_list *hp_reply_clients(const hp_reply *reply) {
  return value_of(reply, HP_REPLY_CLIENTS);
}

const hp_history_page *hp_reply_history(const hp_reply *reply) {
  return value_of(reply, HP_REPLY_HISTORY);
}

const hp_lease_list *hp_reply_leases(const hp_reply *reply) {
  return value_of(reply, HP_REPLY_LEASES);
}

const hp_editing_result *hp_reply_editing(const hp_reply *reply) {
  return value_of(reply, HP_REPLY_EDITING);
}

const hp_editing_state *hp_reply_editing_state(const hp_reply *reply) {
  return value_of(reply, HP_REPLY_EDITING_STATE);
}

const hp_policy_list *hp_reply_policies(const hp_reply *reply) {
  return value_of(reply, HP_REPLY_POLICIES);
}

const hp_nib *hp_reply_nib(const hp_reply *reply) { return value_of(reply, HP_REPLY_NIB); }

const hp_header_shown *hp_reply_header(const hp_reply *reply) {
  return value_of(reply, HP_REPLY_HEADER);
}

const hp_scene_result *hp_reply_scene(const hp_reply *reply) {
  return value_of(reply, HP_REPLY_SCENE);
}

hp_cursor hp_reply_cursor(const hp_reply *reply) { return reply->cursor; }

const uint8_t *hp_reply_body(const hp_reply *reply, uint32_t *number, size_t *size) {
  if (number != NULL) *number = reply->number;
  if (size != NULL) *size = reply->size;
  return reply->body;
}

void hp_reply_free(hp_reply *reply) {
  if (reply != NULL) hp_arena_free(reply->arena);
}
