# find_package(ringwork) makes the targets ringwork::ringwork, the shared library, and ringwork::static.

get_filename_component(_ringwork_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

if(NOT TARGET ringwork::ringwork)
  add_library(ringwork::ringwork SHARED IMPORTED)
  set_target_properties(ringwork::ringwork PROPERTIES
    IMPORTED_LOCATION "${_ringwork_prefix}/lib/libringwork.so"
    IMPORTED_SONAME "libringwork.so.1"
    INTERFACE_INCLUDE_DIRECTORIES "${_ringwork_prefix}/include")
  add_library(ringwork::static STATIC IMPORTED)
  set_target_properties(ringwork::static PROPERTIES
    IMPORTED_LOCATION "${_ringwork_prefix}/lib/libringwork.a"
    INTERFACE_INCLUDE_DIRECTORIES "${_ringwork_prefix}/include"
    INTERFACE_LINK_LIBRARIES "gcc_s;util;pthread;m;dl")
endif()

unset(_ringwork_prefix)
