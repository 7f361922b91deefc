#include "history_io/edn.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

std::string print(Datum datum) {
  const auto children = [&](std::string open, const char* close) {
    for (const Datum child : datum) open += (open.size() > 1 && open.back() != '{' ? " " : "") + print(child);
    return open + close;
  };
  switch (datum.kind()) {
    case DatumKind::Nil: return "nil";
    case DatumKind::Boolean: return datum.boolean() ? "true" : "false";
    case DatumKind::Integer: return std::to_string(datum.integer());
    case DatumKind::Number: return "num<" + std::string(datum.text()) + ">";
    case DatumKind::String: return "\"" + std::string(datum.text()) + "\"";
    case DatumKind::Keyword: return ":" + std::string(datum.text());
    case DatumKind::Symbol: return std::string(datum.text());
    case DatumKind::Character: return "\\" + std::string(datum.text());
    case DatumKind::List: return children("(", ")");
    case DatumKind::Vector: return children("[", "]");
    case DatumKind::Map: return children("{", "}");
    case DatumKind::Set: return children("#{", "}");
    case DatumKind::Other: return "other<" + std::string(datum.text()) + ">";
  }
  return {};
}

// The forms of `text`, one per line, or the error.
std::string forms(std::string text) {
  ByteSource source = ByteSource::from_memory("f", std::move(text));
  EdnReader reader(source);
  Form form;
  std::string all;
  while (true) {
    const auto more = reader.next(form);
    if (!more) return all + "error " + more.error().place + ": " + more.error().what;
    if (!*more) return all;
    all += std::to_string(reader.line()) + " " + print(form.root()) + "\n";
  }
}

TEST(EdnReader, GivesTopLevelFormsWithTheirLines) {
  EXPECT_EQ(forms("; hello\n{:a 1, :b nil}\n\n {:c [x \"y\"]}  7"),
            "2 {:a 1 :b nil}\n4 {:c [x \"y\"]}\n4 7\n");
}

TEST(EdnReader, GivesTheElementsOfASingleTopLevelSequence) {
  EXPECT_EQ(forms("[{:a 1}\n {:b 2}]\n; end"), "1 {:a 1}\n2 {:b 2}\n");
  EXPECT_EQ(forms("(1 (2) #_3)"), "1 1\n1 (2)\n");
  EXPECT_EQ(forms("[]"), "");
  EXPECT_EQ(forms("[1] 2"), "1 1\nerror 1: '2' after the end of the sequence of operations");
}

TEST(EdnReader, KeepsEveryDigitOfANumber) {
  EXPECT_EQ(forms("12N -7 +3 9223372036854775807 9223372036854775808 123456789012345678901234567890N"),
            "1 12\n1 -7\n1 3\n1 9223372036854775807\n1 num<9223372036854775808>\n"
            "1 num<123456789012345678901234567890>\n");
  EXPECT_EQ(forms("0.10M 1e3 -2.5E-7 5M"), "1 num<0.10>\n1 num<1e3>\n1 num<-2.5E-7>\n1 5\n");
  EXPECT_EQ(forms("017 -0x1F 2r101 36rZz 0N 0xffN"), "1 15\n1 -31\n1 5\n1 1295\n1 0\n1 255\n");
  for (const char* other : {"1/2", "1.5N", "3a", "1.", "08", "0x", "2r", "2r2", "37r1", "0x8000000000000000"})
    EXPECT_EQ(forms(other), "1 other<" + std::string(other) + ">\n");
}

