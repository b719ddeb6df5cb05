#include "livens/formula/functions.hpp"

#include <array>

namespace livens::formula {

namespace {

constexpr std::array words_of_functions{
    FunctionWords{"sin", "sin(x)", "sine"},
    FunctionWords{"cos", "cos(x)", "cosine"},
    FunctionWords{"tan", "tan(x)", "tangent"},
    FunctionWords{"asin", "asin(x)", "inverse of the sine, from -pi/2 to pi/2"},
    FunctionWords{"acos", "acos(x)", "inverse of the cosine, from 0 to pi"},
    FunctionWords{"atan", "atan(x)", "inverse of the tangent, from -pi/2 to pi/2"},
    FunctionWords{"atan2", "atan2(y, x)", "angle of the point (x, y), from -pi to pi"},
    FunctionWords{"sinh", "sinh(x)", "hyperbolic sine"},
    FunctionWords{"cosh", "cosh(x)", "hyperbolic cosine"},
    FunctionWords{"tanh", "tanh(x)", "hyperbolic tangent"},
    FunctionWords{"exp", "exp(x)", "exponential function"},
    FunctionWords{"log", "log(x)", "natural logarithm"},
    FunctionWords{"sqrt", "sqrt(x)", "square root"},
    FunctionWords{"abs", "abs(x)", "|x|; its derivative jumps at 0"},
    FunctionWords{"min", "min(a, b, ...)", "the smallest; its derivative jumps where two are equal"},
    FunctionWords{"max", "max(a, b, ...)", "the largest; its derivative jumps where two are equal"},
    FunctionWords{"pow", "pow(a, b)", "a^b"},
    FunctionWords{"hypot", "hypot(x, y)", "sqrt(x^2 + y^2) without overflow"},
    FunctionWords{"sum", "sum(i = 0..9, x[i])", "sum over an index", false},
    FunctionWords{"prod", "prod(i = 0..9, x[i])", "product over an index", false},
    FunctionWords{"d", "d(f, x)", "derivative of f by a coordinate, velocity, parameter, definition or t", false},
    FunctionWords{"smoothabs", "smoothabs(x, w)", "sqrt(x^2 + w^2): |x| rounded off over a width w > 0", false},
    FunctionWords{"smoothsign", "smoothsign(x, w)", "tanh(x/w): from -1 to 1 over a width w > 0", false},
    FunctionWords{"smoothstep", "smoothstep(x, w)", "(1 + tanh(x/w))/2: from 0 to 1 over a width w > 0", false},
    FunctionWords{"sign", "sign(x)", "-1, 0 or 1", false, true},
    FunctionWords{"step", "step(x)", "0 where x < 0, else 1", false, true},
    FunctionWords{"if", "if(x > y, a, b)", "a where the comparison holds (<, <=, >, >=), else b", false, true},
};

}  // namespace

std::span<const FunctionWords> functions_in_words() {
  return words_of_functions;
}

}  // namespace livens::formula
