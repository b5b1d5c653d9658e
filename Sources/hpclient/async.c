#include "upload.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* What one recv asks for, and what one call of hp_async_process reads. */
#define READ_SIZE (64 * 1024)
#define READ_TURN (256 * 1024)
/* Milliseconds between two tries while the listener's queue is full. */
#define CONNECT_PAUSE 10
/* Milliseconds in which the server's last words are read after a write failed. */
#define DRAIN_TIMEOUT 1000

int64_t hp_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

hp_async *hp_async_new(const hp_async_options *options, const hp_callbacks *callbacks,
                       void *context) {
  hp_async_options none;
  memset(&none, 0, sizeof none);
  if (options == NULL) options = &none;
  hp_allocator allocator = hp_allocator_or_default(options->allocator);
  hp_async *async = hp_allocate(&allocator, sizeof *async);
  if (async == NULL) return NULL;
  memset(async, 0, sizeof *async);
  async->allocator = allocator;
  if (callbacks != NULL) async->callbacks = *callbacks;
  async->context = context;
  async->fd = -1;
  async->connect_timeout =
      options->connect_timeout > 0 ? options->connect_timeout : HP_CONNECT_TIMEOUT;
  async->separate_parts = options->separate_parts;
  async->join_limit = options->join_limit > 0 ? options->join_limit : HP_JOIN_LIMIT;
  hp_buffer_init(&async->input, &async->allocator);
  hp_buffer_init(&async->output, &async->allocator);
  hp_buffer_init(&async->parts, &async->allocator);
  async->scratch = hp_arena_new(&async->allocator, 4096);
  /* The hello is the first frame, whatever is asked later. */
  if (async->scratch == NULL || !hp_async_queue_hello(async, options)) {
    if (async->scratch == NULL || async->error.kind == HP_ERROR_MEMORY) {
      hp_async_free(async);
      return NULL;
    }
    async->state = HP_STATE_OVER; /* bad options: the error says which */
  }
  return async;
}

static void close_descriptor(hp_async *async) {
  if (async->fd >= 0) close(async->fd);
  async->fd = -1;
  async->deadline = 0;
}

void hp_async_free(hp_async *async) {
  if (async == NULL) return;
  close_descriptor(async);
  async->state = HP_STATE_OVER;
  if (async->processing) {
    async->freed = true;
    return;
  }
  hp_allocator allocator = async->allocator;
  for (size_t i = 0; i < async->subscription_count; i++) {
    hp_buffer_free(&async->subscriptions[i].parts);
  }
  hp_release(&allocator, async->subscriptions);
  hp_release(&allocator, async->waiting);
  hp_upload_free_all(async);
  hp_buffer_free(&async->input);
  hp_buffer_free(&async->output);
  hp_buffer_free(&async->parts);
  hp_arena_free(async->scratch);
  hp_arena_free(async->hello_arena);
  hp_arena_free(async->goodbye_arena);
  hp_release(&allocator, async);
}

void hp_async_end(hp_async *async, hp_error_kind kind, int system, hp_code code,
                  const char *message) {
  if (async->state == HP_STATE_OVER) return;
  close_descriptor(async);
  async->state = HP_STATE_OVER;
  hp_error_set(&async->error, kind, system, code, message);
  if (async->callbacks.closed != NULL) {
    async->callbacks.closed(async, &async->error, async->context);
  }
}

static void end_by_system(hp_async *async, hp_error_kind kind, int system, const char *what) {
  hp_error error;
  hp_error_set_system(&error, kind, system, what);
  hp_async_end(async, kind, system, HP_CODE_NONE, error.message);
}

/* Connecting */

/* A non-blocking Unix socket connects at once, or says EAGAIN while the listener's queue is
 * full; it is never in progress. Returns 0, or errno. */
