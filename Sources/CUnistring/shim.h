#include <unicase.h>
#include <uninorm.h>
#include <unistr.h>
#include <uniwidth.h>
#include <unigbrk.h>
#include <unictype.h>
#include <stdlib.h>

// Swift cannot import the address of an opaque constant.
static inline uninorm_t hp_nfc(void) { return UNINORM_NFC; }
