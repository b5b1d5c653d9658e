#include "live.h"
#include "scene_parts.h"

#include <string.h>

#include "hp/scene_copy.h"

/*
 * The copy is one state in one arena. An event never changes what is there: it makes the parts anew
 * that it changes, beside the old ones, and only a state that is whole takes the old one's place.
 * What is no longer part of it goes once it takes more room than the rest.
 */

/* Below this many bytes of an arena nothing is swept. */
#define HP_SCENE_SWEEP (64 * 1024)

struct hp_scene_copy {
  hp_allocator allocator;
  hp_arena *arena;
  hp_scene_state state;
  size_t kept; /* bytes of the arena when it was swept last */
  bool has_state;
  bool is_broken; /* takes nothing but a state */
  uint64_t start;
  const char *why;
};

/* One event being folded. */
typedef struct fold {
  hp_maker maker;
  hp_scene_state next;
  const char *why; /* what does not fit */
} fold;

hp_scene_copy *hp_scene_copy_new(const hp_allocator *allocator) {
  hp_allocator used = hp_allocator_or_default(allocator);
  hp_scene_copy *copy = hp_allocate(&used, sizeof *copy);
  if (copy == NULL) return NULL;
  memset(copy, 0, sizeof *copy);
  copy->allocator = used;
  copy->why = "";
  return copy;
}

void hp_scene_copy_free(hp_scene_copy *copy) {
  if (copy == NULL) return;
  hp_allocator allocator = copy->allocator;
  hp_arena_free(copy->arena);
  hp_release(&allocator, copy);
}

const hp_scene_state *hp_scene_copy_state(const hp_scene_copy *copy) {
  return copy->has_state ? &copy->state : NULL;
}

bool hp_scene_copy_is_whole(const hp_scene_copy *copy) {
  return copy->has_state && !copy->is_broken;
}

uint64_t hp_scene_copy_start(const hp_scene_copy *copy) { return copy->start; }

const char *hp_scene_copy_reason(const hp_scene_copy *copy) { return copy->why; }

static hp_gap stop(hp_scene_copy *copy, hp_gap gap, const char *why) {
  copy->is_broken = true;
  copy->why = why;
  return gap;
}

void hp_scene_copy_expect(hp_scene_copy *copy) { copy->is_broken = true; }

/* Whether what is selected and visible is there; where controllers came or went, whether each stands
 * in one place. */
static const char *fault_of(const hp_scene_state *state, bool came_or_went) {
  if (state->stack_count == 0) return "a scene has no tab";
  if (state->more != NULL && state->more->class_name == NULL) return "a controller is not known";
  for (size_t i = 0; came_or_went && i < state->stack_count; i++) {
    const hp_navigation_stack *stack = &state->stacks[i];
    if (stack->controller_count == 0) return "a stack has no root";
    for (size_t j = 0; j < stack->controller_count; j++) {
      const hp_controller *controller = &stack->controllers[j];
      if (controller->class_name == NULL) return "a controller is not known";
      /* The first one with its id is itself. */
      if (hp_scene_controller(state, controller->id) != controller) {
        return "a controller stands twice";
      }
    }
  }
  if (state->more_selected ? state->more == NULL : state->selected >= state->stack_count) {
    return "what is selected is not there";
  }
  if (hp_scene_controller(state, state->visible) == NULL) return "what is visible is not there";
  return NULL;
}

static void refuse(fold *folding, const char *why) {
  if (folding->why == NULL) folding->why = why;
}

/* Controllers in place */

/* A new list of stacks, as they are: for one of them to be changed. */
static hp_navigation_stack *own_stacks(fold *folding) {
  hp_scene_state *next = &folding->next;
  hp_navigation_stack *stacks = hp_keep_array(&folding->maker, next->stacks, next->stack_count,
                                              next->stack_count, sizeof *stacks);
  next->stacks = stacks;
  return stacks;
}

/* The controller with an id, for changing: all that leads to it is made anew. NULL: there is none,
 * or memory ran out. */
