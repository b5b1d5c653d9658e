/* Versions of the library and of the protocol. */
#ifndef HP_VERSION_H
#define HP_VERSION_H

#include "hp/compiler.h"

/** Version of these headers. */
#define HP_VERSION "0.1.0"
#define HP_VERSION_MAJOR 0
#define HP_VERSION_MINOR 1
#define HP_VERSION_PATCH 0

/** The protocol versions that this library speaks. */
#define HP_PROTOCOL_MIN 1
#define HP_PROTOCOL_MAX 1

HP_BEGIN_DECLS

/** Version of the library that is linked, such as "0.1.0". Static; never freed. */
HP_API const char *hp_version(void);

HP_END_DECLS

#endif
