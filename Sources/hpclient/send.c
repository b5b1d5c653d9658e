#include "sending.h"
#include "upload.h"

#include <string.h>

#include "hp/v1/frame.pb-c.h"

/* Requests that wait for their reply: a ring. */

hp_waiting *hp_async_first_waiting(hp_async *async) {
  return async->waiting_count == 0 ? NULL : &async->waiting[async->waiting_first];
}

static hp_waiting *waiting_at(hp_async *async, size_t index) {
  return &async->waiting[(async->waiting_first + index) % async->waiting_capacity];
}

bool hp_async_reserve_waiting(hp_async *async) {
  if (async->waiting_count < async->waiting_capacity) return true;
  size_t capacity = async->waiting_capacity == 0 ? 8 : async->waiting_capacity * 2;
  hp_waiting *grown = hp_allocate(&async->allocator, capacity * sizeof *grown);
  if (grown == NULL) return false;
  for (size_t i = 0; i < async->waiting_count; i++) grown[i] = *waiting_at(async, i);
  hp_release(&async->allocator, async->waiting);
  async->waiting = grown;
  async->waiting_first = 0;
  async->waiting_capacity = capacity;
  return true;
}

void hp_async_push_waiting(hp_async *async, hp_waiting waiting) {
  async->waiting_count += 1;
  *waiting_at(async, async->waiting_count - 1) = waiting;
}

void hp_async_pop_waiting(hp_async *async) {
  async->waiting_first = (async->waiting_first + 1) % async->waiting_capacity;
  async->waiting_count -= 1;
}

/* Ids rise by one, so the place in the ring follows from the id. */
static hp_waiting *find_waiting(const hp_async *async, uint64_t request) {
  if (async->waiting_count == 0) return NULL;
  uint64_t first = async->waiting[async->waiting_first].id;
  if (request < first || request - first >= async->waiting_count) return NULL;
  size_t at = (async->waiting_first + (size_t)(request - first)) % async->waiting_capacity;
  return &async->waiting[at];
}

bool hp_async_waits_for(const hp_async *async, uint64_t request) {
  const hp_waiting *waiting = find_waiting(async, request);
  if (hp_upload_goes_on(async, request)) return true;
  return waiting != NULL && !waiting->skip && waiting->upload != request;
}

void *hp_async_skip(hp_async *async, uint64_t first, uint64_t last) {
  hp_waiting *waiting = find_waiting(async, last);
  void *tag = waiting != NULL ? waiting->tag : NULL;
  for (uint64_t id = first; id <= last; id++) {
    waiting = find_waiting(async, id);
    if (waiting != NULL) waiting->skip = true;
  }
  return tag;
}

void hp_async_drop_skipped(hp_async *async) {
  while (async->waiting_count > 0 && hp_async_first_waiting(async)->skip) {
    hp_async_pop_waiting(async);
  }
}

void hp_async_discard(hp_async *async, uint64_t request) {
  hp_waiting *waiting = find_waiting(async, request);
  if (waiting != NULL) waiting->discard = true;
  hp_upload_discard(async, request);
}

static bool refuse(hp_async *async, hp_error_kind kind, const char *why) {
  hp_error_set(&async->error, kind, 0, HP_CODE_NONE, why);
  return false;
}

/* The server's own limit once it is known. */
static size_t limit_of(const hp_async *async, size_t told, size_t first) {
  return async->hello_came && told != 0 ? told : first;
}

static bool is_set(hp_cursor cursor) { return cursor.epoch != 0 || cursor.revision != 0; }

bool hp_request_may_begin(hp_async *async) {
  if (async->state == HP_STATE_OVER || async->state == HP_STATE_DRAINING) {
    if (async->error.kind == HP_ERROR_NONE || async->state == HP_STATE_DRAINING) {
      refuse(async, HP_ERROR_STATE, "the connection is not open");
    }
    return false;
  }
  hp_error_set(&async->error, HP_ERROR_NONE, 0, HP_CODE_NONE, "");
  const hp_limits *limits = async->hello_came ? &async->hello->limits : NULL;
  size_t requests = limit_of(async, limits ? limits->requests_in_flight : 0, HP_REQUESTS_IN_FLIGHT);
  if (hp_async_in_flight(async) >= requests) {
    return refuse(async, HP_ERROR_FULL, "as many requests are in flight as the server allows");
  }
  if (hp_buffer_size(&async->output) + hp_upload_behind(async) >= HP_OUTPUT_LIMIT) {
    return refuse(async, HP_ERROR_FULL, "too many bytes wait to be sent");
  }
  return true;
}

