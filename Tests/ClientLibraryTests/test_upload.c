/* Batches that do not fit one frame: parts in order, bounded memory, one outcome. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "test.h"
#include "tests.h"

#define ROWS 20000

static void add_rows(hp_batch *batch, int first, int end) {
  for (int i = first; i < end; i++) {
    char name[64];
    snprintf(name, sizeof name, "a row with a longish name, number %d of them", i);
    hp_cell cells[] = {hp_cell_text("name", name), hp_cell_decimal("value", i)};
    hp_batch_insert_row(batch, hp_place_default(), cells, 2);
  }
}

static hp_batch *large_batch(const hp_allocator *allocator, int rows) {
  hp_batch *batch = hp_batch_new(hp_table_named("items"), allocator);
  if (batch == NULL) return NULL;
  hp_batch_set_basis(batch, hp_basis_current());
  hp_batch_require_section_total(batch, HP_FIRST, 1);
  add_rows(batch, 0, rows);
  return batch;
}

/* A server that reads frames as they come. */
typedef struct peer_state {
  bytes input;
  size_t at;
  uint64_t next_id;
  uint64_t upload;
  size_t parts;
  size_t operations;
  size_t expected; /* operations; 0: ROWS */
  bool committed;
  bool aborted;
  bool pinged;
} peer_state;

static size_t varint_at(const bytes *from, size_t at, uint64_t *value) {
  size_t length = 0;
  *value = 0;
  while (at + length < from->size) {
    uint8_t byte = from->data[at + length];
    *value |= (uint64_t)(byte & 0x7f) << (7 * length);
    length += 1;
    if (byte < 0x80) return length;
  }
  return 0;
}

static void note_part(peer_state *to, const Hp__V1__UploadPart *part) {
  CHECK(part->upload == to->upload && part->part == to->parts && part->batch != NULL);
  if (part->batch == NULL) return;
  bool first = to->parts == 0;
  CHECK((part->batch->table != NULL) == first);
  CHECK((part->batch->n_conditions == 1) == first);
  CHECK((part->batch->basis != NULL) == first);
  size_t elements = part->batch->n_conditions * 3;
  for (size_t i = 0; i < part->batch->n_operations; i++) {
    const Hp__V1__Operation *operation = part->batch->operations[i];
    if (operation->operation_case != HP__V1__OPERATION__OPERATION_INSERT_ROW) continue;
    elements += 3 + operation->insert_row->row->n_cells;
    int64_t number = operation->insert_row->row->cells[1]->decimal;
    CHECK(number == (int64_t)to->operations);
    to->operations += 1;
  }
  CHECK(elements <= HP_FRAME_UP_ELEMENTS - 2);
  to->parts += 1;
}