static hp_controller *own_controller(fold *folding, uint64_t id) {
  hp_scene_state *next = &folding->next;
  if (next->more != NULL && next->more->id == id) {
    hp_controller *more = hp_keep_array(&folding->maker, next->more, 1, 1, sizeof *more);
    next->more = more;
    return more;
  }
  for (size_t i = 0; i < next->stack_count; i++) {
    const hp_navigation_stack *stack = &next->stacks[i];
    for (size_t j = 0; j < stack->controller_count; j++) {
      if (stack->controllers[j].id != id) continue;
      hp_navigation_stack *stacks = own_stacks(folding);
      hp_controller *controllers =
          stacks == NULL ? NULL
                         : hp_keep_array(&folding->maker, stacks[i].controllers,
                                         stacks[i].controller_count, stacks[i].controller_count,
                                         sizeof *controllers);
      if (controllers == NULL) return NULL;
      stacks[i].controllers = controllers;
      return &controllers[j];
    }
  }
  refuse(folding, "a controller is not known");
  return NULL;
}

/* Folding, by the kind of the event */

static void fold_navigation(fold *folding, const hp_scene_event *event) {
  hp_scene_state *next = &folding->next;
  if (event->stack == NULL) {
    refuse(folding, "no stack is told");
    return;
  }
  size_t place = 0;
  while (place < next->stack_count && next->stacks[place].id != event->stack->id) place += 1;
  if (place == next->stack_count) {
    refuse(folding, "a stack is not known");
    return;
  }
  size_t count = event->stack->controller_count;
  hp_controller *controllers = hp_make_array(&folding->maker, count, sizeof *controllers);
  for (size_t i = 0; controllers != NULL && i < count; i++) {
    const hp_controller *told = &event->stack->controllers[i];
    if (told->class_name != NULL) {
      hp_keep_controller(&folding->maker, &controllers[i], told);
      continue;
    }
    const hp_controller *known = hp_scene_controller(next, told->id);
    if (known == NULL) {
      refuse(folding, "a controller is not known");
      return;
    }
    controllers[i] = *known;
  }
  hp_navigation_stack *stacks = own_stacks(folding);
  if (stacks == NULL) return;
  stacks[place].controllers = controllers;
  stacks[place].controller_count = count;
}

static void select_tab(fold *folding, const hp_scene_event *event) {
  folding->next.more_selected = !event->has_selected;
  folding->next.selected = event->selected;
}

static void fold_tabs(fold *folding, const hp_scene_event *event) {
  hp_scene_state *next = &folding->next;
  hp_navigation_stack *stacks =
      hp_make_array(&folding->maker, event->stack_count, sizeof *stacks);
  for (size_t i = 0; stacks != NULL && i < event->stack_count; i++) {
    const hp_navigation_stack *told = &event->stacks[i];
    if (told->controller_count > 0) {
      hp_keep_stack(&folding->maker, &stacks[i], told);
      continue;
    }
    size_t place = 0;
    while (place < next->stack_count && next->stacks[place].id != told->id) place += 1;
    if (place == next->stack_count) {
      refuse(folding, "a stack is not known");
      return;
    }
    stacks[i] = next->stacks[place];
  }
  next->stacks = stacks;
  next->stack_count = event->stack_count;
  next->more = NULL;
  if (event->more != NULL) {
    hp_controller *more = hp_make_array(&folding->maker, 1, sizeof *more);
    if (more != NULL) hp_keep_controller(&folding->maker, more, event->more);
    next->more = more;
  }
  select_tab(folding, event);
}

static void fold_controller(fold *folding, const hp_scene_event *event) {
  if (event->controller == NULL || event->controller->class_name == NULL) {
    refuse(folding, "no controller is told");
    return;
  }
  hp_controller *controller = own_controller(folding, event->controller->id);
  if (controller == NULL) return;
  hp_controller before = *controller;
  hp_keep_controller(&folding->maker, controller, event->controller);
  if (event->controller->node_count == 0) {
    controller->nodes = before.nodes;
    controller->node_count = before.node_count;
  }
  if (event->kind != HP_SCENE_EVENT_ITEM && event->kind != HP_SCENE_EVENT_VIEW_LOADED) {
    controller->item_views = before.item_views;
    controller->item_view_count = before.item_view_count;
  }
}

/* Puts the node in the place of the one with its id; false: it is not there. */
static bool put_node(fold *folding, const hp_view_node **nodes, size_t count,
                     const hp_view_node *node) {
  for (size_t i = 0; i < count; i++) {
    if ((*nodes)[i].id != node->id) continue;
    hp_view_node *made = hp_keep_array(&folding->maker, *nodes, count, count, sizeof *made);
    if (made != NULL) hp_keep_node(&folding->maker, &made[i], node);
    *nodes = made;
    return true;
  }
  return false;
}

