/*
 * The asynchronous core: one connection that never blocks, for any event loop.
 *
 * The loop polls hp_async_fd for hp_async_events, at most hp_async_timeout milliseconds, and
 * then calls hp_async_process, which reads, writes and calls the callbacks. The library starts
 * no thread, sets no signal handler, keeps no global state, and writes with MSG_NOSIGNAL.
 * A connection is used by one thread at a time.
 *
 * Callbacks may call any function of the connection they came from, also hp_async_free (its
 * memory is then kept until hp_async_process returns) but not hp_async_process itself.
 */
#ifndef HP_ASYNC_H
#define HP_ASYNC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hp/compiler.h"
#include "hp/error.h"
#include "hp/event.h"
#include "hp/reply.h"
#include "hp/value.h"

HP_BEGIN_DECLS

/** The largest frames that are sent and taken (SPEC 9). */
#define HP_FRAME_UP (1024u * 1024u)
#define HP_FRAME_DOWN (4u * 1024u * 1024u)
/** Elements in one frame that is sent: messages, and members of lists. */
#define HP_FRAME_UP_ELEMENTS 200000u
/** Elements in one frame that is taken; unknown fields count. */
#define HP_FRAME_ELEMENTS 1000000u
/** Bytes that may wait to be sent, in all. */
#define HP_OUTPUT_LIMIT (8u * 1024u * 1024u)
/** Bytes that a joined reply or change may have; see `join_limit`. */
#define HP_JOIN_LIMIT (64u * 1024u * 1024u)
/** Requests in flight before the server told its own limit. */
#define HP_REQUESTS_IN_FLIGHT 1024u
/** Milliseconds for connecting and the hello. */
#define HP_CONNECT_TIMEOUT 5000

typedef struct hp_async hp_async;

/** Where memory comes from. `allocate` may fail by returning NULL at any time; `release` gets
 * what `allocate` returned, never NULL. Both must work for as long as any object lives that was
 * made with them, replies and events included. */
typedef struct hp_allocator {
  void *(*allocate)(void *context, size_t size);
  void (*release)(void *context, void *memory);
  void *context;
} hp_allocator;

/** All of it may be zero. The texts are copied. */
typedef struct hp_async_options {
  const char *client_name; /**< NULL: "hpclient" */
  const char *actor;       /**< NULL: the name of the user is left to the server */
  const char *const *features; /**< named features the caller can fold, beside the library's own */
  size_t feature_count;
  const char *resume_token;
  int connect_timeout;     /**< milliseconds for connecting and the hello; 0: HP_CONNECT_TIMEOUT */
  bool separate_parts;     /**< hand over the parts of a change as they come, do not join them */
  /** Bytes of one joined change or reply; 0: HP_JOIN_LIMIT. A larger change is handed over in
   * parts (`last` false until the last); a larger reply ends the connection (HP_ERROR_PROTOCOL). */
  size_t join_limit;
  const hp_allocator *allocator; /**< NULL: malloc and free. The struct is copied. */
} hp_async_options;

/** What is called from hp_async_process. Each may be NULL. */
typedef struct hp_callbacks {
  /** The server answered the hello. `hello` lives as long as the connection. */
  void (*hello)(hp_async *async, const hp_hello *hello, void *context);
  /** A reply came. It belongs to the callback: hp_reply_free. Without this callback replies are
   * freed. */
  void (*reply)(hp_async *async, hp_reply *reply, void *context);
  /** An event came; valid until the callback returns, unless hp_event_take keeps it. */
  void (*event)(hp_async *async, const hp_event *event, void *context);
  /** The server said goodbye; `closed` follows when the connection has ended. Valid until the
   * callback returns. */
  void (*goodbye)(hp_async *async, const hp_goodbye *goodbye, void *context);
  /** The connection is over: all that came before its end has been delivered, the reason is the
   * server's where it gave one (contract F7). Called once. Requests still unanswered have an
   * unknown outcome; none of them gets a reply. */
  void (*closed)(hp_async *async, const hp_error *error, void *context);
  /** A batch that does not fit one frame is on its way: the server has `taken` of `total` bytes.
   * `request` is what hp_send_batch or hp_send_batch_begin returned; with the latter `total` is what
   * was announced, or `taken` where that is more. Nothing is applied before all of it is there. */
  void (*progress)(hp_async *async, uint64_t request, uint64_t taken, uint64_t total,
                   void *context);
} hp_callbacks;

