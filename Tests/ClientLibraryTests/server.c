#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "test.h"

struct server {
  pthread_t thread;
  script_step *steps;
  size_t count;
  int listener; /* -1: one connection that was made before */
  int fd;
  char folder[32];
  char path[64];
  bool as_written;
  bytes input;
};

/* Field number of the request in the next whole frame, or 0 at the end of input. */
static uint32_t next_request(server *server) {
  for (;;) {
    uint64_t length = 0;
    size_t prefix = 0;
    bool whole = false;
    while (prefix < server->input.size && !whole) {
      whole = server->input.data[prefix] < 0x80;
      length |= (uint64_t)(server->input.data[prefix] & 0x7f) << (7 * prefix);
      prefix += 1;
    }
    if (whole && server->input.size - prefix >= length) {
      Hp__V1__ClientFrame *frame =
          hp__v1__client_frame__unpack(NULL, (size_t)length, server->input.data + prefix);
      uint32_t number = frame == NULL ? 0 : (uint32_t)frame->request_case;
      if (frame != NULL) hp__v1__client_frame__free_unpacked(frame, NULL);
      size_t used = prefix + (size_t)length;
      memmove(server->input.data, server->input.data + used, server->input.size - used);
      server->input.size -= used;
      return number;
    }
    uint8_t buffer[4096];
    ssize_t got = recv(server->fd, buffer, sizeof buffer, 0);
    if (got <= 0) return 0;
    bytes_add(&server->input, buffer, (size_t)got);
  }
}

/* Plays one connection's part of the script, from step `at` on; returns where the next begins. */
static size_t play(server *server, size_t at) {
  size_t i = at;
  while (i < server->count) {
    script_step *step = &server->steps[i++];
    if (step->request != 0 && next_request(server) != step->request) server->as_written = false;
    if (step->pause > 0) {
      struct timespec pause = {step->pause / 1000, step->pause % 1000 * 1000000L};
      nanosleep(&pause, NULL);
    }
    size_t sent = 0;
    while (sent < step->answer.size) {
      ssize_t some =
          send(server->fd, step->answer.data + sent, step->answer.size - sent, MSG_NOSIGNAL);
      if (some <= 0) break;
      sent += (size_t)some;
    }
    bytes_free(&step->answer);
    if (step->close) break;
  }
  shutdown(server->fd, SHUT_WR);
  /* What else the client sends is read, so that the close is a plain one. */
  uint8_t buffer[4096];
  while (recv(server->fd, buffer, sizeof buffer, 0) > 0) continue;
  return i;
}

static void *serve(void *context) {
  server *server = context;
  if (server->listener < 0) {
    play(server, 0);
    return NULL;
  }
  for (size_t at = 0; at < server->count;) {
    server->fd = accept(server->listener, NULL, NULL);
    if (server->fd < 0) {
      server->as_written = false;
      return NULL;
    }
    server->input.size = 0;
    at = play(server, at);
    close(server->fd);
    server->fd = -1;
  }
  return NULL;
}

server *server_begin(script_step *steps, size_t count, int *fd) {
  int fds[2];
  server *made = calloc(1, sizeof *made);
  if (made == NULL || socketpair(AF_UNIX, SOCK_STREAM, 0, fds) != 0) abort();
  made->steps = steps;
  made->count = count;
  made->listener = -1;
  made->fd = fds[1];
  made->as_written = true;
  *fd = fds[0];
  if (pthread_create(&made->thread, NULL, serve, made) != 0) abort();
  return made;
}

server *server_listen(script_step *steps, size_t count, const char **path) {
  server *made = calloc(1, sizeof *made);
  if (made == NULL) abort();
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strcpy(made->folder, "/tmp/hpclient-test-XXXXXX");
  if (mkdtemp(made->folder) == NULL) abort();
  snprintf(made->path, sizeof made->path, "%s/s", made->folder);
  strcpy(address.sun_path, made->path);
  made->steps = steps;
  made->count = count;
  made->fd = -1;
  made->as_written = true;
  made->listener = socket(AF_UNIX, SOCK_STREAM, 0);
  if (bind(made->listener, (const struct sockaddr *)&address, sizeof address) != 0 ||
      listen(made->listener, 8) != 0 || pthread_create(&made->thread, NULL, serve, made) != 0) {
    abort();
  }
  *path = made->path;
  return made;
}

bool server_end(server *server) {
  /* A script that was not played to its end waits for a connection: it gets one that ends. */
  if (server->listener >= 0) shutdown(server->listener, SHUT_RDWR);
  pthread_join(server->thread, NULL);
  bool as_written = server->as_written;
  if (server->fd >= 0) close(server->fd);
  if (server->listener >= 0) {
    close(server->listener);
    unlink(server->path);
    rmdir(server->folder);
    for (size_t i = 0; i < server->count; i++) bytes_free(&server->steps[i].answer);
  }
  bytes_free(&server->input);
  free(server);
  return as_written;
}
