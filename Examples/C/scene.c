/* Shows what a scene shows: its stack and its bar, with the rows of the table beside it, printed
 * whenever somebody changes either.
 *
 *   cc -std=c11 scene.c $(pkg-config --cflags --libs hpclient) -o scene
 *   ./scene [SCENE [CHANGES]]     ends after so many changes (0: never)
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <hp/client.h>

static void print_scene(const hp_scene_state *scene, const hp_copy *rows) {
  printf("%s %" PRIu64 ":", scene->name, scene->sequence);
  if (!scene->more_selected) {
    const hp_navigation_stack *stack = &scene->stacks[scene->selected];
    for (size_t i = 0; i < stack->controller_count; i++) {
      const hp_controller *controller = &stack->controllers[i];
      const char *title = controller->item.title;
      printf("%s %s%s", i > 0 ? " >" : "", title != NULL ? title : controller->class_name,
             controller->editing ? " (editing)" : "");
    }
  }
  if (scene->bar->back != NULL) printf(" [< %s]", scene->bar->back->title);
  printf(", %zu rows, %zu here\n", hp_copy_row_count(rows), scene->attached_count);
  fflush(stdout);
}

int main(int count, char **arguments) {
  uint64_t changes = count > 2 ? strtoull(arguments[2], NULL, 10) : 0;
  hp_table_options options = {.table = hp_table_named("items"),
                              .scene = count > 1 ? arguments[1] : "main"};
  hp_table *table = hp_table_new(&options, NULL, NULL);
  bool well = table != NULL && hp_table_connect(table, NULL) && hp_table_wait(table, 0, 5000);
  uint64_t told = UINT64_MAX; /* sequence and start: a restart of the daemon counts anew */
  uint64_t start = 0;
  uint64_t times = 0;
  while (well) {
    const hp_scene_copy *scene = hp_table_scene(table);
    if (hp_scene_copy_is_whole(scene) && (hp_scene_copy_state(scene)->sequence != told ||
                                          hp_scene_copy_start(scene) != start)) {
      told = hp_scene_copy_state(scene)->sequence;
      start = hp_scene_copy_start(scene);
      print_scene(hp_scene_copy_state(scene), hp_table_copy(table));
      if (changes > 0 && ++times > changes) break;
    }
    well = hp_table_poll(table, -1);
  }
  if (!well && table != NULL) {
    fprintf(stderr, "scene: %s\n", hp_error_message(hp_table_error(table)));
  }
  hp_table_free(table);
  return well ? EXIT_SUCCESS : EXIT_FAILURE;
}
