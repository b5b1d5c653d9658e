/* A scene as lines of text, for comparing. */
#ifndef SCENETEXT_H
#define SCENETEXT_H

#include <stdio.h>

#include "hp/client.h"

/** Tells all of a scene, a line for each thing in it. */
void scene_tell(FILE *to, const hp_scene_state *scene);

#endif
