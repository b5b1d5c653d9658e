#include "FaultLayer.h"

#include <sqlite3.h>
#include <stddef.h>
#include <string.h>

struct fault_file {
  sqlite3_file base;
  int is_log;
};

static struct {
  int operation, left, code, after, hits;
} state;

static sqlite3_vfs *system_layer;
static sqlite3_vfs layer;

/* The system's file stands behind ours in the same memory. */
static sqlite3_file *real(sqlite3_file *file) {
  return (sqlite3_file *)(void *)((char *)file + sizeof(struct fault_file));
}

static int fails(sqlite3_file *file, int operation) {
  if (state.operation != operation || !((struct fault_file *)file)->is_log) return 0;
  if (state.left > 1) {
    state.left--;
    return 0;
  }
  state.hits++;
  return 1;
}

static int f_close(sqlite3_file *f) { return real(f)->pMethods->xClose(real(f)); }
static int f_read(sqlite3_file *f, void *p, int n, sqlite3_int64 o) {
  return real(f)->pMethods->xRead(real(f), p, n, o);
}
static int f_write(sqlite3_file *f, const void *p, int n, sqlite3_int64 o) {
  int failing = fails(f, FAULT_WRITE);
  if (failing && !state.after) return state.code;
  int rc = real(f)->pMethods->xWrite(real(f), p, n, o);
  return failing ? state.code : rc;
}
static int f_truncate(sqlite3_file *f, sqlite3_int64 n) {
  return real(f)->pMethods->xTruncate(real(f), n);
}
static int f_sync(sqlite3_file *f, int flags) {
  int failing = fails(f, FAULT_SYNC);
  if (failing && !state.after) return state.code;
  int rc = real(f)->pMethods->xSync(real(f), flags);
  return failing ? state.code : rc;
}
static int f_size(sqlite3_file *f, sqlite3_int64 *n) {
  return real(f)->pMethods->xFileSize(real(f), n);
}
static int f_lock(sqlite3_file *f, int n) { return real(f)->pMethods->xLock(real(f), n); }
static int f_unlock(sqlite3_file *f, int n) { return real(f)->pMethods->xUnlock(real(f), n); }
static int f_reserved(sqlite3_file *f, int *n) {
  return real(f)->pMethods->xCheckReservedLock(real(f), n);
}
static int f_control(sqlite3_file *f, int op, void *p) {
  return real(f)->pMethods->xFileControl(real(f), op, p);
}
static int f_sector(sqlite3_file *f) { return real(f)->pMethods->xSectorSize(real(f)); }
static int f_device(sqlite3_file *f) {
  return real(f)->pMethods->xDeviceCharacteristics(real(f));
}
static int f_shm_map(sqlite3_file *f, int i, int n, int extend, void volatile **p) {
  return real(f)->pMethods->xShmMap(real(f), i, n, extend, p);
}
static int f_shm_lock(sqlite3_file *f, int o, int n, int flags) {
  return real(f)->pMethods->xShmLock(real(f), o, n, flags);
}
static void f_shm_barrier(sqlite3_file *f) { real(f)->pMethods->xShmBarrier(real(f)); }
static int f_shm_unmap(sqlite3_file *f, int drop) {
  return real(f)->pMethods->xShmUnmap(real(f), drop);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = f_close,
    .xRead = f_read,
    .xWrite = f_write,
    .xTruncate = f_truncate,
    .xSync = f_sync,
    .xFileSize = f_size,
    .xLock = f_lock,
    .xUnlock = f_unlock,
    .xCheckReservedLock = f_reserved,
    .xFileControl = f_control,
    .xSectorSize = f_sector,
    .xDeviceCharacteristics = f_device,
    .xShmMap = f_shm_map,
    .xShmLock = f_shm_lock,
    .xShmBarrier = f_shm_barrier,
    .xShmUnmap = f_shm_unmap,
};

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out) {
  (void)vfs;
  struct fault_file *mine = (struct fault_file *)file;
  mine->is_log = (flags & SQLITE_OPEN_WAL) != 0;
  mine->base.pMethods = NULL;
  int rc = system_layer->xOpen(system_layer, name, real(file), flags, out);
  if (real(file)->pMethods) mine->base.pMethods = &methods;
  return rc;
}

int fault_register(void) {
  if (system_layer) return SQLITE_OK;
  system_layer = sqlite3_vfs_find(NULL);
  if (!system_layer) return SQLITE_ERROR;
  layer = *system_layer;
  layer.pNext = NULL;
  layer.zName = "fault";
  layer.szOsFile = system_layer->szOsFile + (int)sizeof(struct fault_file);
  layer.xOpen = open_file;
  return sqlite3_vfs_register(&layer, 0);
}

void fault_arm(int operation, int nth, int code, int after) {
  state.operation = operation;
  state.left = nth;
  state.code = code;
  state.after = after;
  state.hits = 0;
}

int fault_heal(void) {
  state.operation = 0;
  return state.hits;
}
