# reconverge_check(<target> [ALL] [STRICT] [OPTIONS <option>...])
#
# Adds the target `reconverge_check_<target>`, which checks the GPU sources (.cu, .hip, .cl, .ll) of <target> with its include folders and
# definitions, and fails where there are errors. ALL: part of the default build. STRICT: warnings fail, too. OPTIONS: further options of
# `reconverge check`. The program is found in PATH, or named by RECONVERGE_EXECUTABLE.
include_guard(GLOBAL)

function(reconverge_check target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "ALL;STRICT" "" "OPTIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "reconverge_check: unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "reconverge_check: there is no target ${target}")
  endif()
  find_program(RECONVERGE_EXECUTABLE reconverge)
  if(NOT RECONVERGE_EXECUTABLE)
    message(FATAL_ERROR "reconverge_check: reconverge is not in PATH; set RECONVERGE_EXECUTABLE")
  endif()
  get_target_property(folder ${target} SOURCE_DIR)
  get_target_property(sources ${target} SOURCES)
  get_target_property(type ${target} TYPE)
  list(FILTER sources INCLUDE REGEX "\\.(cu|hip|cl|ll)$")
  if(NOT sources)
    message(FATAL_ERROR "reconverge_check: ${target} has no .cu, .hip, .cl or .ll file")
  endif()
  list(TRANSFORM sources PREPEND "${folder}/" REGEX "^[^/]")
  set(prefix "")
  if(type STREQUAL "INTERFACE_LIBRARY")
    set(prefix "INTERFACE_")
  endif()
  set(includes "$<TARGET_PROPERTY:${target},${prefix}INCLUDE_DIRECTORIES>")
  set(definitions "$<TARGET_PROPERTY:${target},${prefix}COMPILE_DEFINITIONS>")
  set(all "")
  if(arg_ALL)
    set(all ALL)
  endif()
  set(strict "")
  if(arg_STRICT)
    set(strict --strict)
  endif()
  add_custom_target(reconverge_check_${target} ${all}
    COMMAND ${RECONVERGE_EXECUTABLE} check ${strict} ${arg_OPTIONS}
      "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>"
      "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
      ${sources}
    DEPENDS ${sources}
    WORKING_DIRECTORY ${folder}
    COMMENT "Checking the convergence of ${target}"
    COMMAND_EXPAND_LISTS VERBATIM)
endfunction()
