/* A command of the user's: environ and the signal set of the child are not for Swift. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Starts the shell with the read end as its stdin. Returns 0 or errno. */
static int start(const char *command, int input, pid_t *child) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  char *words[] = {(char *)"sh", (char *)"-c", (char *)command, NULL};
  sigset_t reset;
  sigemptyset(&reset);
  sigaddset(&reset, SIGPIPE); /* ignored here; a command expects the usual */
  sigaddset(&reset, SIGINT);
  int code = posix_spawn_file_actions_init(&actions);
  if (code != 0) return code;
  code = posix_spawnattr_init(&attributes);
  if (code == 0) {
    code = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    if (code == 0) code = posix_spawnattr_setsigdefault(&attributes, &reset);
    if (code == 0) code = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    if (code == 0) code = posix_spawn(child, "/bin/sh", &actions, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&actions);
  return code;
}

int hp_run_command(const char *command, const void *input, size_t size) {
  int ends[2];
  pid_t child = 0;
  if (pipe2(ends, O_CLOEXEC) != 0) return -errno;
  int code = start(command, ends[0], &child);
  close(ends[0]);
  if (code != 0) {
    close(ends[1]);
    return -code;
  }
  const char *at = input;
  while (size > 0) {
    ssize_t written = write(ends[1], at, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) break; /* it does not read all of it, and need not */
    at += written;
    size -= (size_t)written;
  }
  close(ends[1]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return -errno;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
