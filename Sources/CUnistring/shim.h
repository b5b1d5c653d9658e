// First: libunistring renames int32_t, and stdlib.h must read the same in every module.
#include <stdlib.h>

#include <unicase.h>
#include <uninorm.h>
#include <unistr.h>
#include <uniwidth.h>
#include <unigbrk.h>
#include <unictype.h>

// Swift cannot import the address of an opaque constant.
static inline uninorm_t hp_nfc(void) { return UNINORM_NFC; }