static void fold_node(fold *folding, const hp_scene_event *event) {
  if (event->controller == NULL || event->node == NULL) {
    refuse(folding, "no node is told");
    return;
  }
  hp_controller *controller = own_controller(folding, event->controller->id);
  if (controller == NULL ||
      put_node(folding, &controller->nodes, controller->node_count, event->node)) {
    return;
  }
  hp_item_view *views =
      hp_keep_array(&folding->maker, controller->item_views, controller->item_view_count,
                    controller->item_view_count, sizeof *views);
  if (views == NULL && controller->item_view_count > 0) return;
  controller->item_views = views;
  for (size_t i = 0; i < controller->item_view_count; i++) {
    if (put_node(folding, &views[i].nodes, views[i].node_count, event->node)) return;
  }
  refuse(folding, "a node is not known");
}

/* Gives the buttons with an id another title; whether there are any. */
static bool title_buttons(fold *folding, const hp_bar_button **buttons, size_t count, uint64_t id,
                          const char *title) {
  bool found = false;
  hp_bar_button *made = hp_keep_array(&folding->maker, *buttons, count, count, sizeof *made);
  for (size_t i = 0; made != NULL && i < count; i++) {
    if (made[i].id != id) continue;
    made[i].title = hp_make_text(&folding->maker, title);
    found = true;
  }
  *buttons = made;
  return found;
}

static void fold_title(fold *folding, const hp_scene_event *event) {
  if (event->controller == NULL || event->title == NULL) {
    refuse(folding, "no title is told");
    return;
  }
  hp_controller *controller = own_controller(folding, event->controller->id);
  if (controller == NULL) return;
  hp_navigation_item *item = &controller->item;
  bool left = title_buttons(folding, &item->left, item->left_count, event->sender, event->title);
  bool right =
      title_buttons(folding, &item->right, item->right_count, event->sender, event->title);
  if (!left && !right && folding->maker.fault == HP_ERROR_NONE) {
    refuse(folding, "a button is not known");
  }
}

static void fold_responder(fold *folding, const hp_scene_event *event) {
  hp_scene_state *next = &folding->next;
  if (event->by == NULL || event->responder_count > 1) {
    refuse(folding, "a keyboard is nobody's");
    return;
  }
  hp_responder *made = hp_make_array(&folding->maker, next->responder_count + 1, sizeof *made);
  if (made == NULL) return;
  size_t count = 0;
  bool placed = false;
  for (size_t i = 0; i < next->responder_count; i++) {
    if (!hp_holder_is(&next->responders[i].holder, event->by)) {
      made[count++] = next->responders[i];
    } else if (!placed && event->responder_count > 0) {
      hp_keep_responder(&folding->maker, &made[count++], &event->responders[0]);
      placed = true;
    }
  }
  if (!placed && event->responder_count > 0) {
    hp_keep_responder(&folding->maker, &made[count++], &event->responders[0]);
  }
  next->responders = made;
  next->responder_count = count;
}

static void fold_presence(fold *folding, const hp_scene_event *event) {
  hp_scene_state *next = &folding->next;
  if (event->by == NULL) {
    refuse(folding, "nobody attaches");
    return;
  }
  hp_holder *made = hp_make_array(&folding->maker, next->attached_count + 1, sizeof *made);
  if (made == NULL) return;
  size_t count = 0;
  for (size_t i = 0; i < next->attached_count; i++) {
    if (!hp_holder_is(&next->attached[i], event->by)) made[count++] = next->attached[i];
  }
  if ((event->kind == HP_SCENE_EVENT_ATTACHED) != (count == next->attached_count)) {
    refuse(folding, "who is attached is told twice");
    return;
  }
  if (event->kind == HP_SCENE_EVENT_ATTACHED) {
    hp_keep_holder(&folding->maker, &made[count++], event->by);
  }
  next->attached = made;
  next->attached_count = count;
}

