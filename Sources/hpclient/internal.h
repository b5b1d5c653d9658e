/*
 * What the files of the library share. Not installed. Comes before any header of the system, since
 * it says what is asked of that.
 *
 * Layers, each only calling down: memory and buffer; encode and scan; make (protobuf structs to
 * public ones); async (descriptor and frames); send; client (blocking); run.
 */
#ifndef HP_INTERNAL_H
#define HP_INTERNAL_H

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hp/client.h"

/* memory.c */

/** Fills in malloc and free where `allocator` is NULL. */
hp_allocator hp_allocator_or_default(const hp_allocator *allocator);
void *hp_allocate(const hp_allocator *allocator, size_t size);
/** NULL is allowed. */
void hp_release(const hp_allocator *allocator, void *memory);
/** A copy of `text` (NULL stays NULL). Sets `*failed` when memory runs out. */
char *hp_copy_text(const hp_allocator *allocator, const char *text, bool *failed);

/** Memory that is given back all at once. The arena itself lives in its first chunk. */
typedef struct hp_arena hp_arena;

/** Returns NULL when memory runs out. `expected` is a guess of what will be needed. */
hp_arena *hp_arena_new(const hp_allocator *allocator, size_t expected);
/** Aligned for any object; NULL when memory runs out (or at overflow). Not cleared. */
void *hp_arena_take(hp_arena *arena, size_t size);
void *hp_arena_take_array(hp_arena *arena, size_t count, size_t size);
/** Keeps the first chunk for the next use, gives the others back. */
void hp_arena_reset(hp_arena *arena);
size_t hp_arena_bytes(const hp_arena *arena);
/** NULL is allowed. */
void hp_arena_free(hp_arena *arena);

/* buffer.c */

/** Bytes between `start` and `end`; grows at the end, is consumed at the start. */
typedef struct hp_buffer {
  const hp_allocator *allocator;
  uint8_t *bytes;
  size_t start;
  size_t end;
  size_t capacity;
} hp_buffer;

void hp_buffer_init(hp_buffer *buffer, const hp_allocator *allocator);
void hp_buffer_free(hp_buffer *buffer);
static inline size_t hp_buffer_size(const hp_buffer *buffer) {
  return buffer->end - buffer->start;
}
/** Makes room for `more` bytes after `end`. False when memory runs out. */
bool hp_buffer_reserve(hp_buffer *buffer, size_t more);
bool hp_buffer_append(hp_buffer *buffer, const void *bytes, size_t size);
/** Drops bytes at the start; gives a large block back once it is empty. */
void hp_buffer_consume(hp_buffer *buffer, size_t size);
void hp_buffer_clear(hp_buffer *buffer);

/* error.c */

/** Sets all of `error`; the message is cut at a whole character. */
void hp_error_set(hp_error *error, hp_error_kind kind, int system, hp_code code,
                  const char *message);
/** "what: strerror". */
void hp_error_set_system(hp_error *error, hp_error_kind kind, int system, const char *what);

/* text.c */

/** Whether `size` bytes are valid UTF-8 without NUL. */
bool hp_text_is_valid(const uint8_t *bytes, size_t size);

/* encode.c: protobuf's encoding, fields in rising order. */

/** Writes to `out` until something fails; then `fault` says what and nothing more is written. */
typedef struct hp_writer {
  hp_buffer *out;
  hp_error_kind fault;
  const char *why;
  size_t elements; /* messages and packed numbers so far, which a frame has a limit of */
} hp_writer;

void hp_writer_init(hp_writer *writer, hp_buffer *out);
void hp_writer_fail(hp_writer *writer, hp_error_kind fault, const char *why);
void hp_write_raw(hp_writer *writer, const void *bytes, size_t size);
void hp_write_uint(hp_writer *writer, uint32_t number, uint64_t value);
void hp_write_sint(hp_writer *writer, uint32_t number, int64_t value);
void hp_write_bool(hp_writer *writer, uint32_t number, bool value);
void hp_write_fixed64(hp_writer *writer, uint32_t number, uint64_t value);
void hp_write_double(hp_writer *writer, uint32_t number, double value);
void hp_write_bytes(hp_writer *writer, uint32_t number, const void *bytes, size_t size);
/** NULL writes nothing; bad text is HP_ERROR_ARGUMENT. */
void hp_write_text(hp_writer *writer, uint32_t number, const char *text);
/** As hp_write_text, but NULL is an error that says `why`. */
void hp_write_name(hp_writer *writer, uint32_t number, const char *text, const char *why);
void hp_write_packed(hp_writer *writer, uint32_t number, const uint64_t *values, size_t count);
/** Opens a message in field `number` (0: only its length prefix); hand the result to
 * hp_write_end. */
size_t hp_write_begin(hp_writer *writer, uint32_t number);
void hp_write_end(hp_writer *writer, size_t mark);

/* encode_value.c: the structs of hp/value.h. */

