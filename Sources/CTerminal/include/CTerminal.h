/* What hpctl asks of a terminal and of the shell. */
#ifndef CTERMINAL_H
#define CTERMINAL_H

#include <stddef.h>

/* Columns of the terminal at `descriptor`, or 0 when it is none. */
int hp_terminal_columns(int descriptor);

/* Runs `sh -c command` with `size` bytes as its stdin, and waits for its end. Returns its exit status,
 * 128 and the signal that ended it, or the negative errno where it can't be run. Needs SIGPIPE
 * ignored; the command gets the usual one. */
int hp_run_command(const char *command, const void *input, size_t size);

/* Takes those of the descriptors 0, 1 and 2 that are closed, so that nothing that is opened later
 * stands there. They are opened the wrong way round: reading from 0 and writing to 1 or 2 fails with
 * EBADF, as if they were closed. To be called before anything is opened. Returns 0, or -1 where
 * /dev/null can't be opened. */
int hp_terminal_keep_standard(void);

#endif