// Jepsen prints exceptions and whatever else an operation holds.
TEST(EdnReader, ReadsWhateverClojurePrints) {
  EXPECT_EQ(forms(R"({:error [:ex #object[Foo 0x1a2b "x"]] :a 1/2})"),
            "1 {:error [:ex [Foo 6699 \"x\"]] :a other<1/2>}\n");
  EXPECT_EQ(forms(R"(#"a\"+\\" 1)"), R"(1 other<#"a\"+\\">)"
                                     "\n1 1\n");
  EXPECT_EQ(forms("^{:line 3} {:a 1} ^String x #^:a 2"), "1 {:a 1}\n1 x\n1 2\n");
  EXPECT_EQ(forms("#<Atom@7: #<Foo a b>> 'x @y #'clojure.core/inc #(+ 1 %)"),
            "1 other<#<Atom@7: #<Foo a b>>>\n1 x\n1 y\n1 clojure.core/inc\n1 (+ 1 %)\n");
  EXPECT_EQ(forms("{:a ::b :c :x@y}"), "1 {:a other<::b> :c other<:x@y>}\n");
  for (const char* unfinished : {"#<Atom 7", "#\"a", "#\"a\\\"", "#:a", "#:a ", "'"})
    EXPECT_NE(forms(unfinished).find("the file ends inside"), std::string::npos) << unfinished;
}

TEST(EdnReader, KeysOfANamespacedMapHaveItsName) {
  EXPECT_EQ(forms("#:a{:b 1 :c/d :e :_/f {:g 2} \"s\" 3}"), "1 {:a/b 1 :c/d :e :f {:g 2} \"s\" 3}\n");
  EXPECT_EQ(forms("#::a {:b #:c{:d :e}}"), "1 {:a/b {:c/d :e}}\n");
  EXPECT_EQ(forms("#:a[1]"), "error 1: expected a name and a map after #:");
}

TEST(EdnReader, KeepsWhatATagTags) {
  EXPECT_EQ(forms("#jepsen.history.Op{:a #inst \"2020\"} #foo #bar 1 #{1 2} ##Inf"),
            "1 {:a \"2020\"}\n1 1\n1 #{1 2}\n1 ##Inf\n");
  EXPECT_EQ(forms("[#inst]"), "error 1: expected a form after # and before ']'");
}

TEST(EdnReader, DropsWhatIsDiscarded) {
  EXPECT_EQ(forms("{:a #_1 2 #_:b #_3}"), "1 {:a 2}\n");
  EXPECT_EQ(forms("#_ #_ 1 2 3 #_[4 {5 6}]"), "1 3\n");
  EXPECT_EQ(forms("#_ #inst \"x\" 3"), "1 3\n");
}

TEST(EdnReader, UnderstandsStringsCharactersAndEscapes) {
  EXPECT_EQ(forms(R"("a\"b\\\n\u00e9\ud83d\ude00" \newline \( \u0041)"),
            "1 \"a\"b\\\n\xc3\xa9\xf0\x9f\x98\x80\"\n1 \\newline\n1 \\(\n1 \\u0041\n");
  EXPECT_EQ(forms(R"("\101\7\377\400")"), "1 other<A\a\xc3\xbf\\400>\n");  // 400 is no octal byte
  // Text that no string can hold has an end, so it does no harm where nobody needs it.
  EXPECT_EQ(forms(R"("\q" 1)"), "1 other<\\q>\n1 1\n");
  EXPECT_EQ(forms(R"("\ud83d" 1)"), "1 other<\\ud83d>\n1 1\n");
  EXPECT_EQ(forms(R"("\u12g4" 1)"), "1 other<\\u12g4>\n1 1\n");
}

TEST(EdnReader, ReportsUnbalancedBracketsWithTheirLine) {
  EXPECT_EQ(forms("{:a\n 1]"), "error 2: expected '}' but found ']'");
  EXPECT_EQ(forms("1\n}"), "1 1\nerror 2: unexpected '}'");
  EXPECT_EQ(forms("[1\n)"), "1 1\nerror 2: unexpected ')'");
  EXPECT_EQ(forms("{:a 1 :b}"), "error 1: a map has a key without a value");
}

TEST(EdnReader, ReportsAFileThatIsCutOffAtEveryByte) {
  const std::string whole = "\n[{:a [1 \"x\\n\" #{2}]}]";
  for (std::size_t n = 2; n < whole.size(); ++n)
    EXPECT_NE(forms(whole.substr(0, n)).find("the file ends inside"), std::string::npos)
        << whole.substr(0, n);
}

TEST(EdnReader, RefusesBytesThatAreNotUtf8) {
  EXPECT_EQ(forms("{:a 1}\n{:a\n \"\xff\"}"), "1 {:a 1}\nerror 3: a byte that is not UTF-8");
  EXPECT_EQ(forms("{:a x\xc3}"), "error 1: a byte that is not UTF-8");
}

TEST(EdnReader, RefusesAbsurdNesting) {
  EXPECT_EQ(forms(std::string(100000, '[')), "error 1: the data is nested more than 64 deep");
  std::string discards;
  for (int i = 0; i < 100000; ++i) discards += "#_";
  EXPECT_EQ(forms(discards), "error 1: the data is nested more than 64 deep");
}

TEST(EdnReader, RefusesWhatIsNotEdn) {
  EXPECT_EQ(forms(std::string("\x01", 1)), "error 1: unexpected '\\x01'");
  EXPECT_EQ(forms("#5 "), "error 1: expected a tag after # but found '5'");
}

TEST(EdnReader, ReadsFormsThatStraddleTheWindow) {
  std::string text, expected;
  for (int i = 0; i < 60000; ++i) {
    text += "{:index " + std::to_string(i) + ", :value \"some text \\\" that is long enough\"} ; c\n";
    expected += std::to_string(i + 1) + " {:index " + std::to_string(i) +
                " :value \"some text \" that is long enough\"}\n";
  }
  EXPECT_EQ(forms(text), expected);
}

}  // namespace
}  // namespace assay
