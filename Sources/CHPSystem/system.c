#define _GNU_SOURCE
#include "hp_system.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

_Static_assert(HP_READABLE == EPOLLIN && HP_WRITABLE == EPOLLOUT, "epoll's values");
_Static_assert(HP_ERROR == EPOLLERR && HP_HANGUP == EPOLLHUP, "epoll's values");
_Static_assert(HP_READ_HANGUP == EPOLLRDHUP, "epoll's values");
_Static_assert(sizeof(struct hp_piece) == sizeof(struct iovec), "hp_piece is an iovec");
_Static_assert(offsetof(struct hp_piece, length) == offsetof(struct iovec, iov_len),
               "hp_piece is an iovec");

int hp_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

static int control(int epoll, int operation, int fd, uint32_t events, uint64_t token) {
  struct epoll_event event = {.events = events, .data.u64 = token};
  return epoll_ctl(epoll, operation, fd, &event);
}

int hp_epoll_add(int epoll, int fd, uint32_t events, uint64_t token) {
  return control(epoll, EPOLL_CTL_ADD, fd, events, token);
}

int hp_epoll_modify(int epoll, int fd, uint32_t events, uint64_t token) {
  return control(epoll, EPOLL_CTL_MOD, fd, events, token);
}

int hp_epoll_remove(int epoll, int fd) { return control(epoll, EPOLL_CTL_DEL, fd, 0, 0); }

int hp_epoll_wait(int epoll, struct hp_ready *ready, int count, int milliseconds) {
  struct epoll_event events[256];
  if (count > 256) count = 256;
  int found = epoll_wait(epoll, events, count, milliseconds);
  for (int i = 0; i < found; i++) {
    ready[i].token = events[i].data.u64;
    ready[i].events = events[i].events;
  }
  return found;
}

int hp_socket_unix(void) { return socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0); }

size_t hp_socket_path_max(void) { return sizeof(((struct sockaddr_un *)0)->sun_path) - 1; }

static int address(struct sockaddr_un *name, const char *path) {
  size_t length = strlen(path);
  if (length == 0 || length > hp_socket_path_max()) {
    errno = ENAMETOOLONG;
    return -1;
  }
  memset(name, 0, sizeof *name);
  name->sun_family = AF_UNIX;
  memcpy(name->sun_path, path, length);
  return 0;
}

int hp_bind_unix(int fd, const char *path) {
  struct sockaddr_un name;
  if (address(&name, path) != 0) return -1;
  // The file's mode is the socket's mode less the umask, from its first moment.
  mode_t old = umask(0177);
  int result = bind(fd, (struct sockaddr *)&name, sizeof name);
  int error = errno;
  umask(old);
  errno = error;
  return result;
}

int hp_connect_unix(int fd, const char *path) {
  struct sockaddr_un name;
  if (address(&name, path) != 0) return -1;
  return connect(fd, (struct sockaddr *)&name, sizeof name);
}

int hp_listen(int fd, int backlog) { return listen(fd, backlog); }

int hp_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC); }

int hp_peer(int fd, uint32_t *uid, uint32_t *gid, int32_t *pid) {
  struct ucred credentials;
  socklen_t size = sizeof credentials;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return -1;
  *uid = credentials.uid;
  *gid = credentials.gid;
  *pid = credentials.pid;
  return 0;
}

ssize_t hp_receive(int fd, void *memory, size_t length) { return recv(fd, memory, length, 0); }

ssize_t hp_send(int fd, const struct hp_piece *pieces, size_t count) {
  struct msghdr message = {.msg_iov = (struct iovec *)(uintptr_t)pieces, .msg_iovlen = count};
  return sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

int hp_notify(const char *message) {
  const char *path = getenv("NOTIFY_SOCKET");
  if (path == NULL || (path[0] != '/' && path[0] != '@')) return 0;
  struct sockaddr_un name;
  if (address(&name, path) != 0) return -1;
  socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(path));
  if (path[0] == '@') name.sun_path[0] = 0;
  int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return -1;
  ssize_t sent = sendto(fd, message, strlen(message), MSG_NOSIGNAL, (struct sockaddr *)&name, size);
  close(fd);
  return sent < 0 ? -1 : 1;
}

int hp_listen_fds(void) {
  const char *pid = getenv("LISTEN_PID");
  const char *count = getenv("LISTEN_FDS");
  if (pid == NULL || count == NULL) return 0;
  if (strtol(pid, NULL, 10) != (long)getpid() || strtol(count, NULL, 10) < 1) return 0;
  fcntl(3, F_SETFD, FD_CLOEXEC);
  fcntl(3, F_SETFL, fcntl(3, F_GETFL) | O_NONBLOCK);
  return 1;
}

int hp_signal_fd(void) {
  struct sigaction ignore = {.sa_handler = SIG_IGN};
  sigaction(SIGPIPE, &ignore, NULL);
  // A file size limit is an error of the write that meets it.
  sigaction(SIGXFSZ, &ignore, NULL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGHUP);
  if (sigprocmask(SIG_BLOCK, &set, NULL) != 0) return -1;
  return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

int hp_signal_read(int fd) {
  struct signalfd_siginfo info;
  ssize_t length = read(fd, &info, sizeof info);
  return length == (ssize_t)sizeof info ? (int)info.ssi_signo : 0;
}

static int64_t microseconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t hp_monotonic_us(void) { return microseconds(CLOCK_MONOTONIC); }

int64_t hp_wall_us(void) { return microseconds(CLOCK_REALTIME); }

uint64_t hp_random(void) {
  uint64_t value = 0;
  while (getrandom(&value, sizeof value, 0) != (ssize_t)sizeof value) {
  }
  return value;
}

uint64_t hp_resident(void) {
  FILE *file = fopen("/proc/self/statm", "re");
  if (file == NULL) return 0;
  unsigned long long total = 0, resident = 0;
  int found = fscanf(file, "%llu %llu", &total, &resident);
  fclose(file);
  return found == 2 ? resident * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

int hp_spare_fd(void) { return open("/dev/null", O_RDONLY | O_CLOEXEC); }

int hp_errno(void) { return errno; }

const char *hp_error_text(int error) {
  const char *text = strerrordesc_np(error);
  return text == NULL ? "unknown error" : text;
}

void hp_private_umask(void) { umask(077); }

int hp_private_directory(const char *path, int strict) {
  if (mkdir(path, 0700) == 0) return 0;
  if (errno != EEXIST) return -1;
  struct stat status;
  if (lstat(path, &status) != 0) return -1;
  if (!strict && S_ISLNK(status.st_mode) && stat(path, &status) != 0) return -1;
  if (!S_ISDIR(status.st_mode)) {
    errno = ENOTDIR;
    return -1;
  }
  if (strict && (status.st_uid != geteuid() || (status.st_mode & 077) != 0)) {
    errno = EPERM;
    return -1;
  }
  return 0;
}

int hp_is_socket(const char *path) {
  struct stat status;
  if (lstat(path, &status) != 0) return -1;
  return S_ISSOCK(status.st_mode) ? 1 : 0;
}

int hp_keep_standard(void) {
  for (int descriptor = 0; descriptor <= 2; descriptor++) {
    if (fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    /* The lowest free number is this one. */
    int flags = descriptor == 0 ? O_WRONLY : O_RDONLY;
    if (open("/dev/null", flags) != descriptor) return -1;
  }
  return 0;
}
