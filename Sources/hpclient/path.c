#include "internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* Without its zero byte. */
#define HP_PATH_MAX (sizeof((struct sockaddr_un *)0)->sun_path - 1)

static bool fail(hp_error *error, int system, const char *message) {
  if (error != NULL) hp_error_set(error, HP_ERROR_SOCKET_PATH, system, HP_CODE_NONE, message);
  return false;
}

static bool put(const char *path, char *buffer, size_t size, hp_error *error) {
  char message[256];
  size_t length = strlen(path);
  if (length == 0) return fail(error, 0, "the socket path is empty");
  if (length > HP_PATH_MAX) {
    snprintf(message, sizeof message, "the socket path has %zu bytes, at most %zu are possible: %s",
             length, HP_PATH_MAX, path);
    return fail(error, ENAMETOOLONG, message);
  }
  if (length >= size) return fail(error, 0, "the socket path does not fit the buffer");
  memmove(buffer, path, length + 1);
  return true;
}

static bool is_socket(const char *path) {
  struct stat status;
  return lstat(path, &status) == 0 && S_ISSOCK(status.st_mode);
}

/* Anybody can make a directory in /tmp: one that is not ours could hold somebody else's socket. */
static bool is_private(const char *directory) {
  struct stat status;
  return lstat(directory, &status) == 0 && S_ISDIR(status.st_mode) &&
         status.st_uid == geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

bool hp_socket_path(const char *path, char *buffer, size_t size, hp_error *error) {
  if (path != NULL) return put(path, buffer, size, error);
  const char *given = getenv("HPD_SOCKET");
  if (given != NULL && given[0] != 0) return put(given, buffer, size, error);

  /* As long as a path may be and more, so that a cut one is too long for `put`. */
  char candidates[3][512];
  size_t count = 0;
  unsigned uid = (unsigned)geteuid();
  const char *runtime = getenv("XDG_RUNTIME_DIR");
  if (runtime != NULL && runtime[0] == '/') {
    snprintf(candidates[count++], 512, "%s/hpd/hpd.sock", runtime);
  }
  snprintf(candidates[count++], 512, "/run/user/%u/hpd/hpd.sock", uid);
  char directory[64];
  snprintf(directory, sizeof directory, "/tmp/hpd-%u", uid);
  snprintf(candidates[count++], 512, "%s/hpd.sock", directory);

  for (size_t i = 0; i < count; i++) {
    if (!is_socket(candidates[i])) continue;
    if (i == count - 1 && !is_private(directory)) {
      char message[256];
      snprintf(message, sizeof message,
               "%s belongs to somebody else or may be written by others, so its socket is not used",
               directory);
      return fail(error, EPERM, message);
    }
    return put(candidates[i], buffer, size, error);
  }
  return put(candidates[0], buffer, size, error);
}
