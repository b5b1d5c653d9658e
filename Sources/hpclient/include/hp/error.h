/* What can go wrong: on this side (hp_error), and what the server says (hp_server_error). */
#ifndef HP_ERROR_H
#define HP_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hp/compiler.h"
#include "hp/value.h"

HP_BEGIN_DECLS

/** What kind of thing went wrong. The kinds marked (ends) end the connection. */
typedef enum hp_error_kind {
  HP_ERROR_NONE = 0,
  HP_ERROR_MEMORY = 1,         /**< an allocation failed; (ends) when it hit what was received */
  HP_ERROR_ARGUMENT = 2,       /**< the caller asked for what can't be said; nothing was sent */
  HP_ERROR_STATE = 3,          /**< the connection is not open (any more) */
  HP_ERROR_TOO_LARGE = 4,      /**< the request is larger than a frame may be; nothing was sent */
  HP_ERROR_FULL = 5,           /**< too many requests or bytes under way; send again later */
  HP_ERROR_EVENTS_WAITING = 6, /**< take the waiting events first (blocking layer) */
  HP_ERROR_TIMEOUT = 7,        /**< the time ran out; (ends) while connecting */
  HP_ERROR_SOCKET_PATH = 8,    /**< no usable socket path; (ends) */
  HP_ERROR_CONNECT = 9,        /**< nobody answers at the socket; (ends) */
  HP_ERROR_SYSTEM = 10,        /**< a system call failed, see `system`; (ends) */
  HP_ERROR_CLOSED = 11,        /**< the connection was closed without a reason; (ends) */
  HP_ERROR_GOODBYE = 12,       /**< the server said goodbye, see `code`; (ends) */
  HP_ERROR_PROTOCOL = 13,      /**< what the server sent is not the protocol; (ends) */
  HP_ERROR_SERVER = 14         /**< the server refused the request, see `code` */
} hp_error_kind;

/** The server's codes; numbers are those of hp.v1.ErrorCode and never change. A newer server may
 * send others. */
typedef enum hp_code {
  HP_CODE_NONE = 0,
  HP_CODE_BAD_FRAME = 1,
  HP_CODE_FRAME_TOO_LARGE = 2,
  HP_CODE_BAD_TEXT = 3,
  HP_CODE_TOO_DEEP = 4,
  HP_CODE_TOO_MANY_ELEMENTS = 5,
  HP_CODE_UNKNOWN_REQUEST = 6,
  HP_CODE_UNKNOWN_FIELD = 7,
  HP_CODE_UNSUPPORTED = 8,
  HP_CODE_VERSION = 9,
  HP_CODE_HELLO_EXPECTED = 10,
  HP_CODE_TOO_MANY_REQUESTS = 11,
  HP_CODE_TOO_MANY_CLIENTS = 12,
  HP_CODE_TOO_MANY_SUBSCRIPTIONS = 13,
  HP_CODE_TIMEOUT = 14,
  HP_CODE_SHUTTING_DOWN = 15,
  HP_CODE_TOO_SLOW = 16,
  HP_CODE_OUT_OF_MEMORY = 17,
  HP_CODE_INTERNAL = 18,
  HP_CODE_UPLOAD_TOO_LARGE = 19,
  HP_CODE_NOT_PERMITTED = 30,
  HP_CODE_REVOKED = 31,
  HP_CODE_HELD_EXCLUSIVELY = 32,
  HP_CODE_NOT_HOLDER = 33,
  HP_CODE_LEASE_EXPIRED = 34,
  HP_CODE_HELD_BY_OTHERS = 35,
  HP_CODE_NOT_FOUND = 50,
  HP_CODE_NO_SUCH_TABLE = 51,
  HP_CODE_NO_SUCH_COLUMN = 52,
  HP_CODE_NO_SUCH_SECTION = 53,
  HP_CODE_NO_SUCH_ROW = 54,
  HP_CODE_NO_SUCH_SUBSCRIPTION = 55,
  HP_CODE_NO_SUCH_HANDLE = 56,
  HP_CODE_AMBIGUOUS = 57,
  HP_CODE_NAME_IN_USE = 58,
  HP_CODE_NO_SUCH_UPLOAD = 59,
  HP_CODE_STALE = 70,
  HP_CODE_WRONG_EPOCH = 71,
  HP_CODE_FUTURE_REVISION = 72,
  HP_CODE_COMPACTED = 73,
  HP_CODE_OTHER_FILTER = 74,
  HP_CODE_CONFLICT = 75,
  HP_CODE_ROW_EXISTS = 76,
  HP_CODE_COUNT_ROWS = 77,
  HP_CODE_COUNT_SECTIONS = 78,
  HP_CODE_COUNT_MATCHED = 79,
  HP_CODE_KEY_REUSED = 80,
  HP_CODE_KEY_EXPIRED = 81,
  HP_CODE_KEYS_FULL = 82,
  HP_CODE_NOTHING_TO_UNDO = 83,
  HP_CODE_SNAPSHOT_EXPIRED = 84,
  HP_CODE_NOTHING_TO_REDO = 85,
  HP_CODE_NOT_OWN_STEP = 86,
  HP_CODE_BAD_REQUEST = 100,
  HP_CODE_BAD_VALUE = 101,
  HP_CODE_WRONG_KIND = 102,
  HP_CODE_REQUIRED = 103,
  HP_CODE_READ_ONLY = 104,
  HP_CODE_TEXT_TOO_LONG = 105,
  HP_CODE_ROW_TOO_LARGE = 106,
  HP_CODE_OVERFLOW = 107,
  HP_CODE_OUT_OF_BOUNDS = 108,
  HP_CODE_DUPLICATE_KEY = 109,
  HP_CODE_BAD_NAME = 110,
  HP_CODE_BAD_FILTER = 111,
  HP_CODE_TOO_MANY_COLUMNS = 112,
  HP_CODE_TOO_MANY_SECTIONS = 113,
  HP_CODE_TOO_MANY_ROWS = 114,
  HP_CODE_PATHS_NEED_BASIS = 115,
  HP_CODE_DUPLICATE_COLUMN = 116,
  HP_CODE_OUT_OF_RANGE = 130,
  HP_CODE_DELETE_AND_MOVE = 131,
  HP_CODE_RELOAD_AND_MOVE = 132,
  HP_CODE_INSERT_AND_MOVE = 133,
  HP_CODE_DELETE_AND_RELOAD = 134,
  HP_CODE_MOVE_COLLISION = 135,
  HP_CODE_MOVE_TWICE_FROM = 136,
  HP_CODE_MOVE_INTO_INSERTED_SECTION = 137,
  HP_CODE_MOVE_FROM_DELETED_SECTION = 138,
  HP_CODE_DUPLICATE = 139,
  HP_CODE_ROWS_IN_RELOADED_SECTION = 140,
  HP_CODE_NOT_EDITABLE = 160,
  HP_CODE_NOT_MOVABLE = 161,
  HP_CODE_STYLE_MISMATCH = 162,
  HP_CODE_STYLE_NOT_DELETE = 163,
  HP_CODE_IN_EDITING_MODE = 164,
  HP_CODE_NOT_EDITING = 165,
  HP_CODE_NO_SWIPE = 166,
  HP_CODE_NO_DRAG = 167,
  HP_CODE_NO_DRAFT = 168,
  HP_CODE_ALREADY_ON_STACK = 169,
  HP_CODE_LEGACY_XIB = 170,
  HP_CODE_BAD_XIB = 171,
  HP_CODE_NO_SUCH_OUTLET = 172,
  HP_CODE_NO_CONFIRM = 173,
  HP_CODE_NOT_SELECTABLE = 174,
  HP_CODE_DRAFT_OPEN = 175,
  HP_CODE_DRAG_OPEN = 176,
  HP_CODE_STORE_FAILED = 190,
  HP_CODE_OUTCOME_UNKNOWN = 191,
  HP_CODE_STORE_FULL = 192,
  HP_CODE_STORE_BUSY = 193,
  HP_CODE_STORE_CHANGED_OUTSIDE = 194,
  HP_CODE_STORE_TOO_NEW = 195,
  HP_CODE_BUSY = 196
} hp_code;

