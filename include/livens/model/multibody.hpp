// A mechanism stated in C++: bodies, joints, springs and forces to a model that every method, study and page takes.
//
//   Multibody m({.gravity = {0, 0, -9.81}});
//   const int arm = m.body({.name = "arm", .density = 1000, .shape = Multibody::box(0.1, 0.1, 1), .position = {0, 0,
//   -0.5}}); m.revolute("hinge", multibody::ground, arm, {0, 0, 0}, {0, 1, 0}); Model model = m.model();
//
// Statements are checked one by one; what is wrong with one is thrown as multibody::StatementError.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "livens/formula/names.hpp"
#include "livens/model/model.hpp"
#include "livens/multibody/mechanism.hpp"

namespace livens {

class Multibody {
 public:
  using Vector = multibody::Vector;
  struct Options {
    Vector gravity{0, 0, 0};
    bool plane = false;
  };

  Multibody() : Multibody(Options{}) {}
  explicit Multibody(const Options& options);
  Multibody(const Multibody&) = delete;
  Multibody& operator=(const Multibody&) = delete;

  static multibody::Shape box(const formula::Number& a, const formula::Number& b, const formula::Number& c = 0);
  static multibody::Shape sphere(const formula::Number& radius);
  static multibody::Shape disc(const formula::Number& radius);
  static multibody::Shape cylinder(const formula::Number& radius, const formula::Number& length);
  static multibody::Shape cone(const formula::Number& radius, const formula::Number& length);
  static multibody::Shape plate(const formula::Number& a, const formula::Number& b);
  static multibody::Shape rod(const formula::Number& length);
  static multibody::Shape point();
  static multibody::Matrix inertia(const formula::Number& x, const formula::Number& y, const formula::Number& z);

  // Names are those of results and messages: letters, digits, _ and -, each once.
  int body(const multibody::BodyStatement& statement);
  int joint(const multibody::JointStatement& statement);
  // Points and axes in space, in the pose of the bodies; in the plane their third component is 0, and a revolute joint
  // has no axis.
  int spherical(const std::string& name, int first, int second, const Vector& at);
  int revolute(const std::string& name, int first, int second, const Vector& at, const Vector& axis = {0, 0, 0});
  int universal(const std::string& name, int first, int second, const Vector& at, const Vector& first_axis,
                const Vector& second_axis);
  int cylindrical(const std::string& name, int first, int second, const Vector& at, const Vector& axis);
  int prismatic(const std::string& name, int first, int second, const Vector& at, const Vector& axis);
  int planar(const std::string& name, int first, int second, const Vector& at, const Vector& normal);
  int fixed(const std::string& name, int first, int second);
  int slider(const std::string& name, int first, int second, const Vector& at, const Vector& axis);
  // Between points in each body's own axes, from its centre of mass.
  int distance(const std::string& name, int first, int second, const Vector& first_point = {0, 0, 0},
               const Vector& second_point = {0, 0, 0});
  // A formula of t, for `motion` of a joint. Throws formula::FormulaError.
  formula::NodeId motion(const std::string& formula);

  void spring(const multibody::SpringStatement& statement);
  // Formulas of t and of the point's position x, y, z and velocity x', y', z'; in the plane torque is one formula.
  void force(int body, const Vector& point, const std::vector<std::string>& force,
             const std::vector<std::string>& torque = {});

  const multibody::Mechanism& mechanism() const { return mechanism_; }

  // Method, step and end are the caller's to add. Throws InputError where the start does not fit and project is false.
  Model model(const std::string& name = "mechanism", bool project = false) const;

 private:
  int at(multibody::JointType type, const std::string& name, int first, int second, const Vector& point,
         const Vector* axis);

  formula::Graph graph_;
  formula::Names names_{graph_};
  multibody::Mechanism mechanism_;
  std::set<std::string> bodies_, joints_;  // their names
};

}  // namespace livens
