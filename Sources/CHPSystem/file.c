#define _GNU_SOURCE
#include "hp_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

/* Copies the directory part of path to out. */
static int parent_of(const char *path, char *out, size_t size) {
  const char *slash = strrchr(path, '/');
  size_t length = slash ? (size_t)(slash - path) : 0;
  if (!slash) return size < 2 ? -ENAMETOOLONG : (strcpy(out, "."), 0);
  if (length == 0) length = 1;
  if (length + 1 > size) return -ENAMETOOLONG;
  memcpy(out, path, length);
  out[length] = 0;
  return 0;
}

int hp_file_resolve(const char *path, char *out, size_t size) {
  char real[PATH_MAX], parent[PATH_MAX];
  if (realpath(path, real)) {
    if (strlen(real) + 1 > size) return -ENAMETOOLONG;
    strcpy(out, real);
    return 0;
  }
  if (errno != ENOENT) return -errno;
  /* A link to nothing would be made through its target, and be locked under another name. */
  struct stat info;
  if (lstat(path, &info) == 0) return -ENOENT;
  int rc = parent_of(path, parent, sizeof parent);
  if (rc < 0) return rc;
  if (!realpath(parent, real)) return -errno;
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  if (!*name) return -EISDIR;
  int length = snprintf(out, size, "%s%s%s", real, strcmp(real, "/") == 0 ? "" : "/", name);
  return length < 0 || (size_t)length >= size ? -ENAMETOOLONG : 0;
}

static int sync_directory(const char *path) {
  int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return -errno;
  int rc = fsync(descriptor) < 0 ? -errno : 0;
  close(descriptor);
  return rc;
}

int hp_file_make_parents(const char *path) {
  char parent[PATH_MAX], above[PATH_MAX];
  int rc = parent_of(path, parent, sizeof parent);
  if (rc < 0) return rc;
  struct stat info;
  if (stat(parent, &info) == 0) return S_ISDIR(info.st_mode) ? 0 : -ENOTDIR;
  if (errno != ENOENT) return -errno;
  rc = hp_file_make_parents(parent);
  if (rc < 0) return rc;
  if (mkdir(parent, 0700) < 0) return errno == EEXIST ? 0 : -errno;
  rc = parent_of(parent, above, sizeof above);
  return rc < 0 ? rc : sync_directory(above);
}

int hp_file_network(const char *path) {
  char parent[PATH_MAX];
  struct statfs info;
  int rc = parent_of(path, parent, sizeof parent);
  if (rc < 0) return rc;
  if (statfs(parent, &info) < 0) return -errno;
  switch ((uint32_t)info.f_type) {
    case 0x6969u: return HP_FILE_NFS;
    case 0x517bu:
    case 0xfe534d42u:
    case 0xff534d42u: return HP_FILE_SMB;
    case 0x01021997u: return HP_FILE_9P;
    default: return HP_FILE_LOCAL;
  }
}

int hp_file_create(const char *path) {
  int descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (descriptor < 0) return errno == EEXIST ? 0 : -errno;
  close(descriptor);
  return 1;
}

int hp_file_sync(const char *path) {
  char parent[PATH_MAX];
  int descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return -errno;
  int rc = fsync(descriptor) < 0 ? -errno : 0;
  close(descriptor);
  if (rc == 0) rc = parent_of(path, parent, sizeof parent);
  return rc < 0 ? rc : sync_directory(parent);
}

int hp_file_identity(const char *path, struct hp_file_identity *out) {
  struct statx info;
  memset(&info, 0, sizeof info);
  if (statx(AT_FDCWD, path, AT_STATX_SYNC_AS_STAT, STATX_INO | STATX_BTIME | STATX_NLINK, &info) < 0)
    return -errno;
  if (!S_ISREG(info.stx_mode)) return S_ISDIR(info.stx_mode) ? -EISDIR : -EINVAL;
  out->inode = info.stx_ino;
  out->links = info.stx_nlink;
  out->birth = info.stx_mask & STATX_BTIME
                   ? (int64_t)info.stx_btime.tv_sec * 1000000000 + info.stx_btime.tv_nsec
                   : 0;
  return 0;
}

int hp_file_lock(const char *path, int *holder) {
  char text[32];
  *holder = 0;
  int descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (descriptor < 0) return -errno;
  if (flock(descriptor, LOCK_EX | LOCK_NB) < 0) {
    int reason = errno;
    ssize_t length = pread(descriptor, text, sizeof text - 1, 0);
    if (length > 0) {
      text[length] = 0;
      *holder = (int)strtol(text, NULL, 10);
    }
    close(descriptor);
    return -reason;
  }
  /* The id only serves the message of the next one that finds the lock taken: a full disk must not
   * keep a store shut. */
  int length = snprintf(text, sizeof text, "%ld\n", (long)getpid());
  if (ftruncate(descriptor, 0) < 0 || pwrite(descriptor, text, (size_t)length, 0) != length)
    errno = 0;
  return descriptor;
}

void hp_file_unlock(int descriptor) {
  /* A stale id is harmless: the lock is what counts. It is given back explicitly, since a child
   * that was forked a moment ago may still hold the descriptor. */
  if (ftruncate(descriptor, 0) < 0) errno = 0;
  flock(descriptor, LOCK_UN);
  close(descriptor);
}
