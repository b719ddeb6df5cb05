# The sources of src, room by room. Where files of a room are small or share templates, they are compiled as one: what
# they have in common is read and instantiated once (CPU s: store 5 instead of 11, report 4 of 10, study 16 of 26, cli 8
# of 17, simulation 50 of 61, reproductions of vprk 19 of 29). So names in unnamed namespaces differ within a room.
#
#   hot_sources    steps, their equations and time loop in double precision, reproductions of minutes: -O2
#   model_sources  all else of the library: reading, writing, studies, pages
#   cli_sources    the program
#   python_sources the extension module of the Python package
file(GLOB_RECURSE all_sources RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.cpp)

# take(VARIABLE REGEX): the sources that match, away from all_sources.
function(take variable regex)
  set(taken ${all_sources})
  list(FILTER taken INCLUDE REGEX ${regex})
  set(rest ${all_sources})
  list(FILTER rest EXCLUDE REGEX ${regex})
  set(${variable} ${taken} PARENT_SCOPE)
  set(all_sources ${rest} PARENT_SCOPE)
endfunction()

# compiled_as_one(VARIABLE NAME SOURCES...): adds a source that includes them to the variable.
function(compiled_as_one variable name)
  set(includes)
  foreach(source ${ARGN})
    string(APPEND includes "#include \"${PROJECT_SOURCE_DIR}/${source}\"\n")
  endforeach()
  set(one ${PROJECT_BINARY_DIR}/generated/rooms/${name}.cpp)
  file(CONFIGURE OUTPUT ${one} CONTENT "${includes}" @ONLY)
  set(${variable} ${${variable}} ${one} PARENT_SCOPE)
endfunction()

take(hot_sources "^src/methods/|^src/audit/|^src/simulation/branch|^src/solve/|^src/sparse/klu|^src/reproduce/vprk_invariants")
take(degenerate_reproductions "^src/reproduce/vprk")
compiled_as_one(model_sources reproduce_vprk ${degenerate_reproductions})
take(other_sources "^src/sparse/|^src/reproduce/|^src/store/json|^src/model/element_lagrangian|^src/simulation/systems/wide")
list(APPEND model_sources ${other_sources})
take(contacts "^src/simulation/contact/")
compiled_as_one(hot_sources contacts ${contacts})
take(systems "^src/simulation/systems/")
compiled_as_one(hot_sources systems ${systems})
take(python_sources "^src/python/")
take(program "^src/cli/")
compiled_as_one(cli_sources cli ${program})
foreach(room formula model multibody registry report session simulation store study urdf)
  take(sources "^src/${room}/")
  compiled_as_one(model_sources ${room} ${sources})
endforeach()
list(APPEND model_sources ${all_sources})  # of rooms that are not listed above
