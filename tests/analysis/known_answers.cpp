#include "analysis/known_answers.h"

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>

namespace assay::analysis {
namespace {

using Names = std::map<std::string, std::string>;

std::string read_file(const std::string& name) {
  std::ifstream file(std::string(ASSAY_SOURCE_DIR) + "/examples/programs/" + name);
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

}  // namespace

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

void expect_answer(const KnownAnswer& known, bool renamed) {
  const Names names = renamed ? other_names(known.files) : Names();
  const sql::Application application = read(known.files, known.programs, names);
  const auto levels = parse_levels(replaced(known.levels, names), application);
  ASSERT_TRUE(levels) << levels.error().describe();
  Options options;
  options.cycle = known.cycle;
  options.prove = known.prove;
  const Analysis analysis = analyze(application, *levels, options);
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

}  // namespace assay::analysis
