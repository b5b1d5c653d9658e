#include <string.h>

#include "hp/v1/frame.pb-c.h"
#include "sending.h"
#include "upload.h"

/* A batch that is sent while it is built: each frame is a request like any other, and the outcome
 * stands under the id of the first one. */

static bool refuse(hp_async *async, hp_error_kind kind, const char *why) {
  hp_error_set(&async->error, kind, 0, HP_CODE_NONE, why);
  return false;
}

/* Begins a frame of an upload; the caller writes its body. */
static bool begin(hp_request *request, hp_async *async, const hp_envelope *envelope,
                  uint32_t number, hp_upload_role role, const hp_upload *upload) {
  if (!hp_request_begin(request, async, envelope, number)) return false;
  request->waiting.role = role;
  request->waiting.upload = upload->number;
  hp_write_uint(&request->writer, 1, upload->number);
  return true;
}

static bool end(hp_request *request, hp_upload *upload) {
  hp_async *async = request->async;
  if (hp_request_end(request) == 0) return false;
  async->upload_waiting += 1;
  upload->unanswered += 1;
  return true;
}

/* One part. A `head` has all of the batch but its operations. */
static bool send_part(hp_async *async, hp_upload *upload, const hp_batch *head,
                      const void *operations, size_t size, size_t elements) {
  hp_request request;
  if (!begin(&request, async, NULL, HP__V1__CLIENT_FRAME__REQUEST_UPLOAD_PART, HP_UPLOAD_PART,
             upload)) {
    return false;
  }
  hp_write_uint(&request.writer, 2, upload->parts);
  size_t batch = hp_write_begin(&request.writer, 3);
  if (head != NULL) hp_write_batch_head(&request.writer, head);
  if (size > 0) hp_write_raw(&request.writer, operations, size);
  request.writer.elements += elements;
  hp_write_end(&request.writer, batch);
  if (!end(&request, upload)) return false;
  upload->parts += 1;
  return true;
}

/* The upload of a batch, as long as its outcome is to come. */
static hp_upload *open_upload(hp_async *async, uint64_t number, const hp_batch *batch) {
  hp_upload *upload = hp_upload_find(async, number);
  if (upload == NULL || !upload->streamed || upload->over || upload->told) {
    refuse(async, HP_ERROR_STATE, "the batch is not being sent, or its outcome is there");
    return NULL;
  }
  if (batch != NULL && batch->error.kind != HP_ERROR_NONE) {
    async->error = batch->error;
    return NULL;
  }
  return upload;
}

uint64_t hp_send_batch_begin(hp_async *async, void *tag, const hp_batch *batch, uint64_t bytes) {
  hp_request request;
  if (!hp_request_begin(&request, async, NULL, HP__V1__CLIENT_FRAME__REQUEST_UPLOAD_BEGIN)) {
    return 0;
  }
  uint64_t number = request.waiting.id;
  request.waiting.role = HP_UPLOAD_BEGIN;
  request.waiting.upload = number;
  hp_write_uint(&request.writer, 1, number);
  if (bytes != 0) hp_write_uint(&request.writer, 2, bytes);
  if (hp_request_end(&request) == 0) return 0;
  async->upload_waiting += 1;
  hp_upload *upload = hp_upload_add_streamed(async, number);
  if (upload == NULL) {
    hp_async_end(async, HP_ERROR_MEMORY, 0, HP_CODE_NONE, "no memory for the request");
    return 0;
  }
  upload->unanswered = 1;
  upload->tag = tag;
  upload->total = bytes;
  if (batch->error.kind == HP_ERROR_NONE && send_part(async, upload, batch, NULL, 0, 0)) {
    return number;
  }
  hp_error why = batch->error.kind != HP_ERROR_NONE ? batch->error : async->error;
  hp_send_batch_abort(async, number);
  async->error = why;
  return 0;
}

bool hp_send_batch_part(hp_async *async, uint64_t number, hp_batch *batch) {
  hp_upload *upload = open_upload(async, number, batch);
  if (upload == NULL) return false;
  size_t sent = 0;
  while (sent < batch->chunk_count &&
         send_part(async, upload, NULL, batch->chunks[sent]->bytes, batch->chunks[sent]->size,
                   batch->chunks[sent]->elements)) {
    sent += 1;
  }
  hp_batch_drop_chunks(batch, sent);
  return batch->chunk_count == 0;
}

bool hp_send_batch_end(hp_async *async, const hp_envelope *envelope, uint64_t number,
                       hp_batch *batch) {
  if (!hp_send_batch_part(async, number, batch)) return false;
  hp_upload *upload = open_upload(async, number, batch);
  if (upload == NULL) return false;
  if (hp_buffer_size(&batch->pending) > 0) {
    return refuse(async, HP_ERROR_ARGUMENT, "a condition stands after the last operation");
  }
  hp_buffer *rest = &batch->operations;
  if (hp_buffer_size(rest) > 0) {
    if (!send_part(async, upload, NULL, rest->bytes + rest->start, hp_buffer_size(rest),
                   batch->operation_elements)) {
      return false;
    }
    hp_buffer_clear(rest);
    batch->operation_elements = 0;
  }
  hp_request request;
  if (!begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_UPLOAD_COMMIT,
             HP_UPLOAD_COMMIT, upload)) {
    return false;
  }
  hp_write_uint(&request.writer, 2, upload->parts);
  if (!end(&request, upload)) return false;
  upload->over = true;
  return true;
}

bool hp_send_batch_abort(hp_async *async, uint64_t number) {
  hp_upload *upload = hp_upload_find(async, number);
  if (upload == NULL || !upload->streamed || upload->told) return false;
  upload->told = true;
  if (upload->over) return true;
  hp_request request;
  if (!begin(&request, async, NULL, HP__V1__CLIENT_FRAME__REQUEST_UPLOAD_ABORT, HP_UPLOAD_ABORT,
             upload)) {
    return false;
  }
  upload->over = true;
  return end(&request, upload);
}