static int try_to_connect(hp_async *async) {
  struct sockaddr_un address;
  memset(&address, 0, sizeof address);
  address.sun_family = AF_UNIX;
  memcpy(address.sun_path, async->path, strlen(async->path) + 1);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return errno;
  int result;
  do {
    result = connect(fd, (const struct sockaddr *)&address, sizeof address);
  } while (result < 0 && errno == EINTR);
  if (result < 0) {
    int system = errno;
    close(fd);
    return system;
  }
  async->fd = fd;
  async->state = HP_STATE_OPEN;
  return 0;
}

static void connect_failure(const hp_async *async, int system, hp_error *error) {
  char what[sizeof async->path + 32] = "cannot connect to ";
  memcpy(what + strlen(what), async->path, strlen(async->path) + 1);
  hp_error_kind kind = system == ENOENT || system == ECONNREFUSED || system == ENOTSOCK ||
                               system == ENOTDIR || system == EACCES || system == EPROTOTYPE
                           ? HP_ERROR_CONNECT
                           : HP_ERROR_SYSTEM;
  hp_error_set_system(error, kind, system, what);
}

static bool may_begin(hp_async *async) {
  if (async->state == HP_STATE_NEW) return true;
  if (async->error.kind == HP_ERROR_NONE) {
    hp_error_set(&async->error, HP_ERROR_STATE, 0, HP_CODE_NONE,
                 "the connection was opened before");
  }
  return false;
}

bool hp_async_connect(hp_async *async, const char *path) {
  if (!may_begin(async)) return false;
  async->state = HP_STATE_OVER;
  if (!hp_socket_path(path, async->path, sizeof async->path, &async->error)) return false;
  int system = try_to_connect(async);
  if (system == EAGAIN) {
    async->state = HP_STATE_CONNECTING;
    async->next_try = hp_now() + CONNECT_PAUSE;
  } else if (system != 0) {
    connect_failure(async, system, &async->error);
    return false;
  }
  async->deadline = hp_now() + async->connect_timeout;
  return true;
}

bool hp_async_adopt(hp_async *async, int fd) {
  if (!may_begin(async)) return false;
  async->fd = fd;
  async->state = HP_STATE_OPEN;
  async->deadline = hp_now() + async->connect_timeout;
  return true;
}

/* What the loop asks */

int hp_async_fd(const hp_async *async) { return async->fd; }

short hp_async_events(const hp_async *async) {
  switch (async->state) {
    case HP_STATE_OPEN:
      return (short)(hp_async_is_flushed(async) ? POLLIN : POLLIN | POLLOUT);
    case HP_STATE_DRAINING: return POLLIN;
    default: return 0;
  }
}

int hp_async_timeout(const hp_async *async) {
  int64_t until = async->deadline;
  if (async->state == HP_STATE_CONNECTING && async->next_try < until) until = async->next_try;
  if (until == 0) return -1;
  int64_t left = until - hp_now();
  return left < 0 ? 0 : left > INT_MAX ? INT_MAX : (int)left;
}

bool hp_async_is_open(const hp_async *async) {
  return async->state == HP_STATE_CONNECTING || async->state == HP_STATE_OPEN;
}

bool hp_async_is_flushed(const hp_async *async) {
  return hp_buffer_size(&async->output) == 0 && !hp_upload_waits(async);
}

size_t hp_async_in_flight(const hp_async *async) {
  /* The hello is not a request of the caller. */
  return async->waiting_count - async->upload_waiting - (async->hello_came || async->waiting_count == 0 ? 0 : 1);
}

const hp_hello *hp_async_hello(const hp_async *async) {
  return async->hello_came ? async->hello : NULL;
}

const hp_error *hp_async_error(const hp_async *async) { return &async->error; }

void hp_async_close(hp_async *async) {
  close_descriptor(async);
  async->state = HP_STATE_OVER;
  hp_error_set(&async->error, HP_ERROR_STATE, 0, HP_CODE_NONE,
               "the connection was closed from this side");
}

/* Reading and writing */

