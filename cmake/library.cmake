# The library for other programs (docs/library.md), made of the folders that judge histories:
#
#     assay::assay   libassay.a, for C++ and C
#     assay::shared  libassay.so, which exports the C interface and nothing else; the Python module uses it
set(assay_library_folders version base history history_io graph isolation verdict certify dependency saturation solver
                          encoding check explain report judge api)

add_library(assay_library STATIC)
set(assay_archives)
foreach(folder ${assay_library_folders})
  target_sources(assay_library PRIVATE $<TARGET_OBJECTS:assay_${folder}>)
  list(APPEND assay_archives assay_${folder})
endforeach()
target_link_libraries(assay_library PRIVATE fmt::fmt simdjson::simdjson ZLIB::ZLIB PkgConfig::zstd Threads::Threads)
set_target_properties(assay_library PROPERTIES LINKER_LANGUAGE CXX OUTPUT_NAME assay EXPORT_NAME assay)
add_library(assay::assay ALIAS assay_library)
set(assay_libraries assay_library)

if(ASSAY_SHARED)
  # Its version changes when a program that was linked with an older one would not run (tests/api/abi_test.py).
  add_library(assay_shared SHARED $<TARGET_OBJECTS:assay_api>)
  target_link_libraries(assay_shared PRIVATE ${assay_archives} fmt::fmt)
  set_target_properties(assay_shared PROPERTIES LINKER_LANGUAGE CXX OUTPUT_NAME assay EXPORT_NAME shared
                        VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
  set(exports ${PROJECT_SOURCE_DIR}/src/api/exports.map)
  target_link_options(assay_shared PRIVATE -Wl,--version-script=${exports})
  set_target_properties(assay_shared PROPERTIES LINK_DEPENDS ${exports})
  add_library(assay::shared ALIAS assay_shared)
  list(APPEND assay_libraries assay_shared)

  # The Python module beside its library: PYTHONPATH=build/python.
  set(python_directory ${PROJECT_BINARY_DIR}/python/assay)
  file(GLOB python_sources CONFIGURE_DEPENDS python/assay/*.py)
  add_custom_command(
    OUTPUT ${python_directory}/stamp
    COMMAND ${CMAKE_COMMAND} -E make_directory ${python_directory}
    COMMAND ${CMAKE_COMMAND} -E copy_if_different ${python_sources} ${python_directory}
    COMMAND ${CMAKE_COMMAND} -E create_symlink $<TARGET_FILE:assay_shared> ${python_directory}/$<TARGET_SONAME_FILE_NAME:assay_shared>
    COMMAND ${CMAKE_COMMAND} -E touch ${python_directory}/stamp
    DEPENDS ${python_sources} assay_shared
    VERBATIM)
  add_custom_target(assay_python ALL DEPENDS ${python_directory}/stamp)
endif()

foreach(library ${assay_libraries})
  target_compile_features(${library} PUBLIC cxx_std_20)
  target_include_directories(${library} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                               $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()

if(ASSAY_INSTALL)
  include(CMakePackageConfigHelpers)
  set(package ${CMAKE_INSTALL_LIBDIR}/cmake/assay)
  install(TARGETS ${assay_libraries} EXPORT assay-targets COMPONENT library)
  install(DIRECTORY include/assay DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library)
  install(EXPORT assay-targets NAMESPACE assay:: DESTINATION ${package} COMPONENT library)
  configure_package_config_file(cmake/assay-config.cmake.in ${PROJECT_BINARY_DIR}/generated/assay-config.cmake
                                INSTALL_DESTINATION ${package} NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
  # Before 1.0 each minor version may be different from the one before it.
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/generated/assay-config-version.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/generated/assay-config.cmake ${PROJECT_BINARY_DIR}/generated/assay-config-version.cmake
          DESTINATION ${package} COMPONENT library)
  if(ASSAY_SHARED)
    install(FILES ${python_sources} DESTINATION ${CMAKE_INSTALL_LIBDIR}/assay/python/assay COMPONENT python)
  endif()
endif()