static void fold_step(fold *folding, const hp_scene_event *event) {
  switch (event->kind) {
    case HP_SCENE_EVENT_NAVIGATION: fold_navigation(folding, event); break;
    case HP_SCENE_EVENT_TAB_SELECTED: select_tab(folding, event); break;
    case HP_SCENE_EVENT_TABS: fold_tabs(folding, event); break;
    case HP_SCENE_EVENT_ITEM:
    case HP_SCENE_EVENT_VIEW_LOADED:
    case HP_SCENE_EVENT_EDITING:
    case HP_SCENE_EVENT_GONE: fold_controller(folding, event); break;
    case HP_SCENE_EVENT_NODE: fold_node(folding, event); break;
    case HP_SCENE_EVENT_BUTTON_TITLE: fold_title(folding, event); break;
    case HP_SCENE_EVENT_RESPONDER: fold_responder(folding, event); break;
    case HP_SCENE_EVENT_ATTACHED:
    case HP_SCENE_EVENT_DETACHED: fold_presence(folding, event); break;
    default: break; /* somebody is asked for something, or told; or of a newer server */
  }
  if (event->bar != NULL) folding->next.bar = hp_keep_bar(&folding->maker, event->bar);
  if (event->visible != 0) folding->next.visible = event->visible;
  folding->next.sequence = event->sequence;
}

/* States, and what is left behind */

static hp_gap take_state(hp_scene_copy *copy, const hp_scene_event *event) {
  const char *fault = event->state == NULL ? "no state is told" : fault_of(event->state, true);
  if (fault != NULL) return stop(copy, HP_GAP_CONTENT, fault);
  hp_arena *arena = hp_arena_new(&copy->allocator, 4096);
  if (arena == NULL) return stop(copy, HP_GAP_MEMORY, "");
  fold folding = {{arena, NULL, HP_ERROR_NONE, ""}, {0}, NULL};
  hp_keep_scene(&folding.maker, &folding.next, event->state);
  if (folding.maker.fault != HP_ERROR_NONE) {
    hp_arena_free(arena);
    return stop(copy, HP_GAP_MEMORY, "");
  }
  hp_arena_free(copy->arena);
  copy->arena = arena;
  copy->state = folding.next;
  copy->state.sequence = event->sequence;
  copy->kept = hp_arena_bytes(arena);
  copy->start = event->start;
  copy->has_state = true;
  copy->is_broken = false;
  copy->why = "";
  return HP_GAP_NONE;
}

/* Gives back what is no longer part of the state. Without memory for that it stays for now. */
static void sweep(hp_scene_copy *copy) {
  if (hp_arena_bytes(copy->arena) < 2 * copy->kept + HP_SCENE_SWEEP) return;
  hp_arena *arena = hp_arena_new(&copy->allocator, copy->kept);
  if (arena == NULL) return;
  fold folding = {{arena, NULL, HP_ERROR_NONE, ""}, {0}, NULL};
  hp_keep_scene(&folding.maker, &folding.next, &copy->state);
  if (folding.maker.fault != HP_ERROR_NONE) {
    hp_arena_free(arena);
    return;
  }
  hp_arena_free(copy->arena);
  copy->arena = arena;
  copy->state = folding.next;
  copy->kept = hp_arena_bytes(arena);
}

hp_gap hp_scene_copy_take(hp_scene_copy *copy, const hp_event *event) {
  if (event->kind == HP_EVENT_ENDED) return stop(copy, hp_gap_of(event->reason), "");
  if (event->kind != HP_EVENT_SCENE || event->scene == NULL) return HP_GAP_NONE;
  const hp_scene_event *told = event->scene;
  if (told->kind == HP_SCENE_EVENT_STATE) return take_state(copy, told);
  if (!copy->has_state || copy->is_broken) return HP_GAP_NONE;
  if (told->start != copy->start || told->sequence != copy->state.sequence + 1) {
    return stop(copy, HP_GAP_ORDER, "an event of the scene is missing");
  }
  if (told->kind == HP_SCENE_EVENT_REMOVED) return stop(copy, HP_GAP_SCENE_REMOVED, "");
  fold folding = {{copy->arena, NULL, HP_ERROR_NONE, ""}, copy->state, NULL};
  fold_step(&folding, told);
  if (folding.maker.fault != HP_ERROR_NONE) return stop(copy, HP_GAP_MEMORY, "");
  bool came_or_went =
      told->kind == HP_SCENE_EVENT_NAVIGATION || told->kind == HP_SCENE_EVENT_TABS;
  const char *fault =
      folding.why != NULL ? folding.why : fault_of(&folding.next, came_or_went);
  if (fault != NULL) return stop(copy, HP_GAP_CONTENT, fault);
  copy->state = folding.next;
  sweep(copy);
  return HP_GAP_NONE;
}
