/* Batches that do not fit one frame, on their way. Not installed. */
#ifndef HP_UPLOAD_H
#define HP_UPLOAD_H

#include "builder.h"

/* Bytes that wait to be sent above which no further part is written. */
#define HP_UPLOAD_WINDOW (1024u * 1024u)

/* What a request in the ring is to an upload. */
typedef enum hp_upload_role {
  HP_UPLOAD_NONE,
  HP_UPLOAD_BEGIN,
  HP_UPLOAD_PART,
  HP_UPLOAD_COMMIT,
  HP_UPLOAD_ABORT
} hp_upload_role;

typedef struct hp_upload {
  struct hp_upload *next;
  uint64_t number;
  uint64_t first;       /* id of its begin; parts and commit follow without a gap */
  size_t parts;
  size_t written;       /* frames of it that were written, begin and commit included */
  hp_chunk **chunks;    /* held */
  size_t chunk_count;
  bool head_alone;      /* the first part has no operations */
  hp_buffer head;       /* what the first part has beside operations */
  hp_buffer envelope;   /* of the commit */
  hp_buffer behind;     /* requests that were made after it */
  size_t total;         /* bytes of its parts */
  bool over;            /* refused: the rest is not sent */
  /* Of a batch that is sent while it is built: its frames are requests like others. */
  bool streamed;
  bool told;            /* its outcome was handed over, or nobody wants it */
  size_t unanswered;    /* frames of it without a reply */
  void *tag;
} hp_upload;

/** Whether a batch has to be sent in parts. */
bool hp_upload_is_needed(const hp_async *async, const hp_envelope *envelope,
                         const hp_batch *batch);
/** Begins to send a batch in parts; the id of the request whose reply is its outcome, or 0. */
uint64_t hp_upload_begin(hp_async *async, const hp_envelope *envelope, const hp_batch *batch);
/** Writes parts while there is room. False when memory ran out: the connection is over. */
bool hp_upload_feed(hp_async *async);
/** Where a request is written that is made now: behind the last upload, if there is one. */
hp_buffer *hp_upload_output(hp_async *async);
/** Whether parts wait to be written. */
bool hp_upload_waits(const hp_async *async);
/** Bytes of requests that wait behind uploads. */
size_t hp_upload_behind(const hp_async *async);
/** Notes the reply to a request of an upload. Returns whether it is the outcome, which the
 * caller hands over under `*id` and `*tag`. */
bool hp_upload_replied(hp_async *async, hp_waiting *waiting, bool refused, uint64_t bytes);
/** Whether the outcome of a batch that is sent while it is built is still to come. */
bool hp_upload_goes_on(const hp_async *async, uint64_t request);
/** Nobody wants its outcome any more. */
void hp_upload_discard(hp_async *async, uint64_t request);
/** The upload with a number, or NULL. */
hp_upload *hp_upload_find(const hp_async *async, uint64_t number);
/** A new one at the end of the list, or NULL when memory runs out. */
hp_upload *hp_upload_add_streamed(hp_async *async, uint64_t number);
void hp_upload_remove(hp_async *async, const hp_upload *upload);
void hp_upload_free_all(hp_async *async);

#endif
