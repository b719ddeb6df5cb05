// The compiled library: a model text is read, its method found by name, and run with and without results on disk.
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <livens/methods/methods.hpp>
#include <livens/model/model.hpp>
#include <livens/session/session.hpp>
#include <livens/simulation/simulate.hpp>

const char* const text = R"(
[system]
kind        = "lagrangian"
coordinates = ["x", "y"]
lagrangian  = "(x'^2 + y'^2)/2"
constraints = ["(x^2 + y^2 - 1)/2"]
[initial]
q = [1, 0]
v = [0, 2]
[method]
name = "shake"
[run]
step  = 0.01
steps = 100
)";

int main(int, char** arguments) {
  const livens::Model model = livens::read_model("circle.toml", text);
  const livens::MethodEntry& method = livens::choose_method(model);
  const livens::RunResult in_memory = livens::simulate(model, method, livens::read_options(model, method), {});
  const livens::SessionResult on_disk = livens::run_session(model, {.out = arguments[1]});

  const double lambda = in_memory.final.lambda->numbers.front();
  std::printf("rod force %.15f, results in %s\n", lambda, on_disk.directory.c_str());
  return std::abs(lambda - 4) < 1e-13 && on_disk.run.final.lambda->numbers.front() == lambda && on_disk.status == 0 &&
                 std::filesystem::exists(on_disk.directory / "trajectory.h5")
             ? 0
             : 1;
}
