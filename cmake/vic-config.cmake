# find_package(vic 1.0): the target vic::vic, include/vic/vic.h. The tree may be moved.
include(CMakeFindDependencyMacro)
find_dependency(fmt 9)
find_dependency(Threads)
find_library(vic_mujoco mujoco REQUIRED)
find_library(vic_tomlplusplus tomlplusplus REQUIRED)

get_filename_component(vic_prefix ${CMAKE_CURRENT_LIST_DIR}/../../.. ABSOLUTE)
if(NOT TARGET vic::vic)
  add_library(vic::vic STATIC IMPORTED)
  set_target_properties(vic::vic PROPERTIES
    IMPORTED_LOCATION ${vic_prefix}/lib/libvic.a
    INTERFACE_INCLUDE_DIRECTORIES ${vic_prefix}/include
    INTERFACE_COMPILE_FEATURES cxx_std_20
    INTERFACE_LINK_LIBRARIES "fmt::fmt;${vic_mujoco};${vic_tomlplusplus};Threads::Threads")
endif()
