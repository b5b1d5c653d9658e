#include "upload.h"

#include <string.h>

#include "hp/v1/frame.pb-c.h"
#include "sending.h"

/* What a frame may have beside the batch: lengths, ids, key. */
#define FRAME_SPARE 512
#define ELEMENT_SPARE 16

static size_t frame_limit(const hp_async *async) {
  uint64_t told = async->hello_came ? async->hello->limits.frame_up : 0;
  return told != 0 && told < HP_FRAME_UP ? (size_t)told : HP_FRAME_UP;
}

static size_t element_limit(const hp_async *async) {
  uint64_t told = async->hello_came ? async->hello->limits.elements : 0;
  return told != 0 && told < HP_FRAME_UP_ELEMENTS ? (size_t)told : HP_FRAME_UP_ELEMENTS;
}

/* Whether so much of a batch fits a frame. */
static bool fits(const hp_async *async, size_t size, size_t elements) {
  return size + FRAME_SPARE <= frame_limit(async) &&
         elements + ELEMENT_SPARE <= element_limit(async);
}

bool hp_upload_is_needed(const hp_async *async, const hp_envelope *envelope,
                         const hp_batch *batch) {
  size_t key = envelope != NULL && envelope->key != NULL ? strlen(envelope->key) : 0;
  return !fits(async, hp_batch_size(batch) + key, hp_batch_elements(batch));
}

static void upload_free(hp_async *async, hp_upload *upload) {
  for (size_t i = 0; i < upload->chunk_count; i++) hp_chunk_release(upload->chunks[i]);
  hp_release(&async->allocator, upload->chunks);
  hp_buffer_free(&upload->head);
  hp_buffer_free(&upload->envelope);
  hp_buffer_free(&upload->behind);
  hp_release(&async->allocator, upload);
}

void hp_upload_free_all(hp_async *async) {
  while (async->uploads != NULL) {
    hp_upload *next = async->uploads->next;
    upload_free(async, async->uploads);
    async->uploads = next;
  }
}

/* Holds what the batch has now: it may be changed or freed from here on. */
static bool hold(hp_async *async, hp_upload *upload, const hp_batch *batch) {
  size_t open = hp_buffer_size(&batch->operations);
  size_t count = batch->chunk_count + (open > 0 ? 1 : 0);
  if (count > SIZE_MAX / sizeof *upload->chunks) return false;
  upload->chunks = hp_allocate(&async->allocator, count * sizeof *upload->chunks);
  if (upload->chunks == NULL) return false;
  for (size_t i = 0; i < batch->chunk_count; i++) {
    upload->chunks[i] = batch->chunks[i];
    upload->chunks[i]->holders += 1;
  }
  upload->chunk_count = batch->chunk_count;
  if (open > 0) {
    hp_chunk *copy = hp_chunk_new(&batch->allocator,
                                  batch->operations.bytes + batch->operations.start, open,
                                  batch->operation_elements);
    if (copy == NULL) return false;
    upload->chunks[upload->chunk_count++] = copy;
  }
  return true;
}

static bool take_envelope(hp_upload *upload, const hp_envelope *envelope, hp_writer *writer) {
  hp_writer_init(writer, &upload->envelope);
  if (envelope != NULL) hp_write_envelope(writer, envelope);
  return writer->fault == HP_ERROR_NONE;
}

static bool push_waiting(hp_async *async, const hp_upload *upload, const hp_envelope *envelope) {
  size_t before = async->waiting_count;
  for (size_t i = 0; i < upload->parts + 2; i++) {
    if (!hp_async_reserve_waiting(async)) {
      async->waiting_count = before;
      return false;
    }
    hp_waiting waiting;
    memset(&waiting, 0, sizeof waiting);
    waiting.id = upload->first + i;
    waiting.upload = upload->number;
    if (i == 0) {
      waiting.role = HP_UPLOAD_BEGIN;
      waiting.number = HP__V1__CLIENT_FRAME__REQUEST_UPLOAD_BEGIN;
    } else if (i <= upload->parts) {
      waiting.role = HP_UPLOAD_PART;
      waiting.number = HP__V1__CLIENT_FRAME__REQUEST_UPLOAD_PART;
    } else {
      waiting.role = HP_UPLOAD_COMMIT;
      waiting.number = HP__V1__CLIENT_FRAME__REQUEST_UPLOAD_COMMIT;
      waiting.tag = envelope != NULL ? envelope->tag : NULL;
    }
    hp_async_push_waiting(async, waiting);
  }
  return true;
}