void hp_write_envelope(hp_writer *writer, const hp_envelope *envelope) {
  hp_write_text(writer, 2, envelope->key);
  if (envelope->retry_until != 0) hp_write_uint(writer, 3, (uint64_t)envelope->retry_until);
  if (is_set(envelope->at_least)) hp_write_cursor(writer, 4, envelope->at_least);
  if (envelope->lease != 0) hp_write_uint(writer, 5, envelope->lease);
  if (is_set(envelope->expect)) hp_write_cursor(writer, 6, envelope->expect);
}

bool hp_request_begin(hp_request *request, hp_async *async, const hp_envelope *envelope,
                      uint32_t number) {
  memset(request, 0, sizeof *request);
  request->async = async;
  if (!hp_request_may_begin(async)) return false;
  request->frame_limit =
      limit_of(async, async->hello_came ? async->hello->limits.frame_up : 0, HP_FRAME_UP);
  request->element_limit =
      limit_of(async, async->hello_came ? async->hello->limits.elements : 0, HP_FRAME_UP_ELEMENTS);
  if (!hp_async_reserve_waiting(async)) {
    return refuse(async, HP_ERROR_MEMORY, "no memory for the request");
  }

  hp_writer *writer = &request->writer;
  request->out = hp_upload_output(async);
  hp_writer_init(writer, request->out);
  request->waiting.id = async->last_id + 1;
  request->waiting.number = number;
  request->begin = hp_buffer_size(request->out);
  request->frame = hp_write_begin(writer, 0);
  hp_write_uint(writer, 1, request->waiting.id);
  if (envelope != NULL) {
    request->waiting.tag = envelope->tag;
    hp_write_envelope(writer, envelope);
  }
  request->body = hp_write_begin(writer, number);
  return true;
}

uint64_t hp_request_end(hp_request *request) {
  hp_async *async = request->async;
  hp_writer *writer = &request->writer;
  hp_write_end(writer, request->body);
  if (writer->fault == HP_ERROR_NONE &&
      hp_buffer_size(request->out) - request->frame > request->frame_limit) {
    hp_writer_fail(writer, HP_ERROR_TOO_LARGE, "the request is larger than a frame may be");
  }
  if (writer->elements > request->element_limit) {
    hp_writer_fail(writer, HP_ERROR_TOO_LARGE, "the request has more elements than a frame may");
  }
  hp_write_end(writer, request->frame);
  if (writer->fault != HP_ERROR_NONE) {
    request->out->end = request->out->start + request->begin;
    refuse(async, writer->fault, writer->why);
    return 0;
  }
  async->last_id = request->waiting.id;
  hp_async_push_waiting(async, request->waiting);
  return request->waiting.id;
}

bool hp_async_queue_hello(hp_async *async, const hp_async_options *options) {
  hp_request request;
  if (!hp_request_begin(&request, async, NULL, HP__V1__CLIENT_FRAME__REQUEST_HELLO)) return false;
  hp_writer *writer = &request.writer;
  hp_write_uint(writer, 1, HP_PROTOCOL_MIN);
  hp_write_uint(writer, 2, HP_PROTOCOL_MAX);
  hp_write_text(writer, 3, options->client_name != NULL ? options->client_name : "hpclient");
  hp_write_text(writer, 4, options->actor);
  for (size_t i = 0; i < options->feature_count; i++) {
    hp_write_name(writer, 5, options->features[i], "a feature has no name");
  }
  hp_write_text(writer, 6, options->resume_token);
  return hp_request_end(&request) != 0;
}

