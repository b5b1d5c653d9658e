/* Deep copies of what scenes are made of. Not installed. */
#ifndef HP_SCENE_PARTS_H
#define HP_SCENE_PARTS_H

#include "internal.h"

#include "hp/scene.h"

/* Each copies into the maker's arena. Where the maker has a fault after it, `*to` is to be thrown
 * away. */
void hp_keep_holder(hp_maker *maker, hp_holder *to, const hp_holder *from);
void hp_keep_responder(hp_maker *maker, hp_responder *to, const hp_responder *from);
void hp_keep_node(hp_maker *maker, hp_view_node *to, const hp_view_node *from);
void hp_keep_controller(hp_maker *maker, hp_controller *to, const hp_controller *from);
void hp_keep_stack(hp_maker *maker, hp_navigation_stack *to, const hp_navigation_stack *from);
const hp_bar *hp_keep_bar(hp_maker *maker, const hp_bar *from);
void hp_keep_scene(hp_maker *maker, hp_scene_state *to, const hp_scene_state *from);

/** A new array of `count` elements, the first `given` of them as in `from`, the others zero; NULL
 * where it would be empty or memory ran out. */
void *hp_keep_array(hp_maker *maker, const void *from, size_t given, size_t count, size_t size);

#endif
