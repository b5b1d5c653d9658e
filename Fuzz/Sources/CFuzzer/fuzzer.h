#include <stddef.h>
#include <stdint.h>

/* Of libFuzzer, which has no header for it (llvm.org/docs/LibFuzzer.html). */
int LLVMFuzzerRunDriver(int *argc, char ***argv,
                        int (*callback)(const uint8_t *data, size_t size));