uint64_t hp_send_ping(hp_async *async, const hp_envelope *envelope, const void *payload,
                      size_t size) {
  hp_request request;
  if (!hp_request_begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_PING)) return 0;
  if (size > 0) hp_write_bytes(&request.writer, 1, payload, size);
  return hp_request_end(&request);
}

static uint64_t send_empty(hp_async *async, const hp_envelope *envelope, uint32_t number) {
  hp_request request;
  return hp_request_begin(&request, async, envelope, number) ? hp_request_end(&request) : 0;
}

uint64_t hp_send_info(hp_async *async, const hp_envelope *envelope) {
  return send_empty(async, envelope, HP__V1__CLIENT_FRAME__REQUEST_INFO);
}

uint64_t hp_send_list_tables(hp_async *async, const hp_envelope *envelope) {
  return send_empty(async, envelope, HP__V1__CLIENT_FRAME__REQUEST_LIST_TABLES);
}

uint64_t hp_send_list_clients(hp_async *async, const hp_envelope *envelope) {
  return send_empty(async, envelope, HP__V1__CLIENT_FRAME__REQUEST_LIST_CLIENTS);
}

uint64_t hp_send_describe_table(hp_async *async, const hp_envelope *envelope,
                                hp_table_ref table) {
  hp_request request;
  if (!hp_request_begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_DESCRIBE_TABLE)) {
    return 0;
  }
  hp_write_table_ref(&request.writer, 1, table);
  return hp_request_end(&request);
}

uint64_t hp_send_get_rows(hp_async *async, const hp_envelope *envelope, hp_table_ref table,
                          const uint64_t *ids, size_t count) {
  hp_request request;
  if (!hp_request_begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_GET_ROWS)) {
    return 0;
  }
  hp_write_table_ref(&request.writer, 1, table);
  hp_write_packed(&request.writer, 2, ids, count);
  return hp_request_end(&request);
}

uint64_t hp_send_list_rows(hp_async *async, const hp_envelope *envelope, hp_table_ref table,
                           const hp_list_options *options) {
  hp_request request;
  if (!hp_request_begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_LIST_ROWS)) {
    return 0;
  }
  hp_writer *writer = &request.writer;
  hp_write_table_ref(writer, 1, table);
  if (options != NULL) {
    hp_write_section_ref(writer, 2, options->section);
    if (options->first != 0) hp_write_uint(writer, 3, options->first);
    if (options->count != 0) hp_write_uint(writer, 4, options->count);
    if (options->snapshot != 0) hp_write_uint(writer, 5, options->snapshot);
    for (size_t i = 0; i < options->column_count; i++) {
      hp_write_name(writer, 6, options->columns[i], "a column has no name");
    }
  }
  return hp_request_end(&request);
}

uint64_t hp_send_locate_row(hp_async *async, const hp_envelope *envelope, hp_table_ref table,
                            uint64_t row) {
  hp_request request;
  if (!hp_request_begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_LOCATE_ROW)) {
    return 0;
  }
  hp_write_table_ref(&request.writer, 1, table);
  hp_write_uint(&request.writer, 2, row);
  return hp_request_end(&request);
}

uint64_t hp_send_count_rows(hp_async *async, const hp_envelope *envelope, hp_table_ref table,
                            hp_section_ref section, const hp_filter *filter) {
  hp_request request;
  if (!hp_request_begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_COUNT_ROWS)) {
    return 0;
  }
  hp_write_table_ref(&request.writer, 1, table);
  hp_write_section_ref(&request.writer, 2, section);
  hp_write_filter(&request.writer, 3, filter);
  return hp_request_end(&request);
}

uint64_t hp_send_find_rows(hp_async *async, const hp_envelope *envelope, hp_table_ref table,
                           const hp_find_options *options) {
  hp_request request;
  if (!hp_request_begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_FIND_ROWS)) {
    return 0;
  }
  hp_writer *writer = &request.writer;
  hp_write_table_ref(writer, 1, table);
  if (options != NULL) {
    hp_write_section_ref(writer, 2, options->section);
    hp_write_filter(writer, 3, options->filter);
    for (size_t i = 0; i < options->sort_count; i++) hp_write_sort(writer, 4, &options->sort[i]);
    if (options->has_limit) hp_write_uint(writer, 5, options->limit);
    if (options->skip != 0) hp_write_uint(writer, 6, options->skip);
    if (options->first != 0) hp_write_uint(writer, 7, options->first);
    if (options->snapshot != 0) hp_write_uint(writer, 8, options->snapshot);
  }
  return hp_request_end(&request);
}

