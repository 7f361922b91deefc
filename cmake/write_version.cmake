# Writes OUT: the VERSION, and the commit of the repository that ROOT is. Outside of a repository, or in that of a project
# that has Assay among its own files, there is no commit to name.
set(commit "")
find_package(Git QUIET)
if(GIT_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} -C ${ROOT} rev-parse --show-toplevel
                  OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  file(REAL_PATH ${ROOT} root)
  if(top STREQUAL root)
    execute_process(COMMAND ${GIT_EXECUTABLE} -C ${ROOT} describe --always --abbrev=12 --exclude=* --dirty=-changed
                    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
endif()
set(text "#include \"api/version.h\"

namespace assay {

const char* version() { return \"${VERSION}\"; }
const char* commit() { return \"${commit}\"; }

}  // namespace assay
")
set(before "")
if(EXISTS ${OUT})
  file(READ ${OUT} before)
endif()
if(NOT text STREQUAL before)
  file(WRITE ${OUT} "${text}")
endif()
