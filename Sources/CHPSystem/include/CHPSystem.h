#ifndef CHP_SYSTEM_H
#define CHP_SYSTEM_H
#include "hp_file.h"
#endif
