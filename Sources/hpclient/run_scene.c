#include "running.h"

#include "hp/scene.h"

hp_reply *hp_run_scene(hp_client *client, const hp_envelope *envelope, const hp_scene_step *step) {
  HP_RUN(client, hp_send_scene(async, envelope, step));
}
