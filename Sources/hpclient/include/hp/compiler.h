/* What the headers ask of the compiler. */
#ifndef HP_COMPILER_H
#define HP_COMPILER_H

#ifdef __cplusplus
#define HP_BEGIN_DECLS extern "C" {
#define HP_END_DECLS }
#else
#define HP_BEGIN_DECLS
#define HP_END_DECLS
#endif

#if defined(__GNUC__) || defined(__clang__)
/** Marks what the shared library exports; everything else is hidden. */
#define HP_API __attribute__((visibility("default")))
/** Reads its arguments and what they point at, changes nothing. */
#define HP_PURE __attribute__((pure))
/** The result says whether it worked, or has to be freed. */
#define HP_CHECK __attribute__((warn_unused_result))
#else
#define HP_API
#define HP_PURE
#define HP_CHECK
#endif

#endif
