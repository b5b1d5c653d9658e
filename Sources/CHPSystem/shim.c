#include "CHPSystem.h"
typedef int hp_placeholder;
