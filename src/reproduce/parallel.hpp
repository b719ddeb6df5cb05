#pragma once

#include "livens/study/parallel.hpp"
