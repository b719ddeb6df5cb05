// The formulas of a mechanism: Lagrangian, constraints, forces and momenta of its coordinates.
//
//   L = sum over bodies of  m phi'.phi'/2 + sum_ij E_ij d_i'.d_j'/2 + m b.phi  -  potentials of springs
//   internal constraints  (d_i.d_i - 1)/2 , then d_i.d_j for i < j ;  joints, x = phi + X_i d_i a point, n = n_i d_i a
//   direction, A and B the first and the second body:
//
//     spherical, plane revolute   x_A - x_B                     fixed        x_A - x_B , n_A.a_B , n_A.b_B , a_A.b_B
//     revolute                    x_A - x_B , n_A.a_B , n_A.b_B              plane:  x_A - x_B , n_A.a_B
//     universal                   x_A - x_B , n_A.n_B           prismatic    cylindrical , a_A.b_B
//     cylindrical                 n_A.a_B , n_A.b_B , r.a_A , r.b_A          plane:  r.a_A , n_A.a_B
//     planar                      n_A.a_B , n_A.b_B , r.n_A     distance     (r.r - l^2)/2 ,  slider  r.a_A
//     motion(t)                   a_B.(b_A cos - a_A sin)  of a revolute, r.n_A - s_0 - motion  of a prismatic joint
//
//   with r = x_B - x_A. All but the motion are polynomials of degree 2 (Kinon, Betsch & Schneider 2023, section 4).
//
//   spring    k (|r| - l)^2/2 ; k r.r/2 for l = 0 ; torsional  k (angle - rest)^2/2
//   damper    force  -c r (r.r')/(r.r)  on B, or  -c r'  if isotropic ; torsional  -c angle' d angle/dq
//   force f at a point, torque tau: on phi f, on d_i  X_i f + tau x d_i/2 ; a plate and a rod lack directors, there
//   tau x d_i - (tau.n) n x d_i/2  with n = d1 x d2, and tau x d
#pragma once

#include <string>
#include <vector>

#include "livens/multibody/mechanism.hpp"

namespace livens::multibody {

// Blocks of variables in the graph. `local`: those of a force, the position of its point and then the velocity.
struct Blocks {
  int time, q, v, p, local;
};

struct MechanismFormulas {
  formula::NodeId lagrangian;
  std::vector<formula::NodeId> constraints, forces, invariants;  // forces: empty if there are none
  std::vector<std::string> invariant_names;
  std::vector<Number> sizes;  // what each constraint is measured against: 1 for directions, a length for points
};

// assembling: without the distances whose length is still to be found.
MechanismFormulas formulas_of(const Mechanism& mechanism, formula::Graph& graph, const Blocks& blocks,
                              bool assembling = false);

// What friction does in one joint, as formulas of q, v and the multipliers psi of all constraints:
//
//   F = -sum psi_a dg_a/dphi  over the joint's rows ,   F_N = |F - n (n.F)| ,   n the axis
//   sliding   -c F_N^r sign(s') ds/dq ,      s = r.n_A
//   turning   -c radius F_N^r sign(angle') d angle/dq
//   both      against (s', radius angle'), divided by its length
struct JointFriction {
  int joint;
  std::vector<std::pair<int, formula::NodeId>> force;  // on coordinates
  std::vector<formula::NodeId> rates;                  // of the surface, along the axis and around it
  std::vector<formula::NodeId> load;                   // components of the force that stands on the axis
};
std::vector<JointFriction> friction_of(const Mechanism& mechanism, formula::Graph& graph, const Blocks& blocks,
                                       int psi_block, const std::vector<formula::NodeId>& constraints);

}  // namespace livens::multibody
