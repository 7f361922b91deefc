// A database as the collector sees it: keys with values, keys with lists, or a table of rows, in
// transactions.
//
// Registers hold integers, lists hold integers that are only ever appended. A key of which there is no row
// holds 0, or the empty list. Rows come and go, and are found by key, range or predicate (rows.h says what is
// in them). A client has a connection of its own and uses it from one thread.
//
// Every call answers with a Reply, because what an error *means* is the adapter's business:
//     Aborted   the database said that this transaction has no effect, and never will have
//     Lost      the connection is gone or the answer is: nobody can say what became of the transaction
//     Alone     the operation was done and committed by itself: the server had ended the transaction before
//     it
//               and reported nothing
//     Broken    no transaction is to blame: a bad statement, a full disk; going on makes no sense
// docs/adding-a-database.md walks through an adapter.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "collect/url.h"
#include "isolation/level.h"
#include "simulate/generator.h"
#include "simulate/row_table.h"
#include "simulate/workload.h"

namespace assay {

enum class Reply : std::uint8_t { Done, Aborted, Lost, Alone, Broken };

// What came of an operation on rows.
struct RowAnswer {
  bool met_a_row = false;        // of an insert, which then did nothing; of a delete
  std::vector<StoreWrite> rows;  // that a read, scan or select found; what an update made of them
};

class Connection {
 public:
  virtual ~Connection() = default;

  virtual Reply begin() = 0;
  virtual Reply read(StoreKey key, std::int64_t& value) = 0;
  virtual Reply write(StoreKey key, std::int64_t value) = 0;
  virtual Reply read_list(StoreKey key, std::vector<std::int64_t>& elements) = 0;
  virtual Reply append(StoreKey key, std::int64_t element) = 0;
  // Any operation on rows; only where the layout has some. `answer` is empty before.
  virtual Reply ask(const Asked& asked, RowAnswer& answer) = 0;
  virtual Reply commit() = 0;
  // After a call that answered Aborted or Broken. The connection can begin again when this is Done.
  virtual Reply rollback() = 0;
  // For tests of what happens then: the client hears nothing more, but what it sends still arrives. False
  // where there is no network: then nothing happens.
  virtual bool cut() { return false; }
  // What went wrong last, in the words of the database.
  virtual std::string problem() const = 0;
};

// A level as the database calls it.
struct DatabaseLevel {
  std::string_view name;        // read-committed
  std::string_view statement;   // how it is said to the database
  std::optional<Level> claims;  // what the database promises; nothing: no level that we know
};

class Database {
 public:
  virtual ~Database() = default;  // removes what prepare() made, as far as possible

  virtual std::string version() const = 0;  // "SQLite 3.40.1"
  // The first is what the database does when it is not asked.
  virtual std::span<const DatabaseLevel> levels() const = 0;
  // Makes tables of our own, as laid out. Before the first connect(); again for the next run.
  virtual Result<void> prepare(DataKind data, std::shared_ptr<const TableLayout> layout) = 0;
  // With rows for keys 0, 1, 2, ... in one table.
  Result<void> prepare(DataKind data, std::size_t keys) {
    return prepare(data, std::make_shared<OneTable>(keys));
  }
  // A setting that may make runs with many conflicts slow, and what to do about it; empty: there is none.
  virtual std::string slowness() const { return {}; }
  // Removes what runs that were killed have left, and says what that was: schemas, databases or tables whose
  // names are those of unused_name(). Nobody can tell them from those of a run that goes on.
  virtual Result<std::vector<std::string>> remove_leftovers() { return std::vector<std::string>(); }
  // Several threads may call it at once.
  virtual Result<std::unique_ptr<Connection>> connect(const DatabaseLevel& level) = 0;
};

// What the user says that errors mean, by the code that the database gives them: an SQLSTATE, a number.
using Treatments = std::map<std::string, Reply, std::less<>>;
// CODE=aborted, CODE=unknown or CODE=fatal.
Result<Treatments> parse_treatments(std::span<const std::string> texts);
// What the adapter thinks that an error with this code means, unless the user said something else.
Reply treated(const Treatments& treatments, std::string_view code, Reply otherwise);

// How many clients there will be, and what a simulated database draws from.
struct DatabaseOptions {
  std::size_t sessions = 1;
  std::size_t operations = 1;  // of the longest transaction
  std::uint64_t seed = 0;
  Treatments treatments{};
};

Result<std::unique_ptr<Database>> open_database(const Url& url, const DatabaseOptions& options);
// A program that speaks the protocol of docs/client-protocol.md, started by a shell.
Result<std::unique_ptr<Database>> open_client(const std::string& command);
// By name, in any case, with spaces or - or _ between words. An empty name is the first.
Result<const DatabaseLevel*> find_level(const Database& database, std::string_view name);

// "1,2,3", as the adapters keep lists in a column of text.
void parse_list(std::string_view text, std::vector<std::int64_t>& elements);
// A name for tables that nobody else uses: assay_1f2e3d4c.
std::string unused_name();
bool is_unused_name(std::string_view name);

}  // namespace assay