void hp_write_cursor(hp_writer *writer, uint32_t number, hp_cursor cursor);
void hp_write_table_ref(hp_writer *writer, uint32_t number, hp_table_ref table);
void hp_write_path(hp_writer *writer, uint32_t number, hp_path path);
void hp_write_row_ref(hp_writer *writer, uint32_t number, hp_row_ref row);
/** HP_BY_NOTHING writes nothing. */
void hp_write_section_ref(hp_writer *writer, uint32_t number, hp_section_ref section);
/** As hp_write_section_ref, but HP_BY_NOTHING is an error. */
void hp_write_needed_section(hp_writer *writer, uint32_t number, hp_section_ref section);
void hp_write_place(hp_writer *writer, uint32_t number, hp_place place);
void hp_write_section_place(hp_writer *writer, uint32_t number, hp_section_place place);
void hp_write_basis(hp_writer *writer, uint32_t number, hp_basis basis);
void hp_write_cell(hp_writer *writer, uint32_t number, const hp_cell *cell, bool named);
void hp_write_cells(hp_writer *writer, uint32_t number, const hp_cell *cells, size_t count);
void hp_write_new_row(hp_writer *writer, uint32_t number, const hp_new_row *row);
/** Without the id: that is given by the server. */
void hp_write_column(hp_writer *writer, uint32_t number, const hp_column *column);
void hp_write_header_footer(hp_writer *writer, uint32_t number, const hp_header_footer *value);
void hp_write_sentinel(hp_writer *writer, uint32_t number, const hp_sentinel *value);
void hp_write_policy(hp_writer *writer, uint32_t number, const hp_policy *policy);
/** NULL writes nothing. */
void hp_write_filter(hp_writer *writer, uint32_t number, const hp_filter *filter);
void hp_write_sort(hp_writer *writer, uint32_t number, const hp_sort *sort);
void hp_write_animation(hp_writer *writer, uint32_t number, hp_animation animation);

/* batch.c */

/** Writes the fields of hp.v1.Batch. */
void hp_write_batch(hp_writer *writer, const hp_batch *batch);
/** Those that are not operations. */
void hp_write_batch_head(hp_writer *writer, const hp_batch *batch);

/* frame.c */

/** The outside of a server frame; `body` points into the frame. */
typedef enum hp_frame_kind { HP_FRAME_REPLY = 1, HP_FRAME_EVENT = 2, HP_FRAME_GOODBYE = 3 }
    hp_frame_kind;

typedef struct hp_frame {
  hp_frame_kind kind;
  uint64_t id; /* reply */
  bool more;
  uint64_t subscription; /* event */
  uint64_t from;
  uint32_t part;
  bool last;
  uint32_t number; /* field of the body in Reply or Event; 0: none known */
  const uint8_t *body;
  size_t size;
} hp_frame;

/** Length of the frame at the front of `bytes`. Returns 1 and sets both, 0 while the prefix is
 * not whole, -1 when it is none or above `limit`. */
int hp_frame_length(const uint8_t *bytes, size_t size, size_t limit, size_t *prefix,
                    size_t *length);
/** Checks one frame against the schema and takes its outside apart. Returns NULL, or what is
 * wrong with it. */
const char *hp_frame_parse(const uint8_t *bytes, size_t size, hp_frame *frame);

/* scan.c */

struct ProtobufCMessageDescriptor;

/** Checks an encoded message before it is unpacked: lengths, wire types, widths, text, fields set
 * twice, depth and the number of elements, which is taken from `*elements`. Returns NULL, or what
 * is wrong with it. */
const char *hp_scan(const struct ProtobufCMessageDescriptor *descriptor, const uint8_t *bytes,
                    size_t size, unsigned depth, size_t *elements);
/** One varint. Returns its length or 0. */
size_t hp_scan_varint(const uint8_t *bytes, size_t size, uint64_t *value);

/* make.c, make_value.c, make_change.c, make_event.c, make_reply.c */

/** Builds public structs in `arena` from protobuf ones in `scratch`. */
typedef struct hp_maker {
  hp_arena *arena;   /* what is made */
  hp_arena *scratch; /* what was unpacked */
  hp_error_kind fault; /* HP_ERROR_MEMORY or HP_ERROR_PROTOCOL */
  const char *why;
} hp_maker;

void hp_maker_fail(hp_maker *maker, hp_error_kind fault, const char *why);
/** `count` objects, zeroed; NULL for none, and when memory runs out (a fault). */
void *hp_make_array(hp_maker *maker, size_t count, size_t size);
const char *hp_make_text(hp_maker *maker, const char *text);
const uint8_t *hp_make_bytes(hp_maker *maker, const uint8_t *bytes, size_t size);
/** Unpacks into the scratch arena; NULL is a fault. */
void *hp_make_unpack(hp_maker *maker, const struct ProtobufCMessageDescriptor *descriptor,
                     const uint8_t *bytes, size_t size);

/** A reply with its arena. */
struct hp_reply {
  hp_arena *arena;
  hp_reply *next; /* of the blocking layer's kept replies */
  hp_reply_kind kind;
  uint64_t request;
  void *tag;
  const void *value; /* the struct of its kind */
  hp_cursor cursor;
  uint32_t number;
  const uint8_t *body;
  size_t size;
};