uint64_t hp_send_sum_column(hp_async *async, const hp_envelope *envelope, hp_table_ref table,
                            const char *column, const hp_filter *filter) {
  hp_request request;
  if (!hp_request_begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_SUM_COLUMN)) {
    return 0;
  }
  hp_write_table_ref(&request.writer, 1, table);
  hp_write_name(&request.writer, 2, column, "a sum names no column");
  hp_write_filter(&request.writer, 3, filter);
  return hp_request_end(&request);
}

uint64_t hp_send_batch(hp_async *async, const hp_envelope *envelope, const hp_batch *batch) {
  if (hp_upload_is_needed(async, envelope, batch)) return hp_upload_begin(async, envelope, batch);
  hp_request request;
  if (!hp_request_begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_BATCH)) return 0;
  hp_write_batch(&request.writer, batch);
  return hp_request_end(&request);
}

uint64_t hp_send_new_item(hp_async *async, const hp_envelope *envelope, hp_table_ref table,
                          hp_place at, hp_basis basis, bool dry_run) {
  hp_request request;
  if (!hp_request_begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_NEW_ITEM)) {
    return 0;
  }
  hp_write_table_ref(&request.writer, 1, table);
  hp_write_place(&request.writer, 2, at);
  if (dry_run) hp_write_bool(&request.writer, 3, true);
  hp_write_basis(&request.writer, 4, basis);
  return hp_request_end(&request);
}

uint64_t hp_send_create_table(hp_async *async, const hp_envelope *envelope, const char *name,
                              const hp_column *columns, size_t column_count,
                              const char *const *sections, size_t section_count) {
  hp_request request;
  if (!hp_request_begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_CREATE_TABLE)) {
    return 0;
  }
  hp_write_name(&request.writer, 1, name, "a table has no name");
  for (size_t i = 0; i < column_count; i++) hp_write_column(&request.writer, 2, &columns[i]);
  for (size_t i = 0; i < section_count; i++) {
    hp_write_name(&request.writer, 3, sections[i], "a section has no title");
  }
  return hp_request_end(&request);
}

uint64_t hp_send_rename_table(hp_async *async, const hp_envelope *envelope, hp_table_ref table,
                              const char *name) {
  hp_request request;
  if (!hp_request_begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_RENAME_TABLE)) {
    return 0;
  }
  hp_write_table_ref(&request.writer, 1, table);
  hp_write_name(&request.writer, 2, name, "a table has no name");
  return hp_request_end(&request);
}

uint64_t hp_send_drop_table(hp_async *async, const hp_envelope *envelope, hp_table_ref table) {
  hp_request request;
  if (!hp_request_begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_DROP_TABLE)) {
    return 0;
  }
  hp_write_table_ref(&request.writer, 1, table);
  return hp_request_end(&request);
}

static void write_feed_filter(hp_writer *writer, const hp_subscribe_options *options) {
  if (options->table_count + options->section_count + options->column_count +
          options->notice_row_count + options->notice_kind_count == 0) {
    return;
  }
  size_t mark = hp_write_begin(writer, 3);
  for (size_t i = 0; i < options->table_count; i++) {
    hp_write_table_ref(writer, 1, options->tables[i]);
  }
  hp_write_packed(writer, 2, options->sections, options->section_count);
  for (size_t i = 0; i < options->column_count; i++) {
    hp_write_name(writer, 3, options->columns[i], "a column has no name");
  }
  hp_write_packed(writer, 4, options->notice_rows, options->notice_row_count);
  for (size_t i = 0; i < options->notice_kind_count; i++) {
    hp_write_uint(writer, 5, (uint64_t)options->notice_kinds[i]);
  }
  hp_write_end(writer, mark);
}