/** One error, complete in itself: it holds no pointers and can be copied. */
typedef struct hp_error {
  hp_error_kind kind;
  int system;        /**< errno, or 0 */
  hp_code code;      /**< HP_ERROR_SERVER and HP_ERROR_GOODBYE, else HP_CODE_NONE */
  char message[256]; /**< for people; cut at a whole character */
} hp_error;

/** The message of `error`, never NULL. Lives as long as `error`. */
HP_API HP_PURE const char *hp_error_message(const hp_error *error);

/** Whether connecting again may help: the server went away, is not up yet, or was too busy. */
HP_API HP_PURE bool hp_error_is_temporary(const hp_error *error);

/** Stable name such as "STALE", or "UNKNOWN" for a code this library does not know. Static. */
HP_API const char *hp_code_name(hp_code code);

/** Name such as "HP_ERROR_TIMEOUT". Static. */
HP_API const char *hp_error_kind_name(hp_error_kind kind);

/** A later step that stands in the way of an undo. */
typedef struct hp_conflict {
  uint64_t revision;
  uint64_t uid;
  const char *actor;
  uint64_t row;       /**< 0: none */
  uint64_t section;   /**< 0: none */
  const char *column; /**< or NULL */
  bool removed;       /**< the row, section or column is gone */
} hp_conflict;

/** All that the server says about a refusal: every field of hp.v1.Error. */
typedef struct hp_server_error {
  hp_code code;
  const char *message; /**< never NULL */
  bool has_operation;
  uint64_t operation;  /**< index of the failing operation */
  bool has_path;
  hp_path path;
  bool has_other_path;
  hp_path other_path;
  bool has_row;
  uint64_t row;
  bool has_section;
  uint64_t section;
  bool has_revision;
  uint64_t revision;
  bool has_field;
  uint64_t field;  /**< number of the protobuf field at fault */
  bool has_offset;
  uint64_t offset; /**< byte in the frame */
  const char *file; /**< of the bundle */
  bool has_line;
  uint64_t line; /**< of that file */
  const char *column;
  const char *value;
  const char *expected;
  const char *hint;
  const hp_conflict *conflicts;
  size_t conflict_count;
} hp_server_error;

HP_END_DECLS

#endif
