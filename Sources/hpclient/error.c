#include "internal.h"

#include <stdio.h>
#include <string.h>

void hp_error_set(hp_error *error, hp_error_kind kind, int system, hp_code code,
                  const char *message) {
  size_t size = strlen(message);
  if (size >= sizeof error->message) {
    size = sizeof error->message - 1;
    while (size > 0 && ((uint8_t)message[size] & 0xc0) == 0x80) size--;
  }
  error->kind = kind;
  error->system = system;
  error->code = code;
  memmove(error->message, message, size);
  error->message[size] = 0;
}

void hp_error_set_system(hp_error *error, hp_error_kind kind, int system, const char *what) {
  char text[256];
  char name[128];
  if (strerror_r(system, name, sizeof name) != 0) snprintf(name, sizeof name, "error %d", system);
  snprintf(text, sizeof text, "%s: %s", what, name);
  hp_error_set(error, kind, system, HP_CODE_NONE, text);
}

const char *hp_error_message(const hp_error *error) { return error->message; }

bool hp_error_is_temporary(const hp_error *error) {
  switch (error->kind) {
    case HP_ERROR_TIMEOUT:
    case HP_ERROR_CONNECT:
    case HP_ERROR_CLOSED: return true;
    case HP_ERROR_GOODBYE:
      return error->code == HP_CODE_SHUTTING_DOWN || error->code == HP_CODE_TOO_SLOW ||
             error->code == HP_CODE_TIMEOUT || error->code == HP_CODE_TOO_MANY_CLIENTS ||
             error->code == HP_CODE_OUT_OF_MEMORY || error->code == HP_CODE_BUSY;
    default: return false;
  }
}