static void write_window(hp_writer *writer, uint32_t number, const hp_window *window) {
  size_t mark = hp_write_begin(writer, number);
  if (window->row != 0) {
    hp_write_uint(writer, 2, window->row);
  } else {
    hp_write_uint(writer, 1, window->position);
  }
  if (window->section != 0) hp_write_uint(writer, 3, window->section);
  hp_write_uint(writer, 4, window->length);
  hp_write_end(writer, mark);
}

uint64_t hp_send_move_window(hp_async *async, const hp_envelope *envelope, uint64_t subscription,
                             const hp_window *window) {
  hp_request request;
  if (!hp_request_begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_MOVE_WINDOW)) {
    return 0;
  }
  hp_write_uint(&request.writer, 1, subscription);
  write_window(&request.writer, 2, window);
  return hp_request_end(&request);
}

uint64_t hp_send_subscribe(hp_async *async, const hp_envelope *envelope,
                           const hp_subscribe_options *options) {
  hp_request request;
  if (!hp_request_begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_SUBSCRIBE)) {
    return 0;
  }
  hp_writer *writer = &request.writer;
  if (options != NULL) {
    if (options->table.id != 0 || options->table.name != NULL) {
      hp_write_table_ref(writer, 1, options->table);
    }
    if (options->has_since) hp_write_cursor(writer, 2, options->since);
    write_feed_filter(writer, options);
    if (options->window != NULL) write_window(writer, 4, options->window);
    if (options->snapshot_if_lost) hp_write_bool(writer, 5, true);
    if (options->live_state) hp_write_bool(writer, 6, true);
    if (options->old_rows) hp_write_bool(writer, 7, true);
    if (options->heartbeat) hp_write_bool(writer, 8, true);
    if (options->only_live) hp_write_bool(writer, 9, true);
    hp_write_text(writer, 10, options->scene);
    if (options->scene_only) hp_write_bool(writer, 11, true);
    if (options->fingerprint != 0) hp_write_uint(writer, 12, options->fingerprint);
  }
  return hp_request_end(&request);
}

uint64_t hp_send_unsubscribe(hp_async *async, const hp_envelope *envelope,
                             uint64_t subscription) {
  hp_request request;
  if (!hp_request_begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_UNSUBSCRIBE)) {
    return 0;
  }
  request.waiting.subscription = subscription;
  hp_write_uint(&request.writer, 1, subscription);
  return hp_request_end(&request);
}

uint64_t hp_send_barrier(hp_async *async, const hp_envelope *envelope, uint64_t subscription,
                         uint64_t token, bool sql) {
  hp_request request;
  if (!hp_request_begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_BARRIER)) return 0;
  if (subscription != 0) hp_write_uint(&request.writer, 1, subscription);
  hp_write_uint(&request.writer, 2, token);
  if (sql) hp_write_bool(&request.writer, 3, true);
  return hp_request_end(&request);
}

uint64_t hp_send_kill_client(hp_async *async, const hp_envelope *envelope, uint64_t client) {
  hp_request request;
  if (!hp_request_begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_KILL_CLIENT)) {
    return 0;
  }
  hp_write_uint(&request.writer, 1, client);
  return hp_request_end(&request);
}

uint64_t hp_send_set_log_level(hp_async *async, const hp_envelope *envelope, const char *level) {
  hp_request request;
  if (!hp_request_begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_SET_LOG_LEVEL)) {
    return 0;
  }
  hp_write_name(&request.writer, 1, level, "no log level is named");
  return hp_request_end(&request);
}

uint64_t hp_send_encoded(hp_async *async, const hp_envelope *envelope, uint32_t number,
                         const void *body, size_t size) {
  hp_request request;
  if (number <= HP__V1__CLIENT_FRAME__REQUEST_HELLO || number >= (uint32_t)1 << 29) {
    if (async->state != HP_STATE_OVER) {
      refuse(async, HP_ERROR_ARGUMENT, "no request has this field number");
    }
    return 0;
  }
  if (!hp_request_begin(&request, async, envelope, number)) return 0;
  request.waiting.any = true;
  hp_write_raw(&request.writer, body, size);
  return hp_request_end(&request);
}