uint64_t hp_upload_begin(hp_async *async, const hp_envelope *envelope, const hp_batch *batch) {
  hp_error_kind fault = HP_ERROR_MEMORY;
  const char *why = "no memory for the request";
  if (!hp_request_may_begin(async)) return 0;
  hp_upload *upload = hp_allocate(&async->allocator, sizeof *upload);
  if (upload == NULL) goto failed;
  memset(upload, 0, sizeof *upload);
  hp_buffer_init(&upload->head, &async->allocator);
  hp_buffer_init(&upload->envelope, &async->allocator);
  hp_buffer_init(&upload->behind, &async->allocator);
  hp_writer writer;
  hp_writer_init(&writer, &upload->head);
  hp_write_batch_head(&writer, batch);
  if (writer.fault != HP_ERROR_NONE || !take_envelope(upload, envelope, &writer)) {
    fault = writer.fault;
    why = writer.why;
    goto failed;
  }
  size_t head_elements = batch->condition_elements + batch->count_elements;
  if (!fits(async, hp_buffer_size(&upload->head), head_elements)) {
    fault = HP_ERROR_TOO_LARGE;
    why = "the conditions of the batch are larger than a frame may be";
    goto failed;
  }
  if (!hold(async, upload, batch)) goto failed;
  for (size_t i = 0; i < upload->chunk_count; i++) {
    upload->total += upload->chunks[i]->size;
    if (!fits(async, upload->chunks[i]->size, upload->chunks[i]->elements)) {
      fault = HP_ERROR_TOO_LARGE;
      why = "an operation is larger than a frame may be";
      goto failed;
    }
  }
  upload->head_alone =
      upload->chunk_count == 0 ||
      !fits(async, hp_buffer_size(&upload->head) + upload->chunks[0]->size,
            head_elements + upload->chunks[0]->elements);
  upload->total += hp_buffer_size(&upload->head);
  upload->parts = upload->chunk_count + (upload->head_alone ? 1 : 0);
  upload->first = async->last_id + 1;
  upload->number = upload->first;
  if (!push_waiting(async, upload, envelope)) goto failed;
  async->upload_waiting += upload->parts + 1;
  async->last_id += upload->parts + 2;
  hp_upload **end = &async->uploads;
  while (*end != NULL) end = &(*end)->next;
  *end = upload;
  return async->last_id;

failed:
  if (upload != NULL) upload_free(async, upload);
  hp_error_set(&async->error, fault, 0, HP_CODE_NONE, why);
  return 0;
}

static bool is_written(const hp_upload *upload) {
  return upload->streamed || upload->written == upload->parts + 2;
}

hp_buffer *hp_upload_output(hp_async *async) {
  hp_upload *last = NULL;
  for (hp_upload *upload = async->uploads; upload != NULL; upload = upload->next) {
    if (!upload->streamed) last = upload;
  }
  return last == NULL || is_written(last) ? &async->output : &last->behind;
}

/* The oldest one of which frames are to be written. */
static hp_upload *unwritten(const hp_async *async) {
  hp_upload *upload = async->uploads;
  while (upload != NULL && is_written(upload)) upload = upload->next;
  return upload;
}

bool hp_upload_waits(const hp_async *async) { return unwritten(async) != NULL; }

size_t hp_upload_behind(const hp_async *async) {
  size_t bytes = 0;
  for (hp_upload *upload = async->uploads; upload != NULL; upload = upload->next) {
    bytes += hp_buffer_size(&upload->behind);
  }
  return bytes;
}

static void write_part(hp_writer *writer, const hp_upload *upload, size_t part) {
  size_t body = hp_write_begin(writer, HP__V1__CLIENT_FRAME__REQUEST_UPLOAD_PART);
  hp_write_uint(writer, 1, upload->number);
  hp_write_uint(writer, 2, part);
  size_t batch = hp_write_begin(writer, 3);
  if (part == 0) {
    hp_write_raw(writer, upload->head.bytes + upload->head.start, hp_buffer_size(&upload->head));
  }
  if (part > 0 || !upload->head_alone) {
    const hp_chunk *chunk = upload->chunks[part - (upload->head_alone ? 1 : 0)];
    hp_write_raw(writer, chunk->bytes, chunk->size);
  }
  hp_write_end(writer, batch);
  hp_write_end(writer, body);
}

/* Writes the next frame of an upload. */
static bool write_next(hp_async *async, hp_upload *upload) {
  hp_writer writer;
  hp_writer_init(&writer, &async->output);
  size_t before = hp_buffer_size(&async->output);
  size_t frame = hp_write_begin(&writer, 0);
  hp_write_uint(&writer, 1, upload->first + upload->written);
  if (upload->written == 0) {
    size_t body = hp_write_begin(&writer, HP__V1__CLIENT_FRAME__REQUEST_UPLOAD_BEGIN);
    hp_write_uint(&writer, 1, upload->number);
    hp_write_uint(&writer, 2, upload->total);
    hp_write_end(&writer, body);
  } else if (upload->written <= upload->parts) {
    write_part(&writer, upload, upload->written - 1);
  } else {
    hp_write_raw(&writer, upload->envelope.bytes + upload->envelope.start,
                 hp_buffer_size(&upload->envelope));
    size_t body = hp_write_begin(&writer, HP__V1__CLIENT_FRAME__REQUEST_UPLOAD_COMMIT);
    hp_write_uint(&writer, 1, upload->number);
    hp_write_uint(&writer, 2, upload->parts);
    hp_write_end(&writer, body);
  }
  hp_write_end(&writer, frame);
  if (writer.fault == HP_ERROR_NONE) return true;
  async->output.end = async->output.start + before;
  return false;
}

