// Every joint, each way of stating it, free and driven, against an independent reduction to minimal coordinates: a body
// on ground with pose x(t, u), R(t, u), whose equations come from differences of that map alone,
//
//   V_i . m (a - g) + W_i . (J w' + w x J w) = 0 ,     V_i = dx/du_i ,   W_i: the axial vector of dR/du_i R^T .
//
// What the joint carries is then m (a - g), and the moment of J w' + w x J w about its point.
#include <functional>

#include "multibody/mechanism_runs.hpp"

using namespace mechanism;

namespace {

using Real = long double;
using Space = std::array<Real, 3>;
using Matrix = std::array<Space, 3>;      // by rows
using Coordinates = std::array<Real, 6>;  // t, u_1 ..
constexpr Real g = 9.81L, mass = 2, end_time = 0.25L;
constexpr Space moments{0.3L, 0.4L, 0.5L};  // along the body's axes

Space plus(const Space& a, const Space& b, Real factor = 1) {
  return {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]};
}
Space cross(const Space& a, const Space& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Real dot(const Space& a, const Space& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Space times(const Matrix& A, const Space& x) {
  return {dot(A[0], x), dot(A[1], x), dot(A[2], x)};
}
Matrix transposed(const Matrix& A) {
  return {Space{A[0][0], A[1][0], A[2][0]}, Space{A[0][1], A[1][1], A[2][1]}, Space{A[0][2], A[1][2], A[2][2]}};
}
Matrix times(const Matrix& A, const Matrix& B) {
  const Matrix columns = transposed(B);
  return transposed({times(A, columns[0]), times(A, columns[1]), times(A, columns[2])});
}
// about a unit vector
Matrix turn(const Space& n, Real angle) {
  const Real c = std::cos(angle), s = std::sin(angle);
  Matrix R;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) R[i][j] = (i == j ? c : 0) + (1 - c) * n[i] * n[j];
  R[0][1] -= s * n[2], R[1][0] += s * n[2], R[0][2] += s * n[1], R[2][0] -= s * n[1], R[1][2] -= s * n[0];
  R[2][1] += s * n[0];
  return R;
}

struct Pose {
  Space x;
  Matrix R;
};
using Map = std::function<Pose(const Coordinates&)>;

struct Rates {
  std::array<Space, 6> V, W;
};
// Derivatives by differences of order 4.
template <class F>
auto slope(const F& f, Real h = 1e-4L) {
  const auto a = f(-2 * h), b = f(-h), c = f(h), d = f(2 * h);
  auto out = a;
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = (a[k] - 8 * b[k] + 8 * c[k] - d[k]) / (12 * h);
  return out;
}
Rates rates(const Map& map, int free, const Coordinates& w) {
  Rates out;
  const Matrix back = transposed(map(w).R);
  for (std::size_t k = 0; k <= static_cast<std::size_t>(free); ++k) {
    const std::array<Real, 12> all = slope([&](Real h) {
      Coordinates near = w;
      near[k] += h;
      const Pose pose = map(near);
      std::array<Real, 12> flat;
      for (std::size_t i = 0; i < 3; ++i) flat[i] = pose.x[i], std::copy_n(pose.R[i].begin(), 3, &flat[3 + 3 * i]);
      return flat;
    });
    out.V[k] = {all[0], all[1], all[2]};
    const Matrix S =
        times({Space{all[3], all[4], all[5]}, Space{all[6], all[7], all[8]}, Space{all[9], all[10], all[11]}}, back);
    out.W[k] = {S[2][1], S[0][2], S[1][0]};
  }
  return out;
}

struct Motion {
  Coordinates accelerations{};
  Space velocity{}, turning{}, force{}, moment{};  // force and moment about the centre of mass: what the joint carries
};
Motion motion(const Map& map, int free, const Space& gravity, const Coordinates& w, const Coordinates& w_rate) {
  const auto n = static_cast<std::size_t>(free);
  const auto velocities = [&](Real h) {
    Coordinates near = w;
    for (std::size_t k = 0; k <= n; ++k) near[k] += h * w_rate[k];
    const Rates r = rates(map, free, near);
    std::array<Real, 6> both{};
    for (std::size_t k = 0; k <= n; ++k)
      for (std::size_t i = 0; i < 3; ++i) both[i] += r.V[k][i] * w_rate[k], both[3 + i] += r.W[k][i] * w_rate[k];
    return both;
  };
  const Rates r = rates(map, free, w);
  const std::array<Real, 6> now = velocities(0), change = slope(velocities);
  const Matrix R = map(w).R;
  const auto weigh = [&](const Space& x) {
    Space own = times(transposed(R), x);
    for (std::size_t i = 0; i < 3; ++i) own[i] *= moments[i];
    return times(R, own);
  };
  Motion out;
  out.velocity = {now[0], now[1], now[2]}, out.turning = {now[3], now[4], now[5]};
  Space a = plus({change[0], change[1], change[2]}, gravity, -1), b{change[3], change[4], change[5]};
  const Space gyroscopic = cross(out.turning, weigh(out.turning));
  Real A[5][6];
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < n; ++k)
      A[i][k] = mass * dot(r.V[i + 1], r.V[k + 1]) + dot(r.W[i + 1], weigh(r.W[k + 1]));
    A[i][n] = -mass * dot(r.V[i + 1], a) - dot(r.W[i + 1], plus(weigh(b), gyroscopic));
  }
  for (std::size_t k = 0; k < n; ++k)  // positive definite
    for (std::size_t i = 0; i < n; ++i)
      if (i != k)
        for (std::size_t j = n + 1; j-- > k;) A[i][j] -= A[i][k] / A[k][k] * A[k][j];
  for (std::size_t k = 0; k < n; ++k) {
    const Real u = out.accelerations[k + 1] = A[k][n] / A[k][k];
    a = plus(a, r.V[k + 1], u), b = plus(b, r.W[k + 1], u);
  }
  out.force = {mass * a[0], mass * a[1], mass * a[2]}, out.moment = plus(weigh(b), gyroscopic);
  return out;
}

