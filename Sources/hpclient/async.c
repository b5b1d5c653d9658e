#include "hp/version.h"
typedef int hp_placeholder;
