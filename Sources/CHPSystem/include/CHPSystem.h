#ifndef CHP_SYSTEM_H
#define CHP_SYSTEM_H

#include "hp_fiber.h"
#include "hp_file.h"
#include "hp_options.h"
#include "hp_pages.h"
#include "hp_system.h"

#endif
