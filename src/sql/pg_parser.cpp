#include "sql/pg_parser.h"

#include <fmt/format.h>
#include <pg_query.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <nlohmann/json.hpp>

namespace assay::sql {
namespace {

// Texts nest as deep as their brackets do, and so do the trees; people stay far below this.
constexpr int kDeepest = 400;

bool too_deep(const Json& tree) {
  struct Level {
    Json::const_iterator next, end;
  };
  std::vector<Level> path{{tree.begin(), tree.end()}};
  while (!path.empty()) {
    if (path.back().next == path.back().end) {
      path.pop_back();
      continue;
    }
    const Json& kid = *path.back().next++;
    if (!kid.is_structured()) continue;
    if (path.size() > 4 * kDeepest) return true;
    path.push_back({kid.begin(), kid.end()});
  }
  return false;
}

Result<Json> from_text(const std::string& text) {
  Json tree = Json::parse(text, nullptr, false);
  if (tree.is_discarded()) return error("PostgreSQL's parser gave an answer that cannot be read");
  if (too_deep(tree)) return error("this is nested too deeply", "split it into several statements");
  return tree;
}

// The cursor of PostgreSQL counts characters from 1, and UTF-8 has several bytes for some.
std::size_t byte_of_character(const std::string& text, int character) {
  std::size_t byte = 0;
  for (int left = character - 1; byte < text.size(); ++byte)
    if ((static_cast<unsigned char>(text[byte]) & 0xc0) != 0x80 && left-- <= 0) break;
  return byte;
}

// What the child says: the tree behind '+', or an error's message behind '-'.
std::string plpgsql_answer(const std::string& text) {
  const PgQueryPlpgsqlParseResult result = pg_query_parse_plpgsql(text.c_str());
  std::string answer =
      result.error ? "-" + std::string(result.error->message) : "+" + std::string(result.plpgsql_funcs);
  pg_query_free_plpgsql_parse_result(result);
  return answer;
}

bool write_all(int file, const std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n = ::write(file, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno != EINTR) return false;
    if (n > 0) done += static_cast<std::size_t>(n);
  }
  return true;
}

std::string read_all(int file) {
  std::string bytes;
  char buffer[65536];
  while (true) {
    const ssize_t n = ::read(file, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return bytes;
    bytes.append(buffer, static_cast<std::size_t>(n));
  }
}

[[noreturn]] void be_the_child(int write_end, const std::string& text) {
  // What an assertion of the parser says about itself is of no use to the reader of our errors.
  ::close(STDERR_FILENO);
  ::_exit(write_all(write_end, plpgsql_answer(text)) ? 0 : 1);
}

Result<std::string> ask_a_child(const std::string& text) {
  int ends[2];
  if (::pipe(ends) != 0) return error("no pipe to PostgreSQL's parser");
  const pid_t child = ::fork();
  if (child == 0) be_the_child(ends[1], text);
  ::close(ends[1]);
  std::string answer = child < 0 ? std::string() : read_all(ends[0]);
  ::close(ends[0]);
  if (child < 0) return error("no process for PostgreSQL's parser");
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || answer.empty())
    return error("PostgreSQL's parser breaks down on this function", "write its body in another way");
  return answer;
}

}  // namespace

Result<Json> parse_sql(const std::string& text) {
  if (text.find('\0') != std::string::npos)
    return Error{"a zero byte in SQL text", "", "", fmt::format("byte {}", text.find('\0'))};
  const PgQueryParseResult result = pg_query_parse(text.c_str());
  if (result.error) {
    Error problem{result.error->message, "", "",
                  fmt::format("byte {}", byte_of_character(text, result.error->cursorpos))};
    pg_query_free_parse_result(result);
    return problem;
  }
  const std::string tree = result.parse_tree;
  pg_query_free_parse_result(result);
  auto json = from_text(tree);
  if (!json) return json;
  return json->contains("stmts") ? Json((*json)["stmts"]) : Json::array();
}

Result<Json> parse_plpgsql(const std::string& create_function) {
  auto answer = ask_a_child(create_function);
  if (!answer) return std::move(answer).error();
  if ((*answer)[0] == '-') return error(answer->substr(1));
  auto json = from_text(answer->substr(1));
  if (!json) return json;
  if (!json->is_array() || json->empty() || !(*json)[0].contains("PLpgSQL_function"))
    return error("no PL/pgSQL function here");
  return Json((*json)[0]["PLpgSQL_function"]);
}

Result<std::string> plain_spelling(const std::string& statement) {
  const PgQueryProtobufParseResult parsed = pg_query_parse_protobuf(statement.c_str());
  std::string spelling;
  if (!parsed.error) {
    const PgQueryDeparseResult result = pg_query_deparse_protobuf(parsed.parse_tree);
    if (!result.error) spelling = result.query;
    pg_query_free_deparse_result(result);
  }
  pg_query_free_protobuf_parse_result(parsed);
  // It writes `interval '1' day` in a way that it cannot read itself.
  if (spelling.empty() || fingerprint_of(spelling) != fingerprint_of(statement))
    return error("this statement has no plain spelling");
  return spelling;
}

std::string fingerprint_of(const std::string& text) {
  const PgQueryFingerprintResult result = pg_query_fingerprint(text.c_str());
  std::string fingerprint = result.error ? "" : result.fingerprint_str;
  pg_query_free_fingerprint_result(result);
  return fingerprint;
}

}  // namespace assay::sql