struct Case {
  const char *type, *drive;  // drive: the prescribed motion, a formula of t
  bool plane;
  int free;
  Map map;
};
const Space place{0.3L, -0.2L, 0.4L},
    centre{0.25L, -0.35L, 0.15L};  // of the joint in space; of mass, from it, in the body
const Space axis{2 / 3.0L, -1 / 3.0L, 2 / 3.0L}, other{1 / std::sqrt(2.0L), 0, -1 / std::sqrt(2.0L)};
const Space x_axis{1, 0, 0}, y_axis{0, 1, 0}, z_axis{0, 0, 1};
const Space in_plane{0.6L, 0.8L, 0};
const Matrix tilted = times(turn(axis, 0.4L), turn(x_axis, 0.7L)), tilted_in_plane = turn(z_axis, 0.4L);

Pose hung(const Matrix& R, const Space& point) {
  return {plus(point, times(R, centre)), R};
}
Pose hung_in_plane(const Matrix& R, const Space& point) {
  return {plus({point[0], point[1], 0}, times(R, Space{centre[0], centre[1], 0})), R};
}
Matrix any(Real a, Real b, Real c) {
  return times(times(turn(z_axis, c), turn(y_axis, b)), times(turn(x_axis, a), tilted));
}
Real driven(Real t) {
  return 0.3L * std::sin(4 * t);
}
constexpr const char* drive = "0.3*sin(4*t)";

const std::vector<Case> cases{
    {"spherical", nullptr, false, 3, [](const Coordinates& u) { return hung(any(u[1], u[2], u[3]), place); }},
    {"revolute", nullptr, false, 1, [](const Coordinates& u) { return hung(times(turn(axis, u[1]), tilted), place); }},
    {"revolute", drive, false, 0,
     [](const Coordinates& u) { return hung(times(turn(axis, driven(u[0])), tilted), place); }},
    {"universal", nullptr, false, 2,
     [](const Coordinates& u) { return hung(times(times(turn(axis, u[1]), turn(other, u[2])), tilted), place); }},
    {"cylindrical", nullptr, false, 2,
     [](const Coordinates& u) { return hung(times(turn(axis, u[1]), tilted), plus(place, axis, u[2])); }},
    {"prismatic", nullptr, false, 1, [](const Coordinates& u) { return hung(tilted, plus(place, axis, u[1])); }},
    {"prismatic", drive, false, 0, [](const Coordinates& u) { return hung(tilted, plus(place, axis, driven(u[0]))); }},
    {"planar", nullptr, false, 3,
     [](const Coordinates& u) {
       return hung(times(turn(axis, u[1]), tilted), plus(plus(place, other, u[2]), cross(axis, other), u[3]));
     }},
    {"fixed", nullptr, false, 0, [](const Coordinates&) { return hung(tilted, place); }},
    {"distance", nullptr, false, 5,
     [](const Coordinates& u) {
       const Real c = std::cos(0.3L + u[4]);
       return hung(any(u[1], u[2], u[3]),
                   plus(place, {c * std::cos(u[5]), c * std::sin(u[5]), -std::sin(0.3L + u[4])}, 0.8L));
     }},
    {"revolute", nullptr, true, 1,
     [](const Coordinates& u) { return hung_in_plane(times(turn(z_axis, u[1]), tilted_in_plane), place); }},
    {"revolute", drive, true, 0,
     [](const Coordinates& u) { return hung_in_plane(times(turn(z_axis, driven(u[0])), tilted_in_plane), place); }},
    {"prismatic", nullptr, true, 1,
     [](const Coordinates& u) { return hung_in_plane(tilted_in_plane, plus(place, in_plane, u[1])); }},
    {"prismatic", drive, true, 0,
     [](const Coordinates& u) { return hung_in_plane(tilted_in_plane, plus(place, in_plane, driven(u[0]))); }},
    {"slider", nullptr, true, 2,
     [](const Coordinates& u) {
       return hung_in_plane(times(turn(z_axis, u[1]), tilted_in_plane), plus(place, in_plane, u[2]));
     }},
    {"fixed", nullptr, true, 0, [](const Coordinates&) { return hung_in_plane(tilted_in_plane, place); }},
    {"distance", nullptr, true, 2,
     [](const Coordinates& u) {
       return hung_in_plane(times(turn(z_axis, u[1]), tilted_in_plane),
                            plus(place, {std::cos(u[2]), std::sin(u[2]), 0}, 0.8L));
     }},
};

