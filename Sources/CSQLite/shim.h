#include <sqlite3.h>

/* Swift can't call variadic C. */

/* Keeps or drops SQLite's checkpoint at the close of the last connection. */
static inline int hp_sqlite_checkpoint_on_close(sqlite3 *database, int on) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, !on, (int *)0);
}
