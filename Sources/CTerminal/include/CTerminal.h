/* What hpctl asks of a terminal. */
#ifndef CTERMINAL_H
#define CTERMINAL_H

/* Columns of the terminal at `descriptor`, or 0 when it is none. */
int hp_terminal_columns(int descriptor);

#endif