// ---- the same as model files ----------------------------------------------------------------------------------------
std::string list(const Space& x, bool plane) {
  char text[120];
  if (plane)
    std::snprintf(text, sizeof text, "[%.19Lg, %.19Lg]", x[0], x[1]);
  else
    std::snprintf(text, sizeof text, "[%.19Lg, %.19Lg, %.19Lg]", x[0], x[1], x[2]);
  return text;
}
std::string number(Real x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.19Lg", x);
  return text;
}

enum class Way { in_space, frames, exchanged };

std::string joint(const Case& c, Way way, const Pose& start) {
  const bool space = !c.plane, exchanged = way == Way::exchanged;
  const std::string type = c.type;
  std::string text = "[[joint]]\nname = \"j\"\ntype = \"" + type +
                     "\"\nbodies = " + (exchanged ? "[\"b\", \"ground\"]\n" : "[\"ground\", \"b\"]\n");
  if (c.drive) text += std::string("motion = \"") + (exchanged ? "-" : "") + c.drive + "\"\n";
  const Matrix back = transposed(start.R);
  const Space hook = c.plane ? Space{-centre[0], -centre[1], 0} : plus({0, 0, 0}, centre, -1);
  if (type == "distance") {
    const std::string ground = list(place, c.plane), own = list(hook, c.plane);
    return text + "points = [" + (exchanged ? own + ", " + ground : ground + ", " + own) + "]\n";
  }
  const bool has_axis = type != "spherical" && !(c.plane && type == "revolute");
  const Space n = space ? axis : in_plane, m = type == "universal" ? other : n;
  if (way != Way::frames) {
    text += "at = " + list(place, c.plane) + "\n";
    if (type == "universal")
      text += "axes = [" + list(exchanged ? m : n, false) + ", " + list(exchanged ? n : m, false) + "]\n";
    else if (has_axis && type != "fixed")
      text += "axis = " + list(n, c.plane) + "\n";
    return text;
  }
  const bool across = space && (type == "prismatic" || type == "fixed");
  const auto frame = [&](const Space& point, const Space& own_axis, const Space& own_across, bool with_axis) {
    return "{ point = " + list(point, c.plane) + (with_axis ? ", axis = " + list(own_axis, c.plane) : "") +
           (across ? ", across = " + list(own_across, false) : "") + " }";
  };
  return text + "frames = [" + frame(place, n, other, has_axis) + ", " +
         frame(hook, times(back, m), times(back, other), has_axis && type != "slider") + "]\n";
}

std::string model_of(const Case& c, const Pose& start, const Motion& moving) {
  std::string text = "[system]\nkind = \"multibody\"\n";
  const std::string inertia = c.plane ? number(moments[2]) : list(moments, false);
  text += c.plane ? "plane = true\ngravity = [0.0, -9.81]\n" : "gravity = [0.0, 0.0, -9.81]\n";
  text += "[[body]]\nname = \"b\"\nmass = 2.0\ninertia = " + inertia + "\nposition = " + list(start.x, c.plane) +
          "\nvelocity = " + list(moving.velocity, c.plane) + "\n";
  if (c.plane)
    text += "rotation = " + number(std::atan2(start.R[1][0], start.R[0][0])) +
            "\nangular_velocity = " + number(moving.turning[2]) + "\n";
  else
    text += "rotation = { matrix = [" + list(start.R[0], false) + ", " + list(start.R[1], false) + ", " +
            list(start.R[2], false) + "] }\nangular_velocity = " + list(moving.turning, false) + "\n";
  return text;
}

