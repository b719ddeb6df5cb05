// The formulas of a Lagrangian system while some of its contacts are closed, hold or rub.
//
// One that sticks holds every coordinate of its contact where it is: q_c - a_c = 0 stands in place of its constraint.
//
// Where contacts slip the system is an overdetermined one (system/odae.hpp),
//
//   y = (q, d) ,  z = p ,   q' = M^-1 z ,  d' = 0 ,
//   z' = L_q + F - G^T psi - sum_i c (|psi_i| |G_i|)^r e_i ,    e_i = w_i/|w_i| ,  w_i = d_i - G_i (G_i.d_i)/(G_i.G_i)
//   ,
//
// with a direction d_i for every one that slips: friction acts against the tangential part of it, so that nothing is
// singular where the sliding velocity passes 0.
#pragma once

#include <memory>
#include <vector>

#include "livens/model/model.hpp"

namespace livens {

// The coordinates that a constraint contains.
std::vector<int> coordinates_of(const LagrangianFormulas& formulas, int row);

struct HeldCoordinate {
  int coordinate;
  formula::Number at;
};

// The constraints `rows`, then the coordinates held.
std::shared_ptr<const LagrangianFormulas> with_held(const LagrangianFormulas& given, const std::vector<int>& rows,
                                                    const std::vector<HeldCoordinate>& held);

struct SlippingContact {
  int row;                       // among `rows`
  std::vector<int> coordinates;  // of the contact
};

// Mass matrix constant, no t in constraints.
std::shared_ptr<const OdaeFormulas> with_sliding(const LagrangianFormulas& given, const std::vector<int>& rows,
                                                 const std::vector<HeldCoordinate>& held,
                                                 const std::vector<SlippingContact>& slipping,
                                                 const formula::Number& friction, const formula::Number& exponent);

}  // namespace livens
