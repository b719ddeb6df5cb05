#include "livens/multibody/mechanism_formulas.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "multibody/kept_momenta.hpp"

namespace livens::multibody {

using formula::Graph;
using formula::NodeId;
using formula::Op;
using formula::Slot;

namespace {

using Symbolic = std::array<NodeId, 3>;  // the third is 0 in the plane

class Writer {
 public:
  Writer(const Mechanism& mechanism, Graph& graph, const Blocks& blocks)
      : m_(mechanism), g_(graph), blocks_(blocks), zero_(graph.constant(0)) {}

  MechanismFormulas write(bool assembling) {
    out_.lagrangian = zero_;
    forces_.assign(at(m_.coordinates()), zero_);
    for (const Body& body : m_.bodies()) add_body(body);
    for (const Joint& joint : m_.joints())
      if (!assembling || (!joint.restitution && (joint.type != JointType::distance || joint.length))) add_joint(joint);
    if (assembling) return std::move(out_);
    for (const Spring& spring : m_.springs()) add_spring(spring);
    for (const ForceStatement& force : m_.forces()) add_force(force);
    if (!m_.forces().empty() ||
        std::any_of(m_.springs().begin(), m_.springs().end(), [](const Spring& s) { return s.damping > 0; }))
      out_.forces = forces_;
    add_momenta();
    return std::move(out_);
  }

  // a of one body in the frame (a, b) of the other, the base, turned by the angle of the start pose.
  NodeId angle(const Spring& spring) { return angle(m_.joints()[at(*spring.joint)], spring.start_angle); }
  NodeId angle(const Joint& joint, const Number& from) {
    using std::cos, std::sin;
    const int W = joint.bodies[at(joint.base)];
    const Frame& base = joint.frames[at(joint.base)];
    const Number c = cos(from), s = joint.sense() * sin(from);
    const Symbolic a = heading(joint.bodies[at(1 - joint.base)], joint.frames[at(1 - joint.base)].a),
                   along = heading(W, c * base.a + s * base.b), across = heading(W, c * base.b - s * base.a);
    return in_sense(joint, g_.call(Op::atan2, dot(a, across), dot(a, along)));
  }

