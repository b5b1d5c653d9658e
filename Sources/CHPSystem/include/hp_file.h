#ifndef HP_FILE_H
#define HP_FILE_H

#include <stddef.h>
#include <stdint.h>

/* Files as the store needs them (SPEC 12, contracts S3 and S11). Every function returns a negative
 * errno where the system refuses; none opens a database file that exists. */

/* Kinds of file system that hp_file_network() tells apart. */
enum {
  HP_FILE_LOCAL = 0,
  HP_FILE_NFS = 1,
  HP_FILE_SMB = 2,
  HP_FILE_9P = 3
};

/* What hp_file_identity() finds. birth is 0 where the file system keeps no birth time. */
struct hp_file_identity {
  uint64_t inode;
  int64_t birth; /* nanoseconds since 1970 */
  uint64_t links;
};

/* Writes the path without symbolic links to out. The last component may be missing. Returns 0. */
int hp_file_resolve(const char *path, char *out, size_t size);

/* Makes the directories that are missing above the last component of path, mode 0700, on disk
 * when it returns. Returns 0. */
int hp_file_make_parents(const char *path);

/* Tells what the directory of path lies on: one of HP_FILE_…. */
int hp_file_network(const char *path);

/* Makes an empty file, mode 0600. Returns 1 if it was made, 0 if something had that name. */
int hp_file_create(const char *path);

/* Writes a file that is no open database, and its name, to the disk. Returns 0. */
int hp_file_sync(const char *path);

/* Reads who the file is. Returns 0. */
int hp_file_identity(const char *path, struct hp_file_identity *out);

/* Takes the lock file at path for the life of the descriptor that is returned, and writes this
 * process's id into it. -EWOULDBLOCK: another holds it; *holder is its id, or 0 if not known. */
int hp_file_lock(const char *path, int *holder);

/* Gives the lock back. */
void hp_file_unlock(int descriptor);

#endif
