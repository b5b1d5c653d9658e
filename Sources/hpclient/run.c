#include "running.h"

hp_async *hp_client_ready(hp_client *client) {
  return hp_client_error(client)->kind == HP_ERROR_NONE ? hp_client_async(client) : NULL;
}

hp_reply *hp_run_ping(hp_client *client, const hp_envelope *envelope, const void *payload,
                      size_t size) {
  HP_RUN(client, hp_send_ping(async, envelope, payload, size));
}

hp_reply *hp_run_info(hp_client *client, const hp_envelope *envelope) {
  HP_RUN(client, hp_send_info(async, envelope));
}

hp_reply *hp_run_list_tables(hp_client *client, const hp_envelope *envelope) {
  HP_RUN(client, hp_send_list_tables(async, envelope));
}

hp_reply *hp_run_describe_table(hp_client *client, const hp_envelope *envelope,
                                hp_table_ref table) {
  HP_RUN(client, hp_send_describe_table(async, envelope, table));
}

hp_reply *hp_run_get_rows(hp_client *client, const hp_envelope *envelope, hp_table_ref table,
                          const uint64_t *ids, size_t count) {
  HP_RUN(client, hp_send_get_rows(async, envelope, table, ids, count));
}

hp_reply *hp_run_list_rows(hp_client *client, const hp_envelope *envelope, hp_table_ref table,
                           const hp_list_options *options) {
  HP_RUN(client, hp_send_list_rows(async, envelope, table, options));
}

hp_reply *hp_run_locate_row(hp_client *client, const hp_envelope *envelope, hp_table_ref table,
                            uint64_t row) {
  HP_RUN(client, hp_send_locate_row(async, envelope, table, row));
}

hp_reply *hp_run_count_rows(hp_client *client, const hp_envelope *envelope, hp_table_ref table,
                            hp_section_ref section, const hp_filter *filter) {
  HP_RUN(client, hp_send_count_rows(async, envelope, table, section, filter));
}

hp_reply *hp_run_find_rows(hp_client *client, const hp_envelope *envelope, hp_table_ref table,
                           const hp_find_options *options) {
  HP_RUN(client, hp_send_find_rows(async, envelope, table, options));
}

hp_reply *hp_run_sum_column(hp_client *client, const hp_envelope *envelope, hp_table_ref table,
                            const char *column, const hp_filter *filter) {
  HP_RUN(client, hp_send_sum_column(async, envelope, table, column, filter));
}

hp_reply *hp_run_batch(hp_client *client, const hp_envelope *envelope, const hp_batch *batch) {
  HP_RUN(client, hp_send_batch(async, envelope, batch));
}

hp_reply *hp_run_new_item(hp_client *client, const hp_envelope *envelope, hp_table_ref table,
                          hp_place at, hp_basis basis, bool dry_run) {
  HP_RUN(client, hp_send_new_item(async, envelope, table, at, basis, dry_run));
}

hp_reply *hp_run_create_table(hp_client *client, const hp_envelope *envelope, const char *name,
                              const hp_column *columns, size_t column_count,
                              const char *const *sections, size_t section_count) {
  HP_RUN(client, hp_send_create_table(async, envelope, name, columns, column_count, sections,
                                      section_count));
}

hp_reply *hp_run_rename_table(hp_client *client, const hp_envelope *envelope, hp_table_ref table,
                              const char *name) {
  HP_RUN(client, hp_send_rename_table(async, envelope, table, name));
}

hp_reply *hp_run_drop_table(hp_client *client, const hp_envelope *envelope, hp_table_ref table) {
  HP_RUN(client, hp_send_drop_table(async, envelope, table));
}

hp_reply *hp_run_undo(hp_client *client, const hp_envelope *envelope,
                      const hp_step_options *options) {
  HP_RUN(client, hp_send_undo(async, envelope, options));
}

hp_reply *hp_run_redo(hp_client *client, const hp_envelope *envelope,
                      const hp_step_options *options) {
  HP_RUN(client, hp_send_redo(async, envelope, options));
}

hp_reply *hp_run_restore_row(hp_client *client, const hp_envelope *envelope, hp_table_ref table,
                             uint64_t row, bool dry_run) {
  HP_RUN(client, hp_send_restore_row(async, envelope, table, row, dry_run));
}

hp_reply *hp_run_history(hp_client *client, const hp_envelope *envelope,
                         const hp_history_options *options) {
  HP_RUN(client, hp_send_history(async, envelope, options));
}

hp_reply *hp_run_row_history(hp_client *client, const hp_envelope *envelope, hp_table_ref table,
                             uint64_t row, uint64_t before, uint64_t limit) {
  HP_RUN(client, hp_send_row_history(async, envelope, table, row, before, limit));
}

hp_reply *hp_run_subscribe(hp_client *client, const hp_envelope *envelope,
                           const hp_subscribe_options *options) {
  HP_RUN(client, hp_send_subscribe(async, envelope, options));
}

hp_reply *hp_run_unsubscribe(hp_client *client, const hp_envelope *envelope,
                             uint64_t subscription) {
  HP_RUN(client, hp_send_unsubscribe(async, envelope, subscription));
}

hp_reply *hp_run_barrier(hp_client *client, const hp_envelope *envelope, uint64_t subscription,
                         uint64_t token, bool sql) {
  HP_RUN(client, hp_send_barrier(async, envelope, subscription, token, sql));
}

hp_reply *hp_run_list_clients(hp_client *client, const hp_envelope *envelope) {
  HP_RUN(client, hp_send_list_clients(async, envelope));
}

hp_reply *hp_run_kill_client(hp_client *client, const hp_envelope *envelope, uint64_t id) {
  HP_RUN(client, hp_send_kill_client(async, envelope, id));
}

hp_reply *hp_run_set_log_level(hp_client *client, const hp_envelope *envelope,
                               const char *level) {
  HP_RUN(client, hp_send_set_log_level(async, envelope, level));
}

hp_reply *hp_run_encoded(hp_client *client, const hp_envelope *envelope, uint32_t number,
                         const void *body, size_t size) {
  HP_RUN(client, hp_send_encoded(async, envelope, number, body, size));
}
