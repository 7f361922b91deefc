#include "analysis/known_answers.h"
#include "support/paths.h"

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>

namespace assay::analysis {
namespace {

using Names = std::map<std::string, std::string>;

std::string read_file(const std::string& name) {
  std::ifstream file(test::source_dir() + "/examples/programs/" + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string replaced(const std::string& text, const Names& names) {
  static const std::regex word("[A-Za-z_][A-Za-z_0-9]*");
  std::string result;
  std::size_t end = 0;
  for (std::sregex_iterator match(text.begin(), text.end(), word), none; match != none; ++match) {
    result += text.substr(end, match->position() - end);
    const auto other = names.find(match->str());
    result += other == names.end() ? match->str() : other->second;
    end = match->position() + match->length();
  }
  return result + text.substr(end);
}

sql::Application read(const std::vector<std::string>& names_of_files,
                      const std::vector<std::string>& programs, const Names& names) {
  std::vector<sql::SourceFile> files;
  for (const std::string& file : names_of_files) files.push_back({file, replaced(read_file(file), names)});
  auto application = sql::read_application(files);
  if (!application) {
    ADD_FAILURE() << application.error().describe();
    return {};
  }
  if (!programs.empty())
    std::erase_if(application->programs, [&](const sql::Program& program) {
      return std::ranges::none_of(
          programs, [&](const std::string& kept) { return replaced(kept, names) == program.name; });
    });
  return std::move(*application);
}

Names other_names(const std::vector<std::string>& files) {
  const sql::Application application = read(files, {}, {});
  std::set<std::string> words;
  for (const sql::Table& table : application.schema.tables) {
    words.insert(table.name);
    for (const sql::Column& column : table.columns) words.insert(column.name);
  }
  for (const sql::Program& program : application.programs) words.insert(program.name);
  Names names;
  for (const std::string& word : words) names[word] = "n" + std::to_string(997 - names.size());
  return names;
}

constexpr auto kFound = Outcome::AnomalyFound;
constexpr auto kNone = Outcome::NoneUpToCycle;
constexpr auto kSafe = Outcome::Serializable;
const std::string kCourseware =
    ",add_student+add_student=ser,add_course+add_course=ser,enroll+rem_student=ser,enroll+rem_course=ser";

}  // namespace

std::vector<KnownAnswer> known_answers() {
  return {
      {"bank_ec", {"bank.sql"}, {"withdraw"}, "ec", 2, false, kFound, {{"withdraw", "withdraw"}}, true},
      {"bank_rc", {"bank.sql"}, {"withdraw"}, "rc", 2, false, kFound, {{"withdraw", "withdraw"}}, true},
      {"bank_psi", {"bank.sql"}, {"withdraw"}, "psi", 3, true, kSafe},
      {"smallbank_si_2", {"smallbank.sql"}, {}, "si", 2, false, kNone},
      {"smallbank_si_3",
       {"smallbank.sql"},
       {},
       "si",
       3,
       false,
       kFound,
       {{"balance", "write_check", "transact_savings"}},
       true},
      {"smallbank_without_write_check",
       {"smallbank.sql"},
       {"balance", "deposit_checking", "transact_savings", "amalgamate"},
       "si",
       3,
       true,
       kSafe},
      {"smallbank_without_transact_savings",
       {"smallbank.sql"},
       {"balance", "deposit_checking", "write_check", "amalgamate"},
       "si",
       3,
       true,
       kSafe},
      {"smallbank_promoted", {"smallbank.sql", "smallbank_promoted.sql"}, {}, "si", 3, true, kSafe},
      {"smallbank_rc_amalgamate",
       {"smallbank.sql"},
       {"amalgamate", "deposit_checking", "transact_savings"},
       "rc",
       3,
       true,
       kSafe},
      {"smallbank_rc_balance_checking",
       {"smallbank.sql"},
       {"balance", "deposit_checking"},
       "rc",
       3,
       true,
       kSafe},
      {"smallbank_rc_balance_savings",
       {"smallbank.sql"},
       {"balance", "transact_savings"},
       "rc",
       3,
       true,
       kSafe},
      {"smallbank_rc_balance_both",
       {"smallbank.sql"},
       {"balance", "deposit_checking", "transact_savings"},
       "rc",
       4,
       false,
       kFound},
      {"tpcc_ec", {"tpcc.sql"}, {}, "ec", 2, false, kFound, {{"payment", "payment"}}},
      {"tpcc_psi_3", {"tpcc.sql"}, {}, "psi", 3, false, kNone},
      {"tpcc_si_proof", {"tpcc.sql"}, {}, "si", 3, true, kSafe},
      {"tpcc_rc_readers", {"tpcc.sql"}, {"order_status", "payment", "stock_level"}, "rc", 3, true, kSafe},
      {"tpcc_rc_new_order",
       {"tpcc.sql", "tpcc_returning.sql"},
       {"new_order", "payment"},
       "rc",
       3,
       true,
       kSafe},
      {"courseware_ec",
       {"courseware.sql"},
       {},
       "ec",
       2,
       false,
       kFound,
       {{"add_student", "add_student"},
        {"add_course", "add_course"},
        {"enroll", "enroll"},
        {"enroll", "rem_student"},
        {"enroll", "rem_course"}},
       true},
      {"courseware_psi_3", {"courseware.sql"}, {}, "cc,enroll=psi" + kCourseware, 3, false, kNone},
      {"courseware_psi_4", {"courseware.sql"}, {}, "cc,enroll=psi" + kCourseware, 4, false, kFound},
      {"courseware_si_4", {"courseware.sql"}, {}, "cc,enroll=si" + kCourseware, 4, false, kNone},
      {"auction_si", {"auction.sql"}, {}, "si", 2, false, kFound, {{"place_bid", "close_auction"}}, true},
      {"auction_ser", {"auction.sql"}, {}, "ser", 3, true, kSafe},
      {"twitter_ec",
       {"twitter.sql"},
       {},
       "ec",
       2,
       false,
       kFound,
       {{"follow", "follow"}, {"follow", "unfollow"}, {"unfollow", "unfollow"}},
       true},
      {"twitter_rc", {"twitter.sql"}, {}, "rc", 3, false, kNone},
      {"tpcc_by_name_si",
       {"tpcc.sql", "tpcc_by_name.sql"},
       {"payment", "order_status"},
       "si",
       3,
       false,
       kFound,
       {{"order_status", "payment", "payment"}}},
  };
}

std::vector<KnownAnswer> quick_answers(bool quick) {
  std::vector<KnownAnswer> answers = known_answers();
  std::erase_if(answers, [&](const KnownAnswer& known) {
    const bool is_long = known.cycle > 3 || (known.prove && known.files[0] == "smallbank.sql") ||
                         (known.programs.empty() && known.files[0] == "tpcc.sql");
    return is_long == quick;
  });
  return answers;
}

sql::Application example(const std::vector<std::string>& files, const std::vector<std::string>& programs) {
  return read(files, programs, {});
}

std::set<Cycle> cycles(const Analysis& analysis, const sql::Application& application) {
  std::set<Cycle> all;
  for (const FoundAnomaly& anomaly : analysis.anomalies) {
    Cycle cycle;
    for (const Call& call : anomaly.calls) cycle.insert(application.programs[call.program].name);
    all.insert(cycle);
  }
  return all;
}

Analysis analysis_of(const KnownAnswer& known, const sql::Application& application,
                     const std::string& levels) {
  const auto parsed = parse_levels(levels, application);
  if (!parsed) {
    ADD_FAILURE() << parsed.error().describe();
    return {};
  }
  Options options;
  options.cycle = known.cycle;
  options.prove = known.prove;
  return analyze(application, *parsed, options);
}

void expect_answer(const KnownAnswer& known, bool renamed) {
  const Names names = renamed ? other_names(known.files) : Names();
  const sql::Application application = read(known.files, known.programs, names);
  const Analysis analysis = analysis_of(known, application, replaced(known.levels, names));
  EXPECT_EQ(analysis.outcome, known.outcome);
  EXPECT_EQ(analysis.undecided_queries, 0u);
  const std::set<Cycle> found = cycles(analysis, application);
  for (const Cycle& cycle : known.anomalies) {
    Cycle expected;
    for (const std::string& program : cycle) expected.insert(replaced(program, names));
    EXPECT_TRUE(found.contains(expected)) << testing::PrintToString(cycle);
  }
  if (known.all_of_them) {
    EXPECT_EQ(found.size(), known.anomalies.size());
  }
}

void expect_same_answers(const sql::Application& application, const std::string& one,
                         const std::string& other, unsigned cycle, bool prove) {
  Options options;
  options.cycle = cycle;
  options.prove = prove;
  std::vector<Analysis> answers;
  for (const std::string& text : {one, other}) {
    const auto levels = parse_levels(text, application);
    ASSERT_TRUE(levels) << levels.error().describe();
    answers.push_back(analyze(application, *levels, options));
    EXPECT_EQ(answers.back().undecided_queries, 0u) << text;
  }
  EXPECT_EQ(answers[0].outcome, answers[1].outcome) << other;
  EXPECT_EQ(cycles(answers[0], application), cycles(answers[1], application)) << other;
}

}  // namespace assay::analysis
