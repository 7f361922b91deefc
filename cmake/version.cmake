# api/version.h: the version of the project and the commit that was built. The commit is looked up at each build, and
# the file is written, and compiled, only where the answer is another one.
#
# A library of its own: whatever links the rest is not linked again after each commit.
add_custom_target(assay_commit
  COMMAND ${CMAKE_COMMAND} -D ROOT=${PROJECT_SOURCE_DIR} -D VERSION=${PROJECT_VERSION}
          -D OUT=${PROJECT_BINARY_DIR}/generated/version.cpp -P ${PROJECT_SOURCE_DIR}/cmake/write_version.cmake
  BYPRODUCTS ${PROJECT_BINARY_DIR}/generated/version.cpp
  COMMENT "Looking up the commit"
  VERBATIM)
add_library(assay_version STATIC ${PROJECT_BINARY_DIR}/generated/version.cpp)
add_dependencies(assay_version assay_commit)
target_link_libraries(assay_version PRIVATE assay_options)