  JointFriction friction(int joint_number, int psi_block, const std::vector<NodeId>& constraints) {
    const Joint& joint = m_.joints()[at(joint_number)];
    const Friction& law = *joint.friction;
    const int A = joint.bodies[0], B = joint.bodies[1];
    // The joint's force on one of its bodies; on the other it is the opposite.
    const Body& pushed = body_of(B == ground ? A : B);
    Symbolic F = nothing();
    for (int k = 0; k < joint.rows; ++k) {
      const int row = m_.internal_rows() + joint.first_row + k;
      std::vector<Slot> phi;
      for (int i = 0; i < m_.dimension(); ++i) phi.push_back({blocks_.q, pushed.first + i});
      const std::vector<NodeId> slope = g_.gradient(constraints[at(row)], phi);
      for (std::size_t i = 0; i < slope.size(); ++i)
        F[i] = g_.sub(F[i], g_.mul(g_.variable({psi_block, row}), slope[i]));
    }
    const bool slides = joint.type != JointType::revolute,
               turns = joint.type == JointType::revolute || joint.type == JointType::cylindrical;
    JointFriction out{joint_number, {}, {}, {}};
    NodeId load;
    if (m_.plane() && slides) {
      out.load = {dot(F, direction(joint.bodies[at(joint.base)], joint.frames[at(joint.base)].a))};
      load = g_.call(Op::abs, out.load[0]);
    } else {
      if (!slides && !m_.plane()) {
        const Symbolic n = axis(joint);
        F = minus(F, times(dot(F, n), n));
      }
      out.load.assign(F.begin(), F.begin() + m_.dimension());
      load = g_.call(Op::sqrt, dot(F, F));
    }
    const NodeId size = g_.mul(number(law.coefficient), law.exponent == 1 ? load : g_.pow(load, number(law.exponent)));

    struct Way {
      NodeId rate;  // of what slides or turns, times the radius
      std::vector<Slot> q;
      std::vector<NodeId> slopes;
    };
    const auto way = [&](NodeId s, const Number& factor) {
      Way w{zero_, g_.variables(s), {}};
      for (const NodeId slope : g_.gradient(s, w.q)) w.slopes.push_back(g_.mul(number(factor), slope));
      for (std::size_t i = 0; i < w.q.size(); ++i)
        w.rate = g_.add(w.rate, g_.mul(w.slopes[i], g_.variable({blocks_.v, w.q[i].index})));
      return w;
    };
    std::vector<Way> ways;
    if (slides)
      ways.push_back(way(dot(minus(point(B, joint.frames[1].point), point(A, joint.frames[0].point)), axis(joint)), 1));
    if (turns) ways.push_back(way(angle(joint, m_.angle_now(joint)), law.radius));
    NodeId speed = g_.call(Op::abs, ways[0].rate);
    if (ways.size() == 2) speed = g_.call(Op::sqrt, g_.add(g_.power(ways[0].rate, 2), g_.power(ways[1].rate, 2)));
    for (const Way& w : ways) out.rates.push_back(w.rate);
    for (const Way& w : ways)
      for (std::size_t i = 0; i < w.q.size(); ++i)
        out.force.push_back({w.q[i].index, g_.neg(g_.mul(g_.mul(size, g_.div(w.rate, speed)), w.slopes[i]))});
    return out;
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  const Body& body_of(int body) const { return m_.bodies()[at(body)]; }

  // ---- vectors of formulas -----------------------------------------------------------------------------------------

  NodeId number(const Number& x) { return g_.constant(x); }
  Symbolic numbers(const Vector& x) { return {number(x[0]), number(x[1]), number(x[2])}; }
  Symbolic nothing() const { return {zero_, zero_, zero_}; }
  Symbolic variables(int block, int first) {
    Symbolic x = nothing();
    for (int k = 0; k < m_.dimension(); ++k) x[at(k)] = g_.variable({block, first + k});
    return x;
  }
  Symbolic plus(const Symbolic& a, const Symbolic& b) {
    return {g_.add(a[0], b[0]), g_.add(a[1], b[1]), g_.add(a[2], b[2])};
  }
  Symbolic minus(const Symbolic& a, const Symbolic& b) {
    return {g_.sub(a[0], b[0]), g_.sub(a[1], b[1]), g_.sub(a[2], b[2])};
  }
  Symbolic times(NodeId s, const Symbolic& a) { return {g_.mul(s, a[0]), g_.mul(s, a[1]), g_.mul(s, a[2])}; }
  Symbolic times(const Number& s, const Symbolic& a) { return times(number(s), a); }
  NodeId dot(const Symbolic& a, const Symbolic& b) {
    return g_.add(g_.add(g_.mul(a[0], b[0]), g_.mul(a[1], b[1])), g_.mul(a[2], b[2]));
  }
  Symbolic cross(const Symbolic& a, const Symbolic& b) {
    const auto minor = [&](std::size_t i, std::size_t j) { return g_.sub(g_.mul(a[i], b[j]), g_.mul(a[j], b[i])); };
    return {minor(1, 2), minor(2, 0), minor(0, 1)};
  }
  NodeId half(NodeId a) { return g_.mul(number(Number(1) / 2), a); }

  // Of the positions, or of the velocities in block v.
  Symbolic director(const Body& body, int d, int block) { return variables(block, m_.place_of(body, d)); }
  Symbolic direction(int body, const Vector& u, int block = -1) {
    if (block < 0) block = blocks_.q;
    if (body == ground) return block == blocks_.q ? numbers(u) : nothing();
    Symbolic sum = nothing();
    for (const int d : body_of(body).directors) sum = plus(sum, times(u[d], director(body_of(body), d, block)));
    return sum;
  }
  // The same for angles: in the plane a rod has turned as its one director has.
  Symbolic heading(int body, const Vector& u) {
    if (!m_.plane() || body == ground || body_of(body).directors.size() != 1) return direction(body, u);
    const Symbolic d = director(body_of(body), 0, blocks_.q);
    return plus(times(u[0], d), times(u[1], {g_.neg(d[1]), d[0], zero_}));
  }
  Symbolic axis(const Joint& joint) {
    const std::size_t side = at(m_.side_of_axis(joint));
    return direction(joint.bodies[side], joint.frames[side].axis);
  }
  NodeId in_sense(const Joint& joint, NodeId angle) { return joint.base == 0 ? angle : g_.neg(angle); }
  Symbolic point(int body, const Vector& X, int block = -1) {
    if (block < 0) block = blocks_.q;
    const Symbolic arm = direction(body, X, block);
    return body == ground ? arm : plus(variables(block, body_of(body).first), arm);
  }

  // ---- bodies ------------------------------------------------------------------------------------------------------

  void add_body(const Body& body) {
    const auto add = [&](NodeId term) { out_.lagrangian = g_.add(out_.lagrangian, term); };
    const auto squared = [&](const Symbolic& a) {
      return g_.add(g_.add(g_.power(a[0], 2), g_.power(a[1], 2)), g_.power(a[2], 2));
    };
    add(g_.mul(number(body.mass / 2), squared(variables(blocks_.v, body.first))));
    for (std::size_t i = 0; i < body.directors.size(); ++i)
      for (std::size_t j = i; j < body.directors.size(); ++j) {
        const int a = body.directors[i], b = body.directors[j];
        if (body.euler(a, b) == 0) continue;
        const Symbolic u = director(body, a, blocks_.v), w = director(body, b, blocks_.v);
        add(i == j ? g_.mul(number(body.euler(a, a) / 2), squared(u)) : g_.mul(number(body.euler(a, b)), dot(u, w)));
      }
    for (int k = 0; k < m_.dimension(); ++k)
      add(g_.mul(number(body.mass * m_.gravity()[k]), g_.variable({blocks_.q, body.first + k})));

    for (const int d : body.directors) add_row(half(g_.sub(squared(director(body, d, blocks_.q)), number(1))), 1);
    for (std::size_t i = 0; i < body.directors.size(); ++i)
      for (std::size_t j = i + 1; j < body.directors.size(); ++j)
        add_row(dot(director(body, body.directors[i], blocks_.q), director(body, body.directors[j], blocks_.q)), 1);
  }

  // ---- joints ------------------------------------------------------------------------------------------------------

  void add_row(NodeId g, const Number& size) {
    out_.constraints.push_back(g);
    out_.sizes.push_back(size);
  }

  void add_joint(const Joint& joint) {
    const int A = joint.bodies[0], B = joint.bodies[1];
    const Frame &first = joint.frames[0], &second = joint.frames[1], &base = joint.frames[at(joint.base)];
    const int W = joint.bodies[at(joint.base)];
    const Number arm = std::max<Number>(length(first.point), length(second.point));
    const auto coincide = [&] {
      const Symbolic gap = minus(point(A, first.point), point(B, second.point));
      for (int k = 0; k < m_.dimension(); ++k) add_row(gap[at(k)], arm);
    };
    const auto parallel = [&] {
      const auto rows = parallel_axes(m_, joint);
      for (const Perpendicular& p : *rows) add_row(dot(direction(p.body_u, p.u), direction(p.body_w, p.w)), 1);
    };
    const auto offset = [&] { return minus(point(B, second.point), point(A, first.point)); };
    const auto stand = [&](const Vector& u, const Vector& w) { add_row(dot(direction(A, u), direction(B, w)), 1); };
    const auto no_turn = [&] {
      if (m_.plane())
        m_.spans(A, first.axis, 1) && m_.spans(B, second.a, 1) ? stand(first.axis, second.a)
                                                               : stand(first.a, second.axis);
      else
        m_.spans(A, first.a, 1) && m_.spans(B, second.b, 1) ? stand(first.a, second.b) : stand(first.b, second.a);
    };
    switch (joint.type) {
      case JointType::spherical:
        coincide();
        break;
      case JointType::revolute:
        coincide();
        if (!m_.plane()) parallel();
        break;
      case JointType::universal:
        coincide();
        stand(first.axis, second.axis);
        break;
      case JointType::fixed:
        coincide();
        if (!m_.plane()) parallel();
        no_turn();
        break;
      case JointType::cylindrical:
      case JointType::prismatic:
        if (!m_.plane()) parallel();
        add_row(dot(offset(), direction(W, base.a)), arm);
        if (!m_.plane()) add_row(dot(offset(), direction(W, base.b)), arm);
        if (joint.type == JointType::prismatic) no_turn();
        break;
      case JointType::planar:
        parallel();
        add_row(dot(offset(), direction(W, base.axis)), arm);
        break;
      case JointType::slider:
        add_row(dot(offset(), direction(A, first.a)), arm);
        break;
      case JointType::distance: {
        const Symbolic r = offset();
        add_row(half(g_.sub(dot(r, r), number(*joint.length * *joint.length))), *joint.length * *joint.length);
        break;
      }
    }
    if (!joint.motion) return;
    if (joint.type == JointType::prismatic) {
      add_row(g_.sub(g_.sub(dot(offset(), axis(joint)), number(joint.start)), *joint.motion), arm);
      return;
    }
    const NodeId angle = in_sense(joint, *joint.motion);
    const Symbolic turned =
        minus(times(g_.call(Op::cos, angle), heading(W, base.b)), times(g_.call(Op::sin, angle), heading(W, base.a)));
    add_row(dot(heading(joint.bodies[at(1 - joint.base)], joint.frames[at(1 - joint.base)].a), turned), 1);
  }

  // ---- springs, dampers, forces ------------------------------------------------------------------------------------

  // A force on a point of a body.
  void push(int body, const Vector& X, const Symbolic& f) {
    if (body == ground) return;
    const Body& own = body_of(body);
    const auto add = [&](int first, const Symbolic& part) {
      for (int k = 0; k < m_.dimension(); ++k) {
        NodeId& sum = forces_[at(first + k)];
        sum = g_.add(sum, part[at(k)]);
      }
    };
    add(own.first, f);
    for (const int d : own.directors) add(m_.place_of(own, d), times(X[d], f));
  }

  void turn(int body, const Symbolic& torque) {
    const Body& own = body_of(body);
    const auto full = static_cast<std::size_t>(m_.dimension());
    const auto d = [&](int i) { return director(own, i, blocks_.q); };
    for (const int i : own.directors) {
      Symbolic f = cross(torque, d(i));
      if (own.directors.size() == full) {
        f = times(Number(1) / 2, f);
      } else if (own.directors.size() == 2) {
        const Symbolic n = cross(d(own.directors[0]), d(own.directors[1]));
        f = minus(f, times(half(dot(torque, n)), cross(n, d(i))));
      }
      for (int k = 0; k < m_.dimension(); ++k) {
        NodeId& sum = forces_[at(m_.place_of(own, i) + k)];
        sum = g_.add(sum, f[at(k)]);
      }
    }
  }

  void add_spring(const Spring& spring) {
    if (spring.joint) return add_torsional(spring);
    const auto [A, B] = spring.bodies;
    const Symbolic r = minus(point(B, spring.points[1]), point(A, spring.points[0]));
    const NodeId r2 = dot(r, r);
    if (spring.stiffness > 0) {
      const NodeId stretch =
          *spring.length == 0 ? r2 : g_.power(g_.sub(g_.call(Op::sqrt, r2), number(*spring.length)), 2);
      out_.lagrangian = g_.sub(out_.lagrangian, g_.mul(number(spring.stiffness / 2), stretch));
    }
    if (!(spring.damping > 0)) return;
    const Symbolic rate = minus(point(B, spring.points[1], blocks_.v), point(A, spring.points[0], blocks_.v));
    const Symbolic f = spring.isotropic ? times(-spring.damping, rate)
                                        : times(g_.mul(number(-spring.damping), g_.div(dot(r, rate), r2)), r);
    push(B, spring.points[1], f);
    push(A, spring.points[0], times(Number(-1), f));
  }

  void add_torsional(const Spring& spring) {
    const NodeId phi = angle(spring);
    if (spring.stiffness > 0)
      out_.lagrangian =
          g_.sub(out_.lagrangian, g_.mul(number(spring.stiffness / 2), g_.power(g_.sub(phi, number(spring.angle)), 2)));
    if (!(spring.damping > 0)) return;
    const std::vector<Slot> q = g_.variables(phi);
    const std::vector<NodeId> slopes = g_.gradient(phi, q);
    NodeId rate = zero_;
    for (std::size_t i = 0; i < q.size(); ++i)
      rate = g_.add(rate, g_.mul(slopes[i], g_.variable({blocks_.v, q[i].index})));
    for (std::size_t i = 0; i < q.size(); ++i) {
      NodeId& sum = forces_[at(q[i].index)];
      sum = g_.add(sum, g_.mul(g_.mul(number(-spring.damping), rate), slopes[i]));
    }
  }

  void add_force(const ForceStatement& force) {
    const Symbolic x = point(force.body, force.point), v = point(force.body, force.point, blocks_.v);
    std::map<Slot, NodeId> of_point;
    for (int k = 0; k < 3; ++k) {
      of_point[{blocks_.local, k}] = x[at(k)];
      of_point[{blocks_.local, 3 + k}] = v[at(k)];
    }
    const auto placed = [&](const std::vector<NodeId>& formulas) {
      Symbolic f = nothing();
      for (std::size_t k = 0; k < formulas.size(); ++k) f[k] = g_.substitute(formulas[k], of_point);
      return f;
    };
    if (!force.force.empty()) push(force.body, force.point, placed(force.force));
    if (force.torque.empty()) return;
    Symbolic torque = placed(force.torque);
    if (m_.plane()) torque = {zero_, zero_, torque[0]};
    turn(force.body, torque);
  }

  // ---- momenta that gravity and ground leave unchanged -------------------------------------------------------------

  void add_momenta() {
    const KeptMomenta kept(m_);
    const std::string_view axes = "xyz";
    const auto add = [&](const char* what, int k, NodeId sum) {
      out_.invariant_names.push_back(std::string(what) + "_" + axes[at(k)]);
      out_.invariants.push_back(sum);
    };
    for (int k = 0; k < m_.dimension(); ++k) {
      if (!kept.linear[at(k)]) continue;
      NodeId sum = zero_;
      for (const Body& body : m_.bodies()) sum = g_.add(sum, g_.variable({blocks_.p, body.first + k}));
      add("linear_momentum", k, sum);
    }
    for (int k = m_.plane() ? 2 : 0; k < 3; ++k) {
      if (!kept.angular[at(k)]) continue;
      NodeId sum = zero_;
      const auto add_part = [&](int first) {
        sum = g_.add(sum, cross(variables(blocks_.q, first), variables(blocks_.p, first))[at(k)]);
      };
      for (const Body& body : m_.bodies()) {
        add_part(body.first);
        for (const int d : body.directors) add_part(m_.place_of(body, d));
      }
      add("angular_momentum", k, sum);
    }
  }

  const Mechanism& m_;
  Graph& g_;
  const Blocks blocks_;
  const NodeId zero_;
  MechanismFormulas out_;
  std::vector<NodeId> forces_;
};

}  // namespace

MechanismFormulas formulas_of(const Mechanism& mechanism, Graph& graph, const Blocks& blocks, bool assembling) {
  return Writer(mechanism, graph, blocks).write(assembling);
}

std::vector<JointFriction> friction_of(const Mechanism& mechanism, Graph& graph, const Blocks& blocks, int psi_block,
                                       const std::vector<NodeId>& constraints) {
  Writer writer(mechanism, graph, blocks);
  std::vector<JointFriction> all;
  for (std::size_t k = 0; k < mechanism.joints().size(); ++k)
    if (const auto& law = mechanism.joints()[k].friction; law && law->coefficient > 0)
      all.push_back(writer.friction(static_cast<int>(k), psi_block, constraints));
  return all;
}

}  // namespace livens::multibody
