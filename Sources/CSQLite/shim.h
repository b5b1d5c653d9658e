#include <sqlite3.h>

/* Swift can't call variadic C. */

/* Keeps or drops SQLite's checkpoint at the close of the last connection. */
static inline int hp_sqlite_checkpoint_on_close(sqlite3 *database, int on) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, !on, (int *)0);
}

/* Writes zeros behind the write-ahead log's end until it has `size` bytes, through SQLite's own
   handle. Only while the caller holds the write lock: nobody else appends then. Zeros are no
   frames, so that whoever reads the log stops before them. */
static inline int hp_sqlite_grow_log(sqlite3 *database, sqlite3_int64 size) {
  static const char zeros[1 << 16];
  sqlite3_file *log = 0;
  sqlite3_int64 end = 0;
  int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
  if (code != SQLITE_OK || log == 0 || log->pMethods == 0) return code;
  code = log->pMethods->xFileSize(log, &end);
  while (code == SQLITE_OK && end < size) {
    int count = size - end < (int)sizeof zeros ? (int)(size - end) : (int)sizeof zeros;
    code = log->pMethods->xWrite(log, zeros, count, end);
    end += count;
  }
  return code;
}
