// Settings of the server: which of them leave alone what statements read and write.
//
// A setting that is not listed may change what statements do. session_replication_role switches triggers and
// foreign keys off, transform_null_equals turns `= NULL` into IS NULL, plpgsql.variable_conflict decides what
// a name means. Schemas and roles are not told apart, so what names them changes nothing here.
#pragma once

#include <string_view>

namespace assay::sql {

bool is_harmless_setting(std::string_view name);

}  // namespace assay::sql
