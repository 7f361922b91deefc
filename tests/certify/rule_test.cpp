// The vocabulary of reasons, which the search and the checker of certificates share.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>

#include "support/paths.h"
#include "verdict/proof.h"

namespace assay {
namespace {

TEST(Rules, HaveARowAndAWordEach) {
  std::set<std::string_view> words;
  std::size_t number = 0;
  for (const RuleRow& row : rules()) {
    EXPECT_EQ(static_cast<std::size_t>(row.rule), number++) << row.word;
    EXPECT_TRUE(words.insert(row.word).second) << row.word;
  }
  EXPECT_EQ(static_cast<Rule>(number - 1), Rule::WrongRead);
}

TEST(Rules, AreThoseOfTheDocument) {
  std::ifstream file(test::source_dir() + "/docs/certificates.md", std::ios::binary);
  const std::string document{std::istreambuf_iterator<char>(file), {}};
  for (const RuleRow& row : rules())
    EXPECT_NE(document.find("N " + std::string(row.word) + " "), std::string::npos) << row.word;
}

TEST(Rules, EachSuppositionHasAContrary) {
  for (const RuleRow& row : rules()) {
    if (!is_supposition(row.rule)) continue;
    EXPECT_TRUE(is_supposition(contrary(row.rule))) << row.word;
    EXPECT_EQ(contrary(contrary(row.rule)), row.rule) << row.word;
    EXPECT_EQ(contrary(row.rule) == row.rule, row.rule == Rule::Suppose) << row.word;
  }
  const Literal order = Literal::before({TxnId(1), true}, {TxnId(2), false});
  EXPECT_EQ(order.contrary(), Literal::before({TxnId(2), false}, {TxnId(1), true}));
  EXPECT_EQ(Literal::absent(TxnId(3)).contrary(), Literal::counts(TxnId(3)));
}

TEST(Rules, ALineSaysTheLiteralThatItSupposes) {
  const OpId op(7);
  for (const Literal& literal :
       {Literal::before({TxnId(1), true}, {TxnId(2), false}), Literal::from(op, TxnId(4)),
        Literal::from(op, TxnId::none()), Literal::not_from(op, TxnId(4)), Literal::counts(TxnId(5)),
        Literal::absent(TxnId(5)), Literal::took(op), Literal::left(op)}) {
    EXPECT_EQ(supposed_by(supposition(literal)), literal);
    EXPECT_EQ(supposed_by(supposition(literal.contrary())), literal.contrary());
  }
}

}  // namespace
}  // namespace assay
