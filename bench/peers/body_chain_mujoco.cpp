#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "body_chain.hpp"

namespace body_chain {

namespace {

// The reader of MuJoCo takes elements up to a depth of 100: a longer chain goes on in a further file.
constexpr int bodies_per_file = 50;

std::string file_name(int first) {
  return fmt::format("chain{}.xml", first);
}

// Bodies from `first` on, one inside the other.
std::string bodies_from(int first, const Chain& chain) {
  constexpr double l = Chain::l;
  const int end = std::min(first + bodies_per_file, chain.N);
  std::string xml;
  for (int i = first; i < end; ++i)
    xml += fmt::format(
        "<body pos='{} 0 0'><joint type='ball'/><geom type='box' size='{} {} {}' pos='{} 0 0' density='{}' contype='0' "
        "conaffinity='0'/>",
        i == 0 ? 0 : l, l / 2, l / 8, l / 8, l / 2, Chain::density);
  if (end < chain.N) xml += fmt::format("<include file='{}'/>", file_name(end));
  for (int i = first; i < end; ++i) xml += "</body>";
  return xml;
}

// Nothing that damps: joints have neither damping, armature, friction nor limits unless they are given, and the
// constraint solver, contacts and passive forces are off. Without damping of joints "Euler" has no implicit part:
// velocities first, then positions. It is not symplectic here, gyroscopic forces being those of the old velocities, and
// gains energy; so does Simbody's SemiExplicitEuler2, whose step is two of these.
std::string main_file(const Chain& chain) {
  return fmt::format(
      "<mujoco><option gravity='0 0 {}'><flag constraint='disable' contact='disable' passive='disable'/></option>"
      "<worldbody>{}</worldbody></mujoco>",
      -Chain::gravity, bodies_from(0, chain));
}

using ModelPointer = std::unique_ptr<mjModel, decltype(&mj_deleteModel)>;
using DataPointer = std::unique_ptr<mjData, decltype(&mj_deleteData)>;

ModelPointer load(const Chain& chain) {
  const auto files = std::make_unique<mjVFS>();  // too large for the stack
  mj_defaultVFS(files.get());
  const auto add = [&](const std::string& name, const std::string& text) {
    mj_makeEmptyFileVFS(files.get(), name.c_str(), static_cast<int>(text.size()));
    std::memcpy(files->filedata[mj_findFileVFS(files.get(), name.c_str())], text.data(), text.size());
  };
  add(file_name(0), main_file(chain));
  for (int first = bodies_per_file; first < chain.N; first += bodies_per_file)
    add(file_name(first), "<mujocoinclude>" + bodies_from(first, chain) + "</mujocoinclude>");
  char error[1000] = "";
  ModelPointer model(mj_loadXML(file_name(0).c_str(), files.get(), error, sizeof error), &mj_deleteModel);
  mj_deleteVFS(files.get());
  if (!model) throw std::runtime_error(std::string("MuJoCo does not take the chain: ") + error);
  return model;
}

// The model of the last chain is kept: one of 1000 bodies takes most of a minute to make.
mjModel* model_of(const Chain& chain, double step, mjtIntegrator integrator) {
  static ModelPointer model{nullptr, &mj_deleteModel};
  static int N = 0;
  if (N != chain.N) model = load(chain), N = chain.N;
  model->opt.timestep = step;
  model->opt.integrator = integrator;
  return model.get();
}

Bodies bodies(const Chain& chain, const mjModel* model, mjData* data) {
  mj_forward(model, data);  // a step leaves positions of bodies where it began
  Bodies all(static_cast<std::size_t>(chain.N));
  for (int i = 0; i < chain.N; ++i) {
    Body& body = all[static_cast<std::size_t>(i)];
    const int id = i + 1;  // 0 is the world
    double rates[6];       // angular, linear
    mj_objectVelocity(model, data, mjOBJ_BODY, id, rates, 0);
    std::copy_n(data->xipos + 3 * id, 3, body.position.begin());
    std::copy_n(rates, 3, body.angular_velocity.begin());
    std::copy_n(rates + 3, 3, body.velocity.begin());
    for (std::size_t k = 0; k < 9; ++k) body.rotation[k / 3][k % 3] = data->xmat[9 * static_cast<std::size_t>(id) + k];
  }
  return all;
}

Run run(const Chain& chain, const Setting& setting, mjtIntegrator integrator) {
  mju_user_warning = [](const char*) {};  // else it writes a file of messages to the working directory
  const long long steps = std::llround(setting.end / setting.step);
  mjModel* const model = model_of(chain, setting.end / static_cast<double>(steps), integrator);
  const DataPointer data(mj_makeData(model), &mj_deleteData);
  data->qvel[2] = chain.turn;  // of the first joint; all others turn with it
  Run run;
  for (int k = 1; k <= setting.samples && run.failure.empty(); ++k) {
    const long long until = steps * k / setting.samples;
    const double begin = process_seconds();
    for (; run.steps < until && process_seconds() - begin < setting.longest; ++run.steps) mj_step(model, data.get());
    run.seconds += process_seconds() - begin;
    if (run.steps < until) {
      run.too_long = true;
      run.failure = fmt::format("stopped after {} of {} steps, {:.2f} s", run.steps, steps, run.seconds);
      break;
    }
    run.bodies = bodies(chain, model, data.get());
    const double error = (chain.energy(run.bodies) - chain.start_energy()) / chain.energy_scale();
    run.largest_energy_error = std::max(run.largest_energy_error, std::abs(error));
    // Where numbers get too large it goes back to the start, and counts a warning.
    for (const mjtWarning warning : {mjWARN_BADQPOS, mjWARN_BADQVEL, mjWARN_BADQACC})
      if (data->warning[warning].number > 0)
        run.failure = fmt::format("failed before t = {}", setting.end * k / setting.samples);
  }
  return run;
}

Method method(const char* name, mjtIntegrator integrator, double first_step) {
  return {.program = "MuJoCo",
          .name = name,
          .first_step = first_step,
          .run = [integrator](const Chain& c, const Setting& s) { return run(c, s, integrator); }};
}

}  // namespace

std::vector<Method> mujoco_methods() {
  return {method("Euler", mjINT_EULER, 0.02), method("RK4", mjINT_RK4, 0.02)};
}

std::string mujoco_version() {
  return mj_versionString();
}

}  // namespace body_chain