void hp_async_write(hp_async *async) {
  while (hp_upload_feed(async) && async->state == HP_STATE_OPEN &&
         hp_buffer_size(&async->output) > 0) {
    hp_buffer *output = &async->output;
    ssize_t sent = send(async->fd, output->bytes + output->start, hp_buffer_size(output),
                        MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) {
      hp_buffer_consume(output, (size_t)sent);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      return;
    } else if (errno != EINTR) {
      /* The server may have said why before it closed: read to the end (contract F7). */
      hp_error_set_system(&async->write_error, HP_ERROR_CLOSED, errno, "cannot write");
      hp_buffer_clear(output);
      async->state = HP_STATE_DRAINING;
      async->deadline = hp_now() + DRAIN_TIMEOUT;
    }
  }
}

static void end_of_input(hp_async *async, int system) {
  if (async->state == HP_STATE_OVER) return;
  if (system != 0 && system != ECONNRESET) {
    end_by_system(async, HP_ERROR_SYSTEM, system, "cannot read");
  } else if (hp_buffer_size(&async->input) > 0) {
    hp_async_end(async, HP_ERROR_CLOSED, system, HP_CODE_NONE,
                 "the server closed the connection inside a frame");
  } else if (!async->hello_came) {
    hp_async_end(async, HP_ERROR_CLOSED, system, HP_CODE_NONE,
                 "the server closed the connection before its hello");
  } else {
    hp_async_end(async, HP_ERROR_CLOSED, system, HP_CODE_NONE,
                 "the server closed the connection without a reason");
  }
}

static bool can_read(const hp_async *async) {
  return async->state == HP_STATE_OPEN || async->state == HP_STATE_DRAINING;
}

static void read_input(hp_async *async) {
  size_t turn = 0;
  while (can_read(async) && turn < READ_TURN) {
    if (!hp_buffer_reserve(&async->input, READ_SIZE)) {
      hp_async_end(async, HP_ERROR_MEMORY, 0, HP_CODE_NONE, "no memory for what was received");
      return;
    }
    ssize_t got = recv(async->fd, async->input.bytes + async->input.end, READ_SIZE, MSG_DONTWAIT);
    if (got > 0) {
      async->input.end += (size_t)got;
      turn += (size_t)got;
      hp_async_receive(async);
      /* Less than was asked for: most likely there is no more, and poll will tell. */
      if (got < READ_SIZE && async->state == HP_STATE_OPEN) return;
    } else if (got == 0) {
      end_of_input(async, 0);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      return;
    } else if (errno != EINTR) {
      end_of_input(async, errno);
    }
  }
}

static void check_time(hp_async *async) {
  if (async->state == HP_STATE_OVER || async->deadline == 0) return;
  int64_t now = hp_now();
  if (async->state == HP_STATE_CONNECTING && now >= async->next_try) {
    int system = try_to_connect(async);
    if (system == EAGAIN) {
      async->next_try = now + CONNECT_PAUSE;
    } else if (system != 0) {
      hp_error error;
      connect_failure(async, system, &error);
      hp_async_end(async, error.kind, system, HP_CODE_NONE, error.message);
      return;
    }
  }
  if (now < async->deadline) return;
  if (async->state == HP_STATE_DRAINING) {
    hp_error error = async->write_error;
    hp_async_end(async, error.kind, error.system, HP_CODE_NONE, error.message);
  } else if (async->state == HP_STATE_CONNECTING) {
    hp_async_end(async, HP_ERROR_TIMEOUT, 0, HP_CODE_NONE,
                 "the server did not accept the connection in time");
  } else {
    hp_async_end(async, HP_ERROR_TIMEOUT, 0, HP_CODE_NONE, "the server did not say hello in time");
  }
}

bool hp_async_process(hp_async *async, short revents) {
  if (async->processing) return !async->freed && async->state != HP_STATE_OVER;
  async->processing = true;
  hp_async_write(async);
  if (can_read(async) && (revents != 0 || async->state == HP_STATE_DRAINING)) read_input(async);
  check_time(async);
  hp_async_write(async); /* what the callbacks asked for */
  async->processing = false;
  if (async->freed) {
    hp_async_free(async);
    return false;
  }
  return can_read(async) || async->state == HP_STATE_CONNECTING || async->state == HP_STATE_NEW;
}
