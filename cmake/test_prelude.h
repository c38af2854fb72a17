// Precompiled for all tests, see house.cmake.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "prelude.h"
