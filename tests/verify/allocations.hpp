// Calls of operator new in this program so far. KLU's own memory is looked after in tests/sparse.
#pragma once

namespace livens::test {

extern long long allocations;

}  // namespace livens::test