/* What stood behind an upload goes out. */
static bool let_go(hp_async *async, hp_upload *upload) {
  upload->written = upload->parts + 2;
  if (!hp_buffer_append(&async->output, upload->behind.bytes + upload->behind.start,
                        hp_buffer_size(&upload->behind))) {
    return false;
  }
  hp_buffer_free(&upload->behind);
  return true;
}

bool hp_upload_feed(hp_async *async) {
  while (async->state == HP_STATE_OPEN &&
         hp_buffer_size(&async->output) < HP_UPLOAD_WINDOW) {
    hp_upload *upload = unwritten(async);
    if (upload == NULL) return true;
    bool wrote = upload->over || write_next(async, upload);
    if (wrote && !upload->over) upload->written += 1;
    if (wrote && (upload->over || upload->written == upload->parts + 2)) {
      wrote = let_go(async, upload);
    }
    if (!wrote) {
      hp_async_end(async, HP_ERROR_MEMORY, 0, HP_CODE_NONE, "no memory for the request");
      return false;
    }
  }
  return true;
}

/* Takes an upload that was answered out of the list; its requests may still be in the ring. */
void hp_upload_remove(hp_async *async, const hp_upload *done) {
  for (hp_upload **at = &async->uploads; *at != NULL; at = &(*at)->next) {
    if (*at != done) continue;
    hp_upload *upload = *at;
    *at = upload->next;
    upload_free(async, upload);
    return;
  }
}

hp_upload *hp_upload_find(const hp_async *async, uint64_t number) {
  hp_upload *upload = async->uploads;
  while (upload != NULL && upload->number != number) upload = upload->next;
  return upload;
}

hp_upload *hp_upload_add_streamed(hp_async *async, uint64_t number) {
  hp_upload *upload = hp_allocate(&async->allocator, sizeof *upload);
  if (upload == NULL) return NULL;
  memset(upload, 0, sizeof *upload);
  hp_buffer_init(&upload->head, &async->allocator);
  hp_buffer_init(&upload->envelope, &async->allocator);
  hp_buffer_init(&upload->behind, &async->allocator);
  upload->streamed = true;
  upload->number = number;
  upload->first = number;
  hp_upload **end = &async->uploads;
  while (*end != NULL) end = &(*end)->next;
  *end = upload;
  return upload;
}

bool hp_upload_goes_on(const hp_async *async, uint64_t request) {
  const hp_upload *upload = hp_upload_find(async, request);
  return upload != NULL && upload->streamed && !upload->told;
}

void hp_upload_discard(hp_async *async, uint64_t request) {
  hp_upload *upload = hp_upload_find(async, request);
  if (upload != NULL && upload->streamed) upload->told = true;
}

/* As hp_upload_replied, of a batch that is sent while it is built: the first refusal of one of its
 * frames is its outcome, else the reply to its commit. */
static bool streamed_replied(hp_async *async, hp_upload *upload, hp_waiting *waiting,
                             bool refused, uint64_t bytes) {
  bool ends = refused || waiting->role == HP_UPLOAD_COMMIT;
  bool tells = ends && !upload->told && waiting->role != HP_UPLOAD_ABORT;
  waiting->id = upload->number;
  waiting->tag = upload->tag;
  if (ends || waiting->role == HP_UPLOAD_ABORT) upload->over = upload->told = true;
  if (!ends && !upload->told && async->callbacks.progress != NULL) {
    uint64_t total = upload->total > bytes ? upload->total : bytes;
    async->callbacks.progress(async, upload->number, bytes, total, async->context);
  }
  return tells;
}

bool hp_upload_replied(hp_async *async, hp_waiting *waiting, bool refused, uint64_t bytes) {
  hp_upload *upload = hp_upload_find(async, waiting->upload);
  if (upload != NULL && upload->streamed) {
    async->upload_waiting -= 1;
    upload->unanswered -= 1;
    bool tells = streamed_replied(async, upload, waiting, refused, bytes);
    if (upload->over && upload->unanswered == 0) hp_upload_remove(async, upload);
    return tells;
  }
  if (waiting->role != HP_UPLOAD_COMMIT) async->upload_waiting -= 1;
  /* After the first refusal nothing more of it is told. */
  if (upload == NULL || upload->over) {
    if (upload != NULL && waiting->role == HP_UPLOAD_COMMIT) hp_upload_remove(async, upload);
    return false;
  }
  uint64_t commit = upload->first + upload->parts + 1;
  if (waiting->role == HP_UPLOAD_COMMIT) {
    hp_upload_remove(async, upload);
    return true;
  }
  if (!refused) {
    if (async->callbacks.progress != NULL) {
      async->callbacks.progress(async, commit, bytes, upload->total, async->context);
    }
    return false;
  }
  /* The rest is not sent, and gets no replies. */
  upload->over = true;
  size_t sent = upload->written;
  waiting->tag = hp_async_skip(async, upload->first + sent, commit);
  async->upload_waiting -= sent <= upload->parts ? upload->parts + 1 - sent : 0;
  waiting->id = commit;
  return true;
}
