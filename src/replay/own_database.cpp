#include "replay/own_database.h"

#include <fmt/format.h>

#include "sql/words.h"

namespace assay::replay {

Result<OwnDatabase> OwnDatabase::open(const std::string& where) {
  OwnDatabase own;
  std::string address = where;
  if (where.starts_with("start:")) {
    auto server = Server::start(where.substr(6));
    if (!server) return std::move(server).error();
    own.server_ = std::make_unique<Server>(std::move(*server));
    address = own.server_->url();
  }
  auto url = parse_url(address);
  if (!url) return std::move(url).error();
  own.url_ = std::move(*url);
  auto admin = open_sql_session(own.url_);
  if (!admin) return std::move(admin).error();
  own.version_ = (*admin)->version();
  const std::string name = unused_name();
  if ((*admin)->run(fmt::format("CREATE DATABASE {} TEMPLATE template0", name)) != Reply::Done) {
    constexpr std::string_view kMayNot = "42501";
    if ((*admin)->state() != kMayNot) return error((*admin)->problem());
    if ((*admin)->run("CREATE SCHEMA " + name) != Reply::Done)
      return error(fmt::format("nothing can be created there: {}", problem_of(**admin)),
                   "a role with CREATEDB, or with CREATE on the database, or start:postgres");
    own.is_schema_ = true;
  }
  own.name_ = name;
  own.admin_ = std::move(*admin);
  return own;
}

OwnDatabase::~OwnDatabase() {
  if (!admin_ || name_.empty()) return;
  (void)admin_->run(is_schema_ ? fmt::format("DROP SCHEMA IF EXISTS {} CASCADE", name_)
                               : fmt::format("DROP DATABASE IF EXISTS {} WITH (FORCE)", name_));
}

Result<std::unique_ptr<SqlSession>> OwnDatabase::connect() const {
  Url url = url_;
  if (!is_schema_) {
    url.path = "/" + name_;
    url.options.erase("dbname");
  }
  auto session = open_sql_session(url);
  if (!session) return session;
  if (is_schema_ && (*session)->run("SET search_path = " + name_) != Reply::Done)
    return error((*session)->problem());
  return session;
}

Result<std::string> OwnDatabase::names_outside(const std::string& text) const {
  std::vector<SqlRow> schemas;
  if (admin_->run(
          "SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'",
          schemas) != Reply::Done)
    return error(admin_->problem());
  for (const SqlRow& schema : schemas)
    if (const std::string outside = schema.at(0).value_or(""); sql::has_word(text, sql::lowered(outside)))
      return fmt::format("the role may not create a database, and the files name the schema {}", outside);
  return std::string();
}

std::string problem_of(const SqlSession& session) {
  std::string text = session.problem();
  text = text.substr(0, text.find('\n'));
  if (text.starts_with("ERROR:  ")) text.erase(0, 8);
  return session.state().empty() ? text : fmt::format("{} ({})", text, session.state());
}

}  // namespace assay::replay
