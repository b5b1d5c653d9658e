#ifndef CHP_SYSTEM_H
#define CHP_SYSTEM_H
#endif
