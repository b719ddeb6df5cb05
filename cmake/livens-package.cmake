# The Debian package: program, library, headers, manual pages, completion, Python module in one file. `./dev package` builds
# it with the preset `package`; what it depends on is read from its binaries (dpkg-shlibdeps).
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME livens)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGE_CONTACT "Livens maintainers <maintainers@livens.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "g++, cmake, libboost-dev, python3-matplotlib, python3-xarray")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Integrates pendulums, mechanisms, guiding centres and other constrained
mechanical systems, stated as formulas or as bodies and joints, and keeps
constraints, momenta and energy. Command-line program, C++20 library and
Python module.")
if(LIVENS_PYTHON)  # the module is made for one version of Python
  math(EXPR next_python "${Python_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "python3 (>= ${Python_VERSION_MAJOR}.${Python_VERSION_MINOR}), python3 (<< 3.${next_python}), python3-numpy")
  configure_file(${CMAKE_CURRENT_LIST_DIR}/debian-prerm.in ${PROJECT_BINARY_DIR}/debian/prerm @ONLY
                 FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/debian/prerm)
endif()
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")  # where Debian looks for the licence
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
endif()
include(CPack)
