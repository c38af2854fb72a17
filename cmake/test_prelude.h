// Precompiled for all tests, see targets.cmake.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "prelude.h"
