# Turns a text file into a C++ source with the text as one constant.
#
#   cmake -D IN=file -D OUT=source.cpp -D HEADER=report/html.h -D NAME=report_page -P embed.cmake
file(READ "${IN}" text)
set(delimiter "ASSAY_TEXT")
string(FIND "${text}" ")${delimiter}\"" found)
if(NOT found EQUAL -1)
  message(FATAL_ERROR "${IN} contains )${delimiter}\", which ends the constant")
endif()
file(WRITE "${OUT}" "#include \"${HEADER}\"\n\nstd::string_view assay::${NAME}() {\n  return R\"${delimiter}(${text})${delimiter}\";\n}\n")