/* Takes the frames that are whole, and answers each; a part is refused at number `refused`. */
static void answer(peer_state *to, bytes *replies, size_t refused) {
  for (;;) {
    uint64_t length;
    size_t prefix = varint_at(&to->input, to->at, &length);
    if (prefix == 0 || to->input.size - to->at - prefix < length) return;
    CHECK(length <= HP_FRAME_UP);
    Hp__V1__ClientFrame *frame = hp__v1__client_frame__unpack(
        NULL, (size_t)length, to->input.data + to->at + prefix);
    to->at += prefix + (size_t)length;
    CHECK(frame != NULL);
    if (frame == NULL) return;
    if (frame->request_case == HP__V1__CLIENT_FRAME__REQUEST_PING && to->parts > refused) {
      to->next_id = frame->id; /* those of parts that were never sent are left out */
    }
    CHECK(frame->id == to->next_id);
    to->next_id = frame->id + 1;
    Hp__V1__Reply reply = HP__V1__REPLY__INIT;
    Hp__V1__UploadReply state = HP__V1__UPLOAD_REPLY__INIT;
    Hp__V1__BatchReply outcome = HP__V1__BATCH_REPLY__INIT;
    reply.result_case = HP__V1__REPLY__RESULT_UPLOAD;
    reply.upload = &state;
    switch (frame->request_case) {
      case HP__V1__CLIENT_FRAME__REQUEST_UPLOAD_BEGIN:
        to->upload = frame->upload_begin->upload;
        to->parts = 0;
        to->operations = 0;
        CHECK(to->upload > 0 && frame->key == NULL);
        break;
      case HP__V1__CLIENT_FRAME__REQUEST_UPLOAD_PART:
        if (to->parts >= refused) {
          add_error(replies, frame->id,
                    to->parts == refused ? HP__V1__ERROR_CODE__UPLOAD_TOO_LARGE
                                         : HP__V1__ERROR_CODE__NO_SUCH_UPLOAD,
                    "no room");
          to->parts += 1;
          hp__v1__client_frame__free_unpacked(frame, NULL);
          continue;
        }
        note_part(to, frame->upload_part);
        state.has_bytes = true;
        state.bytes = to->parts;
        break;
      case HP__V1__CLIENT_FRAME__REQUEST_UPLOAD_COMMIT:
        CHECK(frame->upload_commit->parts == to->parts);
        CHECK(frame->key != NULL && strcmp(frame->key, "once") == 0);
        CHECK(frame->expect != NULL && frame->expect->revision == 41);
        to->committed = true;
        CHECK(to->operations == (to->expected != 0 ? to->expected : ROWS));
        reply.result_case = HP__V1__REPLY__RESULT_BATCH;
        reply.batch = &outcome;
        break;
      case HP__V1__CLIENT_FRAME__REQUEST_UPLOAD_ABORT:
        CHECK(frame->upload_abort->upload == to->upload && !to->committed);
        to->aborted = true;
        add_done(replies, frame->id);
        hp__v1__client_frame__free_unpacked(frame, NULL);
        continue;
      case HP__V1__CLIENT_FRAME__REQUEST_PING:
        CHECK(to->aborted || to->committed || refused < SIZE_MAX);
        to->pinged = true;
        add_pong(replies, frame->id, "x");
        hp__v1__client_frame__free_unpacked(frame, NULL);
        continue;
      default: CHECK(false);
    }
    add_reply(replies, frame->id, reply);
    hp__v1__client_frame__free_unpacked(frame, NULL);
  }
}

/* Lets both ends work until nothing more comes. */
static void serve(session *s, peer_state *to, size_t refused) {
  for (int idle = 0; idle < 2 && s->async != NULL;) {
    session_work(s);
    bytes sent = session_sent(s);
    bytes replies = {NULL, 0, 0};
    bytes_add(&to->input, sent.data, sent.size);
    idle = sent.size == 0 ? idle + 1 : 0;
    answer(to, &replies, refused);
    if (s->async != NULL && replies.size > 0) session_feed(s, &replies);
    bytes_free(&sent);
    bytes_free(&replies);
  }
}

static const hp_envelope *once(void) {
  static hp_envelope envelope;
  static char tag;
  envelope.key = "once";
  envelope.expect = (hp_cursor){7, 41};
  envelope.tag = &tag;
  return &envelope;
}

TEST(sends_a_large_batch_in_parts) {
  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  hp_batch *batch = large_batch(NULL, ROWS);
  CHECK(hp_batch_size(batch) > HP_FRAME_UP && hp_batch_count(batch) == ROWS);
  uint64_t request = hp_send_batch(s.async, once(), batch);
  CHECK(request > 2);
  CHECK(hp_async_in_flight(s.async) == 1 && !hp_async_is_flushed(s.async));
  /* What is asked meanwhile takes effect behind it. */
  CHECK(hp_send_ping(s.async, NULL, "x", 1) == request + 1);
  CHECK(hp_async_in_flight(s.async) == 2);
  peer_state peer = {.next_id = 2};
  serve(&s, &peer, SIZE_MAX);
  CHECK(peer.operations == ROWS && peer.committed && peer.pinged && peer.parts > 4);
  CHECK(s.replies == 2 && s.progresses > 4 && s.taken == peer.parts);
  CHECK(hp_async_is_flushed(s.async) && hp_async_in_flight(s.async) == 0);
  char expected[128];
  snprintf(expected, sizeof expected, "reply %d to %llu\nreply %d to %llu\n", HP_REPLY_BATCH,
           (unsigned long long)request, HP_REPLY_PONG, (unsigned long long)(request + 1));
  CHECK(strstr(s.log, expected) != NULL);
  hp_batch_free(batch);
  bytes_free(&peer.input);
  session_close(&s);
}