/** An event with its arena; `event` is what the caller sees. */
typedef struct hp_event_box {
  hp_arena *arena;
  struct hp_event_box *next; /* of the blocking layer's queue */
  bool taken;
  hp_event event;
} hp_event_box;

static inline hp_event_box *hp_event_box_of(const hp_event *event) {
  return (hp_event_box *)((uintptr_t)event - offsetof(hp_event_box, event));
}

/** Makes the reply's value from its encoded result, field `number` of hp.v1.Reply. */
bool hp_make_reply(hp_maker *maker, hp_reply *reply, uint32_t number, const uint8_t *body,
                   size_t size);
bool hp_make_hello(hp_maker *maker, hp_hello *hello, const uint8_t *body, size_t size);
bool hp_make_event(hp_maker *maker, hp_event *event, uint32_t number, const uint8_t *body,
                   size_t size);
bool hp_make_goodbye(hp_maker *maker, hp_goodbye *goodbye, const uint8_t *body, size_t size);
/** A deep copy in the maker's arena. */
const hp_goodbye *hp_copy_goodbye(hp_maker *maker, const hp_goodbye *goodbye);

/* async.c, receive.c, subscription.c */

typedef struct hp_waiting {
  uint64_t id;
  void *tag;
  uint32_t number;       /* field of the request in hp.v1.ClientFrame */
  uint64_t subscription; /* unsubscribe: which */
  bool discard;          /* nobody waits for the reply any more */
  bool any;              /* sent encoded: any result will do */
  bool skip;             /* never sent: no reply comes */
  int role;              /* hp_upload_role */
  uint64_t upload;       /* which, with a role */
} hp_waiting;

typedef struct hp_subscription {
  uint64_t id;
  hp_buffer parts;  /* of the change that is not whole yet */
  bool begun;       /* parts of a change have come */
  bool apart;       /* this change is handed over in parts */
  uint32_t part;    /* the last one that came */
  uint64_t from;
} hp_subscription;

typedef enum hp_async_state {
  HP_STATE_NEW,
  HP_STATE_CONNECTING, /* the listener's queue was full: try again */
  HP_STATE_OPEN,
  HP_STATE_DRAINING, /* writing failed: read to the end (contract F7) */
  HP_STATE_OVER
} hp_async_state;

struct hp_async {
  hp_allocator allocator;
  hp_callbacks callbacks;
  void *context;
  hp_async_state state;
  int fd;
  char path[108];
  int64_t deadline;   /* of connect and hello, or of draining; 0: none */
  int64_t next_try;   /* of connect */
  int connect_timeout;
  bool separate_parts;
  size_t join_limit;
  bool processing;
  bool freed;
  bool hello_came;
  hp_error error;     /* what the caller sees */
  hp_error write_error;
  hp_buffer input;
  hp_buffer output;
  uint64_t last_id;
  struct hp_upload *uploads; /* oldest first, until they are answered */
  size_t upload_waiting;     /* requests in the ring that are not the caller's */
  /* Requests without a reply: a ring. */
  hp_waiting *waiting;
  size_t waiting_first;
  size_t waiting_count;
  size_t waiting_capacity;
  uint64_t answered;  /* last id that was answered in whole */
  hp_buffer parts;    /* of the first one's reply */
  uint32_t parts_number;
  bool parts_begun;
  hp_subscription *subscriptions; /* by rising id */
  size_t subscription_count;
  size_t subscription_capacity;
  hp_arena *scratch;
  hp_arena *hello_arena;
  hp_hello *hello;
  hp_arena *goodbye_arena;
  hp_goodbye *goodbye;
};

int64_t hp_now(void);
/** Ends the connection: no more reading, `closed` is called. */
void hp_async_end(hp_async *async, hp_error_kind kind, int system, hp_code code,
                  const char *message);
/** Handles all whole frames that were read. */
void hp_async_receive(hp_async *async);
/** Gives output to the kernel. */
void hp_async_write(hp_async *async);
/** The reply to `request` will be thrown away. */
void hp_async_discard(hp_async *async, uint64_t request);
/** Whether the request waits for its reply. */
bool hp_async_waits_for(const hp_async *async, uint64_t request);
bool hp_async_queue_hello(hp_async *async, const hp_async_options *options);

hp_subscription *hp_async_subscription(hp_async *async, uint64_t id);
bool hp_async_add_subscription(hp_async *async, uint64_t id);
void hp_async_drop_subscription(hp_async *async, uint64_t id);

/* sync.c */

/** Polls one descriptor (or none, -1), and leaves what came in `*revents`. Returns 0, or errno. */
int hp_poll(int fd, short events, int milliseconds, short *revents);

/* send.c */

/** The request that waits longest, or NULL. */
hp_waiting *hp_async_first_waiting(hp_async *async);
/** Room for one more in the ring. */
bool hp_async_reserve_waiting(hp_async *async);
void hp_async_push_waiting(hp_async *async, hp_waiting waiting);
void hp_async_pop_waiting(hp_async *async);
/** Marks requests as never sent; the tag of the last. */
void *hp_async_skip(hp_async *async, uint64_t first, uint64_t last);
/** Takes those at the front out that were never sent. */
void hp_async_drop_skipped(hp_async *async);

#endif
