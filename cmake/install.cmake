# The files that cmake --install puts in place, and the Debian package (cpack -G DEB;
# tools/package). The tree may be moved: the program finds share/vic relative to itself
# (base/data_folder.h).
set(documents ${PROJECT_BINARY_DIR}/documents)
add_custom_command(
  OUTPUT ${documents}/copyright
  COMMAND ${CMAKE_COMMAND} -D VIC=$<TARGET_FILE:vic> -D SOURCE=${PROJECT_SOURCE_DIR}
          -D UPLOT=${PROJECT_SOURCE_DIR}/build/npm/uplot -D OUT=${documents}
          -P ${PROJECT_SOURCE_DIR}/cmake/documents.cmake
  DEPENDS vic ${PROJECT_SOURCE_DIR}/cmake/documents.cmake ${PROJECT_SOURCE_DIR}/LICENSE
  VERBATIM COMMENT "writing manual pages and completions")
add_custom_target(documents ALL DEPENDS ${documents}/copyright)

# the library: the archives of all folders as one, and a package file for find_package
get_property(libraries GLOBAL PROPERTY vic_libraries)
list(TRANSFORM libraries REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE archives)
set(library ${PROJECT_BINARY_DIR}/libvic.a)
add_custom_command(
  OUTPUT ${library}
  COMMAND ${CMAKE_COMMAND} -D OUT=${library} -D "PARTS=${archives}" -D AR=${CMAKE_AR}
          -P ${PROJECT_SOURCE_DIR}/cmake/archive.cmake
  DEPENDS ${libraries} ${PROJECT_SOURCE_DIR}/cmake/archive.cmake
  VERBATIM COMMENT "gathering libvic.a")
add_custom_target(library ALL DEPENDS ${library})
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/vic-config-version.cmake
                                 COMPATIBILITY SameMajorVersion)

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME program)
install(DIRECTORY include/vic DESTINATION include COMPONENT dev)
install(FILES ${library} DESTINATION lib COMPONENT dev)
install(FILES cmake/vic-config.cmake ${PROJECT_BINARY_DIR}/vic-config-version.cmake
        DESTINATION lib/cmake/vic COMPONENT dev)
install(FILES ${documents}/copyright DESTINATION share/doc/vic-dev COMPONENT dev)
install(TARGETS vic RUNTIME DESTINATION bin)
if(TARGET vic_mpi)
  install(TARGETS vic_mpi LIBRARY DESTINATION lib/vic COMPONENT mpi)
endif()
install(DIRECTORY experiments assets examples DESTINATION share/vic)
install(FILES bench/peer.py bench/peer_envpool.py bench/peer_jax.py DESTINATION share/vic/bench)
install(DIRECTORY docs DESTINATION share/doc/vic)
install(FILES README.md CHANGELOG.md CONTRIBUTING.md CITATION.cff LICENSE ${documents}/copyright
        DESTINATION share/doc/vic)
install(DIRECTORY ${documents}/man/ DESTINATION share/man/man1)
install(FILES ${documents}/vic.bash DESTINATION share/bash-completion/completions RENAME vic)
# Debian's zsh looks for the completions of packages in a folder of its own
install(CODE "
  set(zsh share/zsh/site-functions)
  if(CMAKE_INSTALL_PREFIX MATCHES \"/usr$\")
    set(zsh share/zsh/vendor-completions)
  endif()
  file(INSTALL \"${documents}/_vic\" DESTINATION \"\${CMAKE_INSTALL_PREFIX}/\${zsh}\")"
        COMPONENT program)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The vic developers <vic@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "workbench for intrinsic control: options without reward")
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION
"Trains agents that discover their own options without any reward, measures how
much control they have gained, and compares it with the exact optimum. The method
is variational intrinsic control: implicit VIC, with a transition model, and with
a Gaussian mixture.
.
Needs a processor with ${VIC_ARCH}.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
# two packages: vic, and vic-dev with the library for C++
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL program dev)
# and, if it was built, the module that runs one agent on several hosts: nobody else needs MPI
if(TARGET vic_mpi)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
  set(CPACK_DEBIAN_MPI_PACKAGE_NAME vic-mpi)
  set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS vic)
  set(CPACK_DEBIAN_MPI_DESCRIPTION "This package has the module for jobs of mpirun.")
endif()
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME vic)
set(CPACK_DEBIAN_DEV_PACKAGE_NAME vic-dev)
set(CPACK_DEBIAN_DEV_DESCRIPTION
"This package has the static library, its header vic/vic.h and the files for find_package(vic).")
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "libfmt-dev, libmujoco-dev, libtomlplusplus-dev")
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# files and folders with the package's permissions, whatever the umask of its builder
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
include(CPack)
