#include <unicase.h>
#include <uninorm.h>
#include <unistr.h>
#include <uniwidth.h>
#include <unigbrk.h>
#include <unictype.h>
#include <stdlib.h>