/* Rows of 5 elements in some 16 bytes. */
static void add_small_rows(hp_batch *batch, int first, int end) {
  for (int i = first; i < end; i++) {
    hp_cell cells[] = {{.column = 1, .kind = HP_NULL},
                       {.column = 2, .kind = HP_DECIMAL, .number = i}};
    hp_batch_insert_row(batch, hp_place_default(), cells, 2);
  }
}

TEST(sends_a_batch_of_many_elements_in_parts) {
  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  /* A frame would hold their bytes, but not their elements. */
  hp_batch *batch = large_batch(NULL, 0);
  add_small_rows(batch, 0, 45000);
  CHECK(hp_batch_size(batch) < HP_FRAME_UP - 65536);
  CHECK(hp_send_batch(s.async, once(), batch) > 3);
  peer_state peer = {.next_id = 2, .expected = 45000};
  serve(&s, &peer, SIZE_MAX);
  CHECK(peer.committed && s.replies == 1 && peer.parts > 1);
  hp_batch_free(batch);
  bytes_free(&peer.input);
  session_close(&s);
}

TEST(sends_no_operation_of_too_many_elements) {
  static uint64_t ids[HP_FRAME_UP_ELEMENTS];
  for (size_t i = 0; i < HP_FRAME_UP_ELEMENTS; i++) ids[i] = i % 100 + 1;
  hp_batch *batch = large_batch(NULL, 0);
  CHECK(hp_batch_move_ids(batch, ids, 190000, hp_place_default()));
  CHECK(hp_batch_move_ids(batch, ids, 60000, hp_place_default()));
  CHECK(hp_batch_move_ids(batch, ids, 190000, hp_place_default()));
  CHECK(!hp_batch_move_ids(batch, ids, HP_FRAME_UP_ELEMENTS, hp_place_default()));
  CHECK(hp_batch_error(batch)->kind == HP_ERROR_TOO_LARGE && hp_batch_count(batch) == 3);
  hp_batch_clear(batch);
  CHECK(hp_batch_move_ids(batch, ids, 190000, hp_place_default()));
  hp_batch_free(batch);
}

TEST(shares_a_batch_that_is_on_its_way) {
  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  hp_batch *batch = large_batch(NULL, ROWS);
  uint64_t first = hp_send_batch(s.async, once(), batch);
  /* Changed, sent again, and freed before anything of it was sent. */
  hp_batch_delete_row(batch, hp_row_id(7), HP_ANIMATION_DEFAULT);
  uint64_t second = hp_send_batch(s.async, once(), batch);
  hp_batch_free(batch);
  CHECK(first > 0 && second > first);
  peer_state peer = {.next_id = 2};
  serve(&s, &peer, SIZE_MAX);
  CHECK(s.replies == 2);
  bytes_free(&peer.input);
  session_close(&s);
}

TEST(stops_at_a_part_that_is_refused) {
  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  hp_batch *batch = large_batch(NULL, 4 * ROWS);
  uint64_t request = hp_send_batch(s.async, once(), batch);
  hp_batch_free(batch);
  CHECK(hp_send_ping(s.async, NULL, "x", 1) == request + 1);
  peer_state peer = {.next_id = 2};
  for (int turn = 0; turn < 1000 && s.replies < 2 && s.closed_count == 0; turn++) {
    uint8_t buffer[65536];
    session_work(&s);
    ssize_t got = recv(s.peer, buffer, sizeof buffer, MSG_DONTWAIT);
    bytes replies = {NULL, 0, 0};
    if (got > 0) bytes_add(&peer.input, buffer, (size_t)got);
    answer(&peer, &replies, 2);
    session_feed(&s, &replies);
    bytes_free(&replies);
  }
  CHECK(s.replies == 2 && peer.pinged && !peer.committed && s.closed_count == 0);
  CHECK(hp_async_in_flight(s.async) == 0 && hp_async_is_flushed(s.async));
  char expected[64];
  snprintf(expected, sizeof expected, "reply %d to %llu\n", HP_REPLY_ERROR,
           (unsigned long long)request);
  CHECK(strstr(s.log, expected) != NULL);
  bytes_free(&peer.input);
  session_close(&s);
}

