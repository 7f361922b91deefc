# Turns text files into a C++ source with their text, one after the other, as one constant.
#
#   cmake -D IN="file;file" -D OUT=source.cpp -D HEADER=report/html.h -D NAME=report_page -P embed.cmake
foreach(file ${IN})
  file(READ "${file}" part)
  string(APPEND text "${part}")
endforeach()
set(delimiter "ASSAY_TEXT")
string(FIND "${text}" ")${delimiter}\"" found)
if(NOT found EQUAL -1)
  message(FATAL_ERROR "${IN}: the text contains )${delimiter}\", which ends the constant")
endif()
file(WRITE "${OUT}" "#include \"${HEADER}\"\n\nstd::string_view assay::${NAME}() {\n  return R\"${delimiter}(${text})${delimiter}\";\n}\n")
