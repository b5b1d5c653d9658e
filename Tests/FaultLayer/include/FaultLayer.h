#ifndef FAULT_LAYER_H
#define FAULT_LAYER_H

/* A file layer for SQLite that works like the system's until it is told to fail. Its state is
 * one for the process. */

#define FAULT_WRITE 1
#define FAULT_SYNC 2

/* Registers the layer as "fault"; may be called again. Returns SQLite's result code. */
int fault_register(void);

/* From the nth matching call on the write-ahead log on, each fails with code. With after, the call
 * is done first and then said to have failed. */
void fault_arm(int operation, int nth, int code, int after);

/* Lets everything work again. Returns how many calls failed. */
int fault_heal(void);

#endif
