# From every src/methods/<name>.cpp: a place in the table of methods, and a source of its own for what is more than
# double precision. Sets method_table and wide_sources.
file(GLOB method_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/methods/*.cpp)
set(wide_sources)
set(declarations)
set(calls)
foreach(source ${method_sources})
  get_filename_component(method ${source} NAME_WE)
  string(REPLACE "_" ";" words ${method})  # constrained_euler -> ConstrainedEuler
  set(class)
  foreach(word ${words})
    string(SUBSTRING ${word} 0 1 first)
    string(SUBSTRING ${word} 1 -1 rest)
    string(TOUPPER ${first} first)
    string(APPEND class ${first}${rest})
  endforeach()
  set(wide ${PROJECT_BINARY_DIR}/generated/wide/${method}.cpp)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/wide_steps.cpp.in ${wide} @ONLY)
  list(APPEND wide_sources ${wide})
  string(APPEND declarations "MethodEntry ${method}_entry();\n")
  list(APPEND calls "${method}_entry()")
endforeach()
list(JOIN calls ", " calls)
set(method_table ${PROJECT_BINARY_DIR}/generated/methods.cpp)
configure_file(${PROJECT_SOURCE_DIR}/cmake/methods.cpp.in ${method_table} @ONLY)
# Long double and binary128 are library calls or x87 code: optimisation brings little there, and costs much.
file(GLOB wide_systems CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/simulation/systems/wide_*.cpp)
# Studies, checks, reproductions and references are short; models are read once.
file(GLOB short_runs CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/study/*.cpp ${PROJECT_SOURCE_DIR}/src/model/check_*.cpp
     ${PROJECT_SOURCE_DIR}/src/reproduce/*.cpp ${PROJECT_SOURCE_DIR}/src/report/*.cpp ${PROJECT_SOURCE_DIR}/src/session/*.cpp
     ${PROJECT_SOURCE_DIR}/src/cli/*.cpp)
list(APPEND short_runs ${PROJECT_SOURCE_DIR}/src/model/redundant.cpp ${PROJECT_SOURCE_DIR}/src/model/reader.cpp
     ${PROJECT_SOURCE_DIR}/src/model/document.cpp ${PROJECT_SOURCE_DIR}/src/model/vocabulary.cpp
     ${PROJECT_SOURCE_DIR}/src/simulation/boundary.cpp ${PROJECT_SOURCE_DIR}/src/simulation/least_norm.cpp
     ${PROJECT_SOURCE_DIR}/src/simulation/failure.cpp ${PROJECT_SOURCE_DIR}/src/sparse/eigen_lu.cpp)
set_source_files_properties(${wide_sources} ${wide_systems} ${short_runs} PROPERTIES
                            COMPILE_OPTIONS $<$<CONFIG:Release>:-O1>)