/**
 * Finds the daemon's socket (SPEC 12): `path` when it is given, else $HPD_SOCKET, else the first of
 * $XDG_RUNTIME_DIR/hpd/hpd.sock, /run/user/UID/hpd/hpd.sock and /tmp/hpd-UID/hpd.sock where
 * there is a socket, else the first of them. A directory below /tmp is taken only when it
 * belongs to the caller and nobody else may write to it.
 *
 * Writes the path to `buffer` (108 bytes are always enough). Returns false with
 * HP_ERROR_SOCKET_PATH in `error` (may be NULL) when there is none, it is longer than 107 bytes,
 * or does not fit `size`.
 */
HP_API HP_CHECK bool hp_socket_path(const char *path, char *buffer, size_t size, hp_error *error);

/**
 * Makes a connection that is not open yet. `options` may be NULL; `callbacks` is copied;
 * `context` is handed to each callback.
 *
 * Returns NULL when memory runs out. Free it with hp_async_free.
 */
HP_API HP_CHECK hp_async *hp_async_new(const hp_async_options *options,
                                       const hp_callbacks *callbacks, void *context);

/** Closes and frees a connection without calling back. NULL is allowed. Requests in flight have an
 * unknown outcome. */
HP_API void hp_async_free(hp_async *async);

/**
 * Begins to connect to the socket at `path` (NULL: found by hp_socket_path) and to say hello.
 * Requests may be sent at once; they follow the hello.
 *
 * Returns false when it failed already, see hp_async_error; `closed` is not called then.
 */
HP_API HP_CHECK bool hp_async_connect(hp_async *async, const char *path);

/** Like hp_async_connect, over a connected stream socket. The connection closes `fd` in the end,
 * unless this returns false. */
HP_API HP_CHECK bool hp_async_adopt(hp_async *async, int fd);

/** The descriptor to poll, or -1. It may change while connecting: ask before each poll. */
HP_API HP_PURE int hp_async_fd(const hp_async *async);

/** The events to poll for: POLLIN, POLLOUT or both (0: none). */
HP_API HP_PURE short hp_async_events(const hp_async *async);

/** Milliseconds until hp_async_process has to be called in any case, or -1. */
HP_API int hp_async_timeout(const hp_async *async);

/**
 * Does what is due. `revents` is what poll said (0 when its time ran out).
 *
 * Returns false when the connection is over; `closed` has been called then, once. A call reads at
 * most about 256 KiB beside the frame it is in, so one connection cannot starve the loop.
 */
HP_API bool hp_async_process(hp_async *async, short revents);

/** Ends the connection from this side. `closed` is not called. */
HP_API void hp_async_close(hp_async *async);

/** Whether it can send and receive (also while still connecting). */
HP_API HP_PURE bool hp_async_is_open(const hp_async *async);

/** Whether everything sent so far was given to the kernel. */
HP_API HP_PURE bool hp_async_is_flushed(const hp_async *async);

/** How many requests wait for their reply. */
HP_API HP_PURE size_t hp_async_in_flight(const hp_async *async);

/** What the server's hello said, or NULL before it came. Lives as long as the connection. */
HP_API HP_PURE const hp_hello *hp_async_hello(const hp_async *async);

/** The last error, never NULL (kind HP_ERROR_NONE: none). One that ended the connection stays;
 * one of a send function is replaced by the next send. Lives as long as the connection. */
HP_API HP_PURE const hp_error *hp_async_error(const hp_async *async);

HP_END_DECLS

#endif
