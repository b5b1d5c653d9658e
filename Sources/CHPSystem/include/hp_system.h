#ifndef HP_SYSTEM_H
#define HP_SYSTEM_H

// What Glibc's Swift module does not export or what needs variadic or macro forms:
// epoll, accept4, signalfd, peer credentials, Unix socket addresses, sendmsg.
// Every function returns -1 with errno set where its system call does.

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// One piece of memory to send.
struct hp_piece {
  const void *base;
  size_t length;
};

// What epoll says about one descriptor.
struct hp_ready {
  uint64_t token;
  uint32_t events;
};

enum {
  HP_READABLE = 0x001,
  HP_WRITABLE = 0x004,
  HP_ERROR = 0x008,
  HP_HANGUP = 0x010,
  HP_READ_HANGUP = 0x2000,
};

int hp_epoll_create(void);
int hp_epoll_add(int epoll, int fd, uint32_t events, uint64_t token);
int hp_epoll_modify(int epoll, int fd, uint32_t events, uint64_t token);
int hp_epoll_remove(int epoll, int fd);
// Waits at most `milliseconds` (-1: for ever); fills at most `count` of `ready`.
int hp_epoll_wait(int epoll, struct hp_ready *ready, int count, int milliseconds);

// A non-blocking, close-on-exec stream socket of the Unix domain.
int hp_socket_unix(void);
// Binds to `path`; the socket file gets mode 0600 with no moment in which it is wider.
int hp_bind_unix(int fd, const char *path);
int hp_connect_unix(int fd, const char *path);
int hp_listen(int fd, int backlog);
// The new descriptor is non-blocking and close-on-exec.
int hp_accept(int listener);
int hp_peer(int fd, uint32_t *uid, uint32_t *gid, int32_t *pid);
// Longest path a socket address holds, without its NUL.
size_t hp_socket_path_max(void);

ssize_t hp_receive(int fd, void *memory, size_t length);
// Never raises SIGPIPE.
ssize_t hp_send(int fd, const struct hp_piece *pieces, size_t count);
// A datagram to systemd's notification socket (NOTIFY_SOCKET); 0 where there is none.
int hp_notify(const char *message);
// 1 where descriptor 3 was handed over as a listening socket (sd_listen_fds), else 0.
int hp_listen_fds(void);

// A descriptor that reads SIGTERM, SIGINT and SIGHUP; they are blocked from then on,
// SIGPIPE and SIGXFSZ are ignored.
int hp_signal_fd(void);
// The next signal's number, 0 where there is none.
int hp_signal_read(int fd);

int64_t hp_monotonic_us(void);
int64_t hp_wall_us(void);
uint64_t hp_random(void);
// Resident memory in bytes.
uint64_t hp_resident(void);
// An open descriptor of /dev/null, kept for the moment when there are no others.
int hp_spare_fd(void);
int hp_errno(void);
const char *hp_error_text(int error);
// The umask is 077 from then on.
void hp_private_umask(void);
// Makes one directory with mode 0700; an existing one must belong to this user and be closed
// to others where `strict` is set. -1 with EPERM where it is not.
int hp_private_directory(const char *path, int strict);
int hp_is_socket(const char *path);

/* Takes those of the descriptors 0, 1 and 2 that are closed, so that nothing that is opened later
 * stands there. They are opened the wrong way round: reading from 0 and writing to 1 or 2 fails with
 * EBADF, as if they were closed. To be called before anything is opened. Returns 0, or -1 where
 * /dev/null can't be opened. */
int hp_keep_standard(void);

#endif
