/* Shared by the files that write requests. Not installed. */
#ifndef HP_SENDING_H
#define HP_SENDING_H

#include "internal.h"

/** One request being written. */
typedef struct hp_request {
  hp_async *async;
  hp_buffer *out;
  hp_writer writer; /* writes the fields of its body */
  size_t begin;     /* of the frame in the output */
  size_t frame;
  size_t body;
  size_t frame_limit;
  size_t element_limit;
  hp_waiting waiting;
} hp_request;

/** Whether a request may be made now; else the reason stands in the connection's error. */
bool hp_request_may_begin(hp_async *async);
/** Writes the fields of an envelope. */
void hp_write_envelope(hp_writer *writer, const hp_envelope *envelope);
/** Begins a request, field `number` of hp.v1.ClientFrame. False with the reason in the
 * connection's error: nothing was begun then. */
bool hp_request_begin(hp_request *request, hp_async *async, const hp_envelope *envelope,
                      uint32_t number);
/** Queues the request. Returns its id, or 0 with the reason in the connection's error; nothing of
 * it is sent then. */
uint64_t hp_request_end(hp_request *request);

#endif
