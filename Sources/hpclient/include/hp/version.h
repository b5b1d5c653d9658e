#ifndef HP_VERSION_H
#define HP_VERSION_H
#define HP_VERSION "0.1.0"
#endif