double difference(const Numbers& found, const Space& expected) {
  double largest = 0;
  for (std::size_t k = 0; k < found.size(); ++k) largest = std::max(largest, std::abs(found[k] - double(expected[k])));
  return largest;
}

}  // namespace

TEST_CASE("every_joint_each_way_of_stating_it_moves_as_its_minimal_coordinates_say") {
  for (const Case& c : cases) {
    const Space gravity = c.plane ? Space{0, -g, 0} : Space{0, 0, -g};
    Coordinates w{}, rate{1, 1.1L, -0.7L, 0.9L, 0.6L, -1.3L};
    const Pose start = c.map(w);
    const std::string body = model_of(c, start, motion(c.map, c.free, gravity, w, rate));
    const int steps = 100;
    const Real h = end_time / steps;
    for (int n = 0; n < steps; ++n) {  // classical Runge-Kutta
      const auto along = [&](const Coordinates& v, const Coordinates& a, Real f) {
        Coordinates near = w, near_rate = rate;
        for (std::size_t k = 0; k < 6; ++k) near[k] += f * v[k], near_rate[k] += f * a[k];
        return std::pair(near_rate, motion(c.map, c.free, gravity, near, near_rate).accelerations);
      };
      const auto k1 = along(rate, {}, 0), k2 = along(k1.first, k1.second, h / 2),
                 k3 = along(k2.first, k2.second, h / 2), k4 = along(k3.first, k3.second, h);
      for (std::size_t k = 0; k < 6; ++k) {
        w[k] += h / 6 * (k1.first[k] + 2 * k2.first[k] + 2 * k3.first[k] + k4.first[k]);
        rate[k] += h / 6 * (k1.second[k] + 2 * k2.second[k] + 2 * k3.second[k] + k4.second[k]);
      }
    }
    const Pose pose = c.map(w);
    const Motion last = motion(c.map, c.free, gravity, w, rate);
    for (const Way way : {Way::in_space, Way::frames, Way::exchanged}) {
      if (c.type == std::string("distance") && way == Way::frames) continue;  // it has points only
      if (way == Way::exchanged && c.type == std::string("slider"))
        continue;  // then the line is the body's own: another joint
      const std::string stated = joint(c, way, start);
      CAPTURE(stated);
      const auto found =
          run_text(body + stated + "[method]\nname = \"galerkin\"\ns = 4\n[run]\nstep = 0.005\nend = 0.25\n");
      // measured 1.2e-10, rates 1.2e-9: of the reference, whose step is 0.0025
      CHECK(difference(part(found, "bodies/b/position"), pose.x) < 4 * 1.2e-10);
      CHECK(difference(part(found, "bodies/b/velocity"), last.velocity) < 4 * 1.2e-9);
      // on the body at its point of the joint; where the ground is second, what that receives at its own
      const bool exchanged = way == Way::exchanged;
      const Space own_point = plus(pose.x, times(pose.R, Space{centre[0], centre[1], c.plane ? 0 : centre[2]}), -1);
      const Space arm = plus(exchanged ? Space{place[0], place[1], c.plane ? 0 : place[2]} : own_point, pose.x, -1);
      const Real sign = exchanged ? -1 : 1;
      const Space torque = plus({0, 0, 0}, plus(last.moment, cross(arm, last.force), -1), sign);
      CHECK(difference(part(found, "joints/j/force"), plus({0, 0, 0}, last.force, sign)) < 1e-8);
      if (c.plane) {
        CHECK(std::abs(part(found, "bodies/b/rotation")[0] - double(std::atan2(pose.R[1][0], pose.R[0][0]))) <
              4 * 1.2e-10);
        CHECK(std::abs(part(found, "bodies/b/angular_velocity")[0] - double(last.turning[2])) < 4 * 1.2e-9);
        CHECK(std::abs(part(found, "joints/j/torque")[0] - double(torque[2])) < 1e-8);
      } else {
        for (std::size_t i = 0; i < 3; ++i)
          for (std::size_t j = 0; j < 3; ++j)
            CHECK(std::abs(part(found, "bodies/b/rotation")[3 * i + j] - double(pose.R[i][j])) < 4 * 1.2e-10);
        CHECK(difference(part(found, "bodies/b/angular_velocity"), last.turning) < 4 * 1.2e-9);
        CHECK(difference(part(found, "joints/j/torque"), torque) < 1e-8);
      }
    }
  }
}