TEST(frees_uploads_with_the_connection) {
  session s = {.free_in = "progress"};
  session_ready(&s, NULL);
  hp_batch *batch = large_batch(NULL, ROWS);
  CHECK(hp_send_batch(s.async, once(), batch) > 0);
  CHECK(hp_send_batch(s.async, once(), batch) > 0);
  hp_batch_free(batch);
  peer_state peer = {.next_id = 2};
  serve(&s, &peer, SIZE_MAX);
  CHECK(s.async == NULL && s.progresses == 1);
  bytes_free(&peer.input);
  session_close(&s);
}

typedef struct blocking {
  int fd;
  peer_state peer;
} blocking;

static void *run_server(void *context) {
  blocking *b = context;
  uint8_t buffer[65536];
  bytes hello = {NULL, 0, 0};
  add_hello(&hello);
  ssize_t got = recv(b->fd, buffer, sizeof buffer, 0);
  CHECK(got > 0 && send(b->fd, hello.data, hello.size, MSG_NOSIGNAL) > 0);
  bytes_free(&hello);
  while ((got = recv(b->fd, buffer, sizeof buffer, 0)) > 0) {
    bytes replies = {NULL, 0, 0};
    bytes_add(&b->peer.input, buffer, (size_t)got);
    answer(&b->peer, &replies, SIZE_MAX);
    if (replies.size > 0) {
      CHECK(send(b->fd, replies.data, replies.size, MSG_NOSIGNAL) == (ssize_t)replies.size);
    }
    bytes_free(&replies);
  }
  bytes_free(&b->peer.input);
  return NULL;
}

static void count(uint64_t taken, uint64_t total, void *context) {
  CHECK(taken <= total);
  *(int *)context += 1;
}

TEST(waits_for_large_batches) {
  int fds[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds) != 0) abort();
  blocking b = {fds[1], {.next_id = 2}};
  pthread_t thread;
  if (pthread_create(&thread, NULL, run_server, &b) != 0) abort();
  hp_client *client = hp_client_new(NULL);
  CHECK(hp_client_adopt(client, fds[0]));
  int called = 0;
  hp_client_set_progress(client, count, &called);
  hp_batch *batch = large_batch(NULL, ROWS);
  hp_reply *reply = hp_run_batch(client, once(), batch);
  CHECK(reply != NULL && hp_reply_batch(reply) != NULL && called > 4);
  hp_reply_free(reply);
  hp_batch_free(batch);
  hp_client_free(client);
  pthread_join(thread, NULL);
  CHECK(b.peer.operations == ROWS);
  close(fds[1]);
}

TEST(survives_every_failed_allocation_of_an_upload) {
  for (long number = 1;; number++) {
    failing f = {.fail_at = number};
    hp_allocator allocator = failing_allocator(&f);
    hp_async_options options = {.allocator = &allocator};
    session s = {.free_in = NULL};
    peer_state peer = {.next_id = 2};
    hp_batch *batch = large_batch(&allocator, ROWS);
    bool broken = batch == NULL || hp_batch_error(batch)->kind != HP_ERROR_NONE;
    session_open(&s, &options);
    if (s.async != NULL) {
      bytes hello = {NULL, 0, 0};
      add_hello(&hello);
      session_feed(&s, &hello);
      bytes_free(&hello);
      bytes sent = session_sent(&s);
      bytes_free(&sent);
    }
    bool well = false;
    if (s.async != NULL && !broken && s.closed_count == 0) {
      uint64_t request = hp_send_batch(s.async, once(), batch);
      if (request != 0) {
        serve(&s, &peer, SIZE_MAX);
      } else {
        CHECK(hp_async_error(s.async)->kind == HP_ERROR_MEMORY);
      }
      well = request != 0 && s.replies == 1;
      if (!well && request != 0) CHECK(s.closed.kind == HP_ERROR_MEMORY);
    }
    hp_batch_free(batch);
    session_close(&s);
    bytes_free(&peer.input);
    CHECK(f.living == 0);
    if (well) break;
    CHECK(number < 10000);
    if (number == 10000) break;
  }
}

