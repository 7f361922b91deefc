// Values of a witness as a server takes them.
//
// The analysis has numbers for values that a program only compares, and spells them t5. A column of type
// uuid, of an enumeration or of two characters needs another spelling: the same for the same number,
// different for different ones where the type has enough values.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/analyze.h"
#include "collect/sql_session.h"

namespace assay::replay {

struct ServerType {
  std::string name;     // without length: character varying, uuid; of a domain the type that it restricts
  char category = 'U';  // of pg_type: N numbers, S strings, D dates, B boolean, E enumerations, A arrays
  long length = -1;     // of char(n), varchar(n)
  int digits = 9;       // before the point, of a number
  std::vector<std::string> labels{};  // of an enumeration
};

// Looks types up in the catalog.
class ServerTypes {
 public:
  explicit ServerTypes(SqlSession& session) : session_(session) {}
  // `type` and `modifier` as pg_attribute has them; of an array, its elements.
  Result<ServerType> find(const std::string& type, const std::string& modifier = "-1");

 private:
  SqlSession& session_;
  std::map<std::pair<std::string, std::string>, ServerType> known_;
};

std::optional<std::string> spelled(const analysis::Value& value, const ServerType& type);
// Some value, different for different numbers.
std::string made_up(long long number, const ServerType& type);
// `{"1","2"}`
std::string array_of(const std::vector<std::optional<std::string>>& elements);

}  // namespace assay::replay