const char *hp_code_name(hp_code code) {
  switch (code) {
    case HP_CODE_NONE: return "NONE";
    case HP_CODE_BAD_FRAME: return "BAD_FRAME";
    case HP_CODE_FRAME_TOO_LARGE: return "FRAME_TOO_LARGE";
    case HP_CODE_BAD_TEXT: return "BAD_TEXT";
    case HP_CODE_TOO_DEEP: return "TOO_DEEP";
    case HP_CODE_TOO_MANY_ELEMENTS: return "TOO_MANY_ELEMENTS";
    case HP_CODE_UNKNOWN_REQUEST: return "UNKNOWN_REQUEST";
    case HP_CODE_UNKNOWN_FIELD: return "UNKNOWN_FIELD";
    case HP_CODE_UNSUPPORTED: return "UNSUPPORTED";
    case HP_CODE_VERSION: return "VERSION";
    case HP_CODE_HELLO_EXPECTED: return "HELLO_EXPECTED";
    case HP_CODE_TOO_MANY_REQUESTS: return "TOO_MANY_REQUESTS";
    case HP_CODE_TOO_MANY_CLIENTS: return "TOO_MANY_CLIENTS";
    case HP_CODE_TOO_MANY_SUBSCRIPTIONS: return "TOO_MANY_SUBSCRIPTIONS";
    case HP_CODE_TIMEOUT: return "TIMEOUT";
    case HP_CODE_SHUTTING_DOWN: return "SHUTTING_DOWN";
    case HP_CODE_TOO_SLOW: return "TOO_SLOW";
    case HP_CODE_OUT_OF_MEMORY: return "OUT_OF_MEMORY";
    case HP_CODE_INTERNAL: return "INTERNAL";
    case HP_CODE_UPLOAD_TOO_LARGE: return "UPLOAD_TOO_LARGE";
    case HP_CODE_NOT_PERMITTED: return "NOT_PERMITTED";
    case HP_CODE_REVOKED: return "REVOKED";
    case HP_CODE_HELD_EXCLUSIVELY: return "HELD_EXCLUSIVELY";
    case HP_CODE_NOT_HOLDER: return "NOT_HOLDER";
    case HP_CODE_LEASE_EXPIRED: return "LEASE_EXPIRED";
    case HP_CODE_HELD_BY_OTHERS: return "HELD_BY_OTHERS";
    case HP_CODE_NOT_FOUND: return "NOT_FOUND";
    case HP_CODE_NO_SUCH_TABLE: return "NO_SUCH_TABLE";
    case HP_CODE_NO_SUCH_COLUMN: return "NO_SUCH_COLUMN";
    case HP_CODE_NO_SUCH_SECTION: return "NO_SUCH_SECTION";
    case HP_CODE_NO_SUCH_ROW: return "NO_SUCH_ROW";
    case HP_CODE_NO_SUCH_SUBSCRIPTION: return "NO_SUCH_SUBSCRIPTION";
    case HP_CODE_NO_SUCH_HANDLE: return "NO_SUCH_HANDLE";
    case HP_CODE_AMBIGUOUS: return "AMBIGUOUS";
    case HP_CODE_NAME_IN_USE: return "NAME_IN_USE";
    case HP_CODE_NO_SUCH_UPLOAD: return "NO_SUCH_UPLOAD";
    case HP_CODE_STALE: return "STALE";
    case HP_CODE_WRONG_EPOCH: return "WRONG_EPOCH";
    case HP_CODE_FUTURE_REVISION: return "FUTURE_REVISION";
    case HP_CODE_COMPACTED: return "COMPACTED";
    case HP_CODE_OTHER_FILTER: return "OTHER_FILTER";
    case HP_CODE_CONFLICT: return "CONFLICT";
    case HP_CODE_ROW_EXISTS: return "ROW_EXISTS";
    case HP_CODE_COUNT_ROWS: return "COUNT_ROWS";
    case HP_CODE_COUNT_SECTIONS: return "COUNT_SECTIONS";
    case HP_CODE_COUNT_MATCHED: return "COUNT_MATCHED";
    case HP_CODE_KEY_REUSED: return "KEY_REUSED";
    case HP_CODE_KEY_EXPIRED: return "KEY_EXPIRED";
    case HP_CODE_KEYS_FULL: return "KEYS_FULL";
    case HP_CODE_NOTHING_TO_UNDO: return "NOTHING_TO_UNDO";
    case HP_CODE_SNAPSHOT_EXPIRED: return "SNAPSHOT_EXPIRED";
    case HP_CODE_NOTHING_TO_REDO: return "NOTHING_TO_REDO";
    case HP_CODE_NOT_OWN_STEP: return "NOT_OWN_STEP";
    case HP_CODE_BAD_REQUEST: return "BAD_REQUEST";
    case HP_CODE_BAD_VALUE: return "BAD_VALUE";
    case HP_CODE_WRONG_KIND: return "WRONG_KIND";
    case HP_CODE_REQUIRED: return "REQUIRED";
    case HP_CODE_READ_ONLY: return "READ_ONLY";
    case HP_CODE_TEXT_TOO_LONG: return "TEXT_TOO_LONG";
    case HP_CODE_ROW_TOO_LARGE: return "ROW_TOO_LARGE";
    case HP_CODE_OVERFLOW: return "OVERFLOW";
    case HP_CODE_OUT_OF_BOUNDS: return "OUT_OF_BOUNDS";
    case HP_CODE_DUPLICATE_KEY: return "DUPLICATE_KEY";
    case HP_CODE_BAD_NAME: return "BAD_NAME";
    case HP_CODE_BAD_FILTER: return "BAD_FILTER";
    case HP_CODE_TOO_MANY_COLUMNS: return "TOO_MANY_COLUMNS";
    case HP_CODE_TOO_MANY_SECTIONS: return "TOO_MANY_SECTIONS";
    case HP_CODE_TOO_MANY_ROWS: return "TOO_MANY_ROWS";
    case HP_CODE_PATHS_NEED_BASIS: return "PATHS_NEED_BASIS";
    case HP_CODE_DUPLICATE_COLUMN: return "DUPLICATE_COLUMN";
    case HP_CODE_OUT_OF_RANGE: return "OUT_OF_RANGE";
    case HP_CODE_DELETE_AND_MOVE: return "DELETE_AND_MOVE";
    case HP_CODE_RELOAD_AND_MOVE: return "RELOAD_AND_MOVE";
    case HP_CODE_INSERT_AND_MOVE: return "INSERT_AND_MOVE";
    case HP_CODE_DELETE_AND_RELOAD: return "DELETE_AND_RELOAD";
    case HP_CODE_MOVE_COLLISION: return "MOVE_COLLISION";
    case HP_CODE_MOVE_TWICE_FROM: return "MOVE_TWICE_FROM";
    case HP_CODE_MOVE_INTO_INSERTED_SECTION: return "MOVE_INTO_INSERTED_SECTION";
    case HP_CODE_MOVE_FROM_DELETED_SECTION: return "MOVE_FROM_DELETED_SECTION";
    case HP_CODE_DUPLICATE: return "DUPLICATE";
    case HP_CODE_ROWS_IN_RELOADED_SECTION: return "ROWS_IN_RELOADED_SECTION";
    case HP_CODE_NOT_EDITABLE: return "NOT_EDITABLE";
    case HP_CODE_NOT_MOVABLE: return "NOT_MOVABLE";
    case HP_CODE_STYLE_MISMATCH: return "STYLE_MISMATCH";
    case HP_CODE_STYLE_NOT_DELETE: return "STYLE_NOT_DELETE";
    case HP_CODE_IN_EDITING_MODE: return "IN_EDITING_MODE";
    case HP_CODE_NOT_EDITING: return "NOT_EDITING";
    case HP_CODE_NO_SWIPE: return "NO_SWIPE";
    case HP_CODE_NO_DRAG: return "NO_DRAG";
    case HP_CODE_NO_DRAFT: return "NO_DRAFT";
    case HP_CODE_ALREADY_ON_STACK: return "ALREADY_ON_STACK";
    case HP_CODE_LEGACY_XIB: return "LEGACY_XIB";
    case HP_CODE_BAD_XIB: return "BAD_XIB";
    case HP_CODE_NO_SUCH_OUTLET: return "NO_SUCH_OUTLET";
    case HP_CODE_NO_CONFIRM: return "NO_CONFIRM";
    case HP_CODE_NOT_SELECTABLE: return "NOT_SELECTABLE";
    case HP_CODE_DRAFT_OPEN: return "DRAFT_OPEN";
    case HP_CODE_DRAG_OPEN: return "DRAG_OPEN";
    case HP_CODE_STORE_FAILED: return "STORE_FAILED";
    case HP_CODE_OUTCOME_UNKNOWN: return "OUTCOME_UNKNOWN";
    case HP_CODE_STORE_FULL: return "STORE_FULL";
    case HP_CODE_STORE_BUSY: return "STORE_BUSY";
    case HP_CODE_STORE_CHANGED_OUTSIDE: return "STORE_CHANGED_OUTSIDE";
    case HP_CODE_STORE_TOO_NEW: return "STORE_TOO_NEW";
    case HP_CODE_BUSY: return "BUSY";
    default: return "UNKNOWN";
  }
}