/* Sends a batch of ROWS while it is built; the peer answers in between. Returns the request. */
static uint64_t stream(session *s, peer_state *peer, hp_batch *batch, size_t refused) {
  static char tag;
  uint64_t request = hp_send_batch_begin(s->async, &tag, batch, 1000);
  if (request == 0) return 0;
  for (int row = 0; row < ROWS; row += 1000) {
    add_rows(batch, row, row + 1000);
    if (!hp_send_batch_part(s->async, request, batch)) break;
    serve(s, peer, refused);
    if (s->async == NULL) return request;
  }
  return request;
}

TEST(sends_a_batch_while_it_is_built) {
  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  hp_batch *batch = large_batch(NULL, 0);
  peer_state peer = {.next_id = 2};
  uint64_t request = stream(&s, &peer, batch, SIZE_MAX);
  CHECK(request == 2 && peer.parts > 4 && peer.operations > ROWS / 2 && s.replies == 0);
  CHECK(s.progresses >= (int)peer.parts && hp_batch_count(batch) == ROWS);
  CHECK(hp_batch_size(batch) < 256 * 1024 + 1024);
  CHECK(hp_send_batch_end(s.async, once(), request, batch));
  CHECK(!hp_send_batch_end(s.async, once(), request, batch));
  CHECK(hp_async_error(s.async)->kind == HP_ERROR_STATE);
  /* What is asked meanwhile takes effect behind it; the batch is no longer needed. */
  hp_batch_free(batch);
  CHECK(hp_send_ping(s.async, NULL, "x", 1) > request);
  serve(&s, &peer, SIZE_MAX);
  CHECK(peer.committed && peer.pinged && s.replies == 2 && peer.operations == ROWS);
  CHECK(hp_async_in_flight(s.async) == 0 && hp_async_is_flushed(s.async));
  char expected[64];
  snprintf(expected, sizeof expected, "reply %d to %llu\n", HP_REPLY_BATCH,
           (unsigned long long)request);
  CHECK(strstr(s.log, expected) != NULL);
  bytes_free(&peer.input);
  session_close(&s);
}

TEST(sends_a_batch_of_many_elements_while_it_is_built) {
  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  hp_batch *batch = large_batch(NULL, 0);
  peer_state peer = {.next_id = 2, .expected = 45000};
  uint64_t request = hp_send_batch_begin(s.async, NULL, batch, 1000);
  add_small_rows(batch, 0, 45000);
  CHECK(hp_send_batch_part(s.async, request, batch));
  CHECK(hp_send_batch_end(s.async, once(), request, batch));
  serve(&s, &peer, SIZE_MAX);
  CHECK(peer.committed && s.replies == 1 && peer.parts > 4);
  hp_batch_free(batch);
  bytes_free(&peer.input);
  session_close(&s);
}

TEST(hands_over_the_first_refusal_of_a_batch_that_is_built) {
  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  hp_batch *batch = large_batch(NULL, 0);
  peer_state peer = {.next_id = 2};
  uint64_t request = stream(&s, &peer, batch, 2);
  CHECK(!hp_send_batch_part(s.async, request, batch));
  CHECK(hp_async_error(s.async)->kind == HP_ERROR_STATE);
  CHECK(!hp_send_batch_end(s.async, once(), request, batch));
  CHECK(!hp_send_batch_abort(s.async, request));
  CHECK(s.replies == 1 && !peer.committed && hp_async_in_flight(s.async) == 0);
  char expected[64];
  snprintf(expected, sizeof expected, "reply %d to %llu\n", HP_REPLY_ERROR,
           (unsigned long long)request);
  CHECK(strstr(s.log, expected) != NULL);
  hp_batch_free(batch);
  bytes_free(&peer.input);
  session_close(&s);
}

