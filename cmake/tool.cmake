# The command line tool: what it has besides the library, and the libraries that only it needs.
assay_folder(simulate DEPENDS base history isolation PACKAGES fmt::fmt)
assay_folder(collect DEPENDS base history history_io isolation simulate
             PACKAGES fmt::fmt PkgConfig::sqlite PkgConfig::libpq PkgConfig::libmariadb Threads::Threads)

assay_folder(spec DEPENDS base PACKAGES fmt::fmt)
# Every built-in specification, compiled in; prelude first, because the others may use it.
file(GLOB builtin_specs CONFIGURE_DEPENDS src/spec/builtin/*.spec)
add_custom_command(
  OUTPUT ${PROJECT_BINARY_DIR}/generated/builtin_specs.cpp
  COMMAND ${CMAKE_COMMAND} -D FOLDER=${PROJECT_SOURCE_DIR}/src/spec/builtin -D OUT=${PROJECT_BINARY_DIR}/generated/builtin_specs.cpp
          -P ${PROJECT_SOURCE_DIR}/scripts/embed_specs.cmake
  DEPENDS ${builtin_specs} scripts/embed_specs.cmake
  VERBATIM)
target_sources(assay_spec PRIVATE ${PROJECT_BINARY_DIR}/generated/builtin_specs.cpp)
assay_folder(synthesis DEPENDS base history spec PACKAGES fmt::fmt ${CADICAL})
assay_folder(spec_report DEPENDS base history history_io spec synthesis report PACKAGES fmt::fmt)
assay_compile_quickly(assay_spec_report)
assay_folder(sql DEPENDS base PACKAGES fmt::fmt nlohmann_json::nlohmann_json ${PG_QUERY})
assay_compile_quickly(assay_sql)
assay_folder(sql_log DEPENDS base sql PACKAGES fmt::fmt nlohmann_json::nlohmann_json)
assay_compile_quickly(assay_sql_log)

assay_folder(analysis DEPENDS base isolation spec sql PACKAGES fmt::fmt Threads::Threads ${Z3})
# z3++.h asserts what it otherwise reports as an exception.
target_compile_definitions(assay_analysis PRIVATE NDEBUG)
assay_compile_quickly(assay_analysis)

assay_folder(prove DEPENDS base spec synthesis PACKAGES fmt::fmt ${Z3})
target_compile_definitions(assay_prove PRIVATE NDEBUG)
assay_compile_quickly(assay_prove)

# Runs the programs of an anomaly on a server.
assay_folder(replay DEPENDS base isolation sql analysis collect PACKAGES fmt::fmt Threads::Threads)
assay_compile_quickly(assay_replay)
assay_folder(analysis_report DEPENDS base isolation sql analysis replay report
             PACKAGES fmt::fmt nlohmann_json::nlohmann_json)
assay_compile_quickly(assay_analysis_report)
assay_folder(hunt DEPENDS base history history_io isolation verdict explain report simulate collect PACKAGES fmt::fmt)
assay_compile_quickly(assay_hunt)
assay_folder(matrix DEPENDS base history history_io isolation explain report simulate collect
             PACKAGES fmt::fmt nlohmann_json::nlohmann_json)
assay_compile_quickly(assay_matrix)

assay_folder(sweep DEPENDS base history history_io isolation verdict explain report judge check
             PACKAGES fmt::fmt nlohmann_json::nlohmann_json)
assay_compile_quickly(assay_sweep)

assay_folder(watch DEPENDS base history history_io graph isolation dependency saturation verdict explain report check judge
             PACKAGES fmt::fmt)

add_executable(assay $<TARGET_OBJECTS:assay_cli>)
target_link_libraries(assay PRIVATE assay_version assay_watch assay_sweep assay_matrix assay_hunt assay_analysis_report assay_replay assay_analysis assay_sql_log assay_sql assay_prove assay_spec_report assay_synthesis assay_spec assay_judge assay_report assay_explain assay_check assay_certify assay_verdict
                      assay_collect assay_simulate assay_history_io assay_isolation assay_history assay_base fmt::fmt)

if(ASSAY_INSTALL)
  install(TARGETS assay RUNTIME COMPONENT tool)
endif()