const char *hp_error_kind_name(hp_error_kind kind) {
  switch (kind) {
    case HP_ERROR_NONE: return "HP_ERROR_NONE";
    case HP_ERROR_MEMORY: return "HP_ERROR_MEMORY";
    case HP_ERROR_ARGUMENT: return "HP_ERROR_ARGUMENT";
    case HP_ERROR_STATE: return "HP_ERROR_STATE";
    case HP_ERROR_TOO_LARGE: return "HP_ERROR_TOO_LARGE";
    case HP_ERROR_FULL: return "HP_ERROR_FULL";
    case HP_ERROR_EVENTS_WAITING: return "HP_ERROR_EVENTS_WAITING";
    case HP_ERROR_TIMEOUT: return "HP_ERROR_TIMEOUT";
    case HP_ERROR_SOCKET_PATH: return "HP_ERROR_SOCKET_PATH";
    case HP_ERROR_CONNECT: return "HP_ERROR_CONNECT";
    case HP_ERROR_SYSTEM: return "HP_ERROR_SYSTEM";
    case HP_ERROR_CLOSED: return "HP_ERROR_CLOSED";
    case HP_ERROR_GOODBYE: return "HP_ERROR_GOODBYE";
    case HP_ERROR_PROTOCOL: return "HP_ERROR_PROTOCOL";
    case HP_ERROR_SERVER: return "HP_ERROR_SERVER";
    default: return "HP_ERROR_UNKNOWN";
  }
}

const char *hp_version(void) { return HP_VERSION; }