TEST(gives_up_a_batch_that_is_built) {
  session s = {.free_in = NULL};
  session_ready(&s, NULL);
  hp_batch *batch = large_batch(NULL, 0);
  peer_state peer = {.next_id = 2};
  uint64_t request = stream(&s, &peer, batch, SIZE_MAX);
  CHECK(hp_send_batch_abort(s.async, request));
  CHECK(!hp_send_batch_abort(s.async, request));
  CHECK(!hp_send_batch_part(s.async, request, batch));
  CHECK(hp_send_ping(s.async, NULL, "x", 1) > request);
  serve(&s, &peer, SIZE_MAX);
  CHECK(peer.aborted && peer.pinged && s.replies == 1);
  CHECK(!hp_send_batch_abort(s.async, request) && hp_async_in_flight(s.async) == 0);
  hp_batch_free(batch);
  bytes_free(&peer.input);
  session_close(&s);
}

TEST(waits_for_a_batch_that_is_built) {
  int fds[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds) != 0) abort();
  blocking b = {fds[1], {.next_id = 2}};
  pthread_t thread;
  if (pthread_create(&thread, NULL, run_server, &b) != 0) abort();
  hp_client *client = hp_client_new(NULL);
  CHECK(hp_client_adopt(client, fds[0]));
  hp_batch *batch = large_batch(NULL, 0);
  uint64_t request = hp_send_batch_begin(hp_client_async(client), NULL, batch, 0);
  for (int row = 0; row < ROWS; row += 1000) {
    add_rows(batch, row, row + 1000);
    CHECK(hp_send_batch_part(hp_client_async(client), request, batch));
    CHECK(hp_client_flush_to(client, 300000));
  }
  CHECK(hp_send_batch_end(hp_client_async(client), once(), request, batch));
  hp_reply *reply = hp_client_receive(client, request);
  CHECK(reply != NULL && hp_reply_batch(reply) != NULL);
  hp_reply_free(reply);
  hp_batch_free(batch);
  hp_client_free(client);
  pthread_join(thread, NULL);
  CHECK(b.peer.operations == ROWS);
  close(fds[1]);
}

TEST(survives_every_failed_allocation_of_a_batch_that_is_built) {
  for (long number = 1;; number++) {
    failing f = {.fail_at = number};
    hp_allocator allocator = failing_allocator(&f);
    hp_async_options options = {.allocator = &allocator};
    session s = {.free_in = NULL};
    peer_state peer = {.next_id = 2};
    hp_batch *batch = large_batch(&allocator, 0);
    session_open(&s, &options);
    if (s.async != NULL) {
      bytes hello = {NULL, 0, 0};
      add_hello(&hello);
      session_feed(&s, &hello);
      bytes_free(&hello);
      bytes sent = session_sent(&s);
      bytes_free(&sent);
    }
    bool well = false;
    if (s.async != NULL && batch != NULL && s.closed_count == 0) {
      uint64_t request = stream(&s, &peer, batch, SIZE_MAX);
      bool built = request != 0 && hp_batch_count(batch) == ROWS;
      if (built && hp_send_batch_end(s.async, once(), request, batch)) {
        serve(&s, &peer, SIZE_MAX);
        well = s.replies == 1;
        if (!well) CHECK(s.closed.kind == HP_ERROR_MEMORY);
      } else {
        hp_error_kind kind = hp_async_error(s.async)->kind;
        CHECK(kind == HP_ERROR_MEMORY || hp_batch_error(batch)->kind == HP_ERROR_MEMORY);
      }
    }
    hp_batch_free(batch);
    session_close(&s);
    bytes_free(&peer.input);
    CHECK(f.living == 0);
    if (well) break;
    CHECK(number < 10000);
    if (number == 10000) break;
  }
}
