# Turns the built-in specifications into a C++ source with the text of each.
#
#   cmake -D FOLDER=src/spec/builtin -D OUT=source.cpp -P embed_specs.cmake
file(GLOB files "${FOLDER}/*.spec")
list(SORT files)
set(rows "")
foreach(file ${files})
  file(READ "${file}" text)
  get_filename_component(name "${file}" NAME_WE)
  string(APPEND rows "    {\"${name}\", R\"ASSAY_SPEC(${text})ASSAY_SPEC\"},\n")
endforeach()
file(WRITE "${OUT}" "#include \"spec/load.h\"

namespace assay::spec {

std::span<const BuiltinFile> builtin_files() {
  static constexpr BuiltinFile files[] = {
${rows}  };
  return files;
}

}  // namespace assay::spec
")
