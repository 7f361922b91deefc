#include "spec/parser.h"

#include "spec/lexer.h"

namespace assay::spec {
namespace {

using SyntaxKind = Syntax::Kind;

// Nesting is bounded so that no text can exhaust the stack.
constexpr std::size_t kDeepestNesting = 200;

// The first error ends the parse. It is thrown because nearly every line can meet one; parse() catches it,
// and nothing else leaves this file.
struct Wrong {
  Error error;
};

class Parser {
 public:
  explicit Parser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  File file() {
    File file;
    while (!at_end()) {
      if (accept("include")) file.includes.push_back(include());
      else if (accept("let")) file.lets.push_back(let());
      else if (accepts_name("label")) file.labels.push_back(label());
      else if (accept("framework")) file.frameworks.push_back(framework());
      else if (accept("level")) file.definitions.push_back(definition(false));
      else if (accept("anomaly")) file.definitions.push_back(definition(true));
      else wrong("a definition is expected", "one of include, let, framework, level, anomaly");
      accept(";");
    }
    return file;
  }

 private:
  // Definitions.

  Include include() {
    const Token token = next();
    if (token.kind != Token::Kind::Name && token.kind != Token::Kind::String)
      throw Wrong{error_at(token.place, "include needs a file", "a name such as biswas, or \"my.spec\"")};
    return {{token.text, token.place}, token.kind == Token::Kind::Name};
  }

  LabelDefinition label() {
    LabelDefinition label{name("a label"), {}};
    expect("on");
    label.sort = name("a sort");
    return label;
  }

  Framework framework() {
    Framework framework;
    framework.name = name("a framework");
    expect("{");
    while (!accept("}")) {
      if (accept("witness")) framework.witnesses.push_back(witness());
      else if (accept("let")) framework.lets.push_back(let());
      else if (accept("axiom")) {
        SyntaxPtr formula = expression();
        std::string called = formula->text;
        if (accept("as")) called = name("an axiom").text;
        framework.axioms.push_back({std::move(called), std::move(formula)});
      } else wrong("a part of a framework is expected", "witness, axiom, let or }");
      accept(";");
    }
    return framework;
  }

  Witness witness() {
    Witness witness{name("a witness"), {}, Witness::Kind::Relation, nullptr};
    if (accept("[")) {
      witness.index = name("an index");
      expect("]");
    }
    expect(":");
    if (accept("total")) {
      expect("order");
      witness.kind = Witness::Kind::TotalOrder;
    } else if (accept("order")) {
      witness.kind = Witness::Kind::Order;
    } else if (!accept("relation")) {
      wrong("the kind of the witness is expected", "total order on S, order on S or relation on S");
    }
    expect("on");
    witness.domain = relation();
    return witness;
  }

  Let let() {
    Let let;
    let.recursive = accept("rec");
    let.name = name("a definition");
    if (accept("(")) let.parameters = names(")");
    if (accept("[")) let.indices = names("]");
    if (accept(":")) {
      do let.type.push_back(name("a sort"));
      while (accept("*"));
    }
    expect("=");
    let.body = expression();
    return let;
  }

  Definition definition(bool anomaly) {
    std::string about = tokens_[at_ - 1].comment;
    Definition definition{name(anomaly ? "an anomaly" : "a level"), {}, anomaly, {}, nullptr};
    definition.about = std::move(about);
    expect("in");
    definition.framework = name("a framework");
    if (!anomaly && accept("with")) {
      do {
        Guess guess{name("a witness"), nullptr};
        expect("=");
        guess.relation = relation();
        definition.guesses.push_back(std::move(guess));
      } while (accept(","));
    }
    if (!anomaly && accept("forbids")) {
      do definition.forbids.push_back(name("an anomaly"));
      while (accept(","));
      return definition;
    }
    expect(":");
    definition.formula = expression();
    return definition;
  }

  // Formulas, from what binds weakest.

  SyntaxPtr expression() {
    const Depth depth(*this);
    SyntaxPtr left = implication();
    while (peek().is("<=>")) {
      const Place place = next().place;
      left = node(SyntaxKind::Iff, place, {left, implication()});
    }
    return left;
  }

  SyntaxPtr implication() {
    SyntaxPtr left = disjunction();
    if (!peek().is("=>")) return left;
    const Depth depth(*this);
    const Place place = next().place;
    return node(SyntaxKind::Implies, place, {left, implication()});
  }

  SyntaxPtr disjunction() { return chain("or", SyntaxKind::Or, &Parser::conjunction); }
  SyntaxPtr conjunction() { return chain("and", SyntaxKind::And, &Parser::negation); }

  SyntaxPtr negation() {
    const Depth depth(*this);
    const Place place = peek().place;
    if (accept("not")) return node(SyntaxKind::Not, place, {negation()});
    if (accept("within")) {
      SyntaxPtr set = relation();
      expect(":");
      return node(SyntaxKind::Within, place, {set, expression()});
    }
    if (accept("let")) return local(place);
    for (const auto& [word, kind] : {std::pair("all", SyntaxKind::All),
                                     {"some", SyntaxKind::Some},
                                     {"no", SyntaxKind::No},
                                     {"lone", SyntaxKind::Lone},
                                     {"one", SyntaxKind::One}})
      if (accept(word)) return binding(kind, place, ":");
    for (const auto& [word, kind] : {std::pair("empty", SyntaxKind::Empty),
                                     {"nonempty", SyntaxKind::Nonempty},
                                     {"acyclic", SyntaxKind::Acyclic},
                                     {"irreflexive", SyntaxKind::Irreflexive},
                                     {"transitive", SyntaxKind::Transitive},
                                     {"total", SyntaxKind::Total}})
      if (accept(word)) return test(kind, place);
    return comparison();
  }

  SyntaxPtr local(const Place& place) {
    const std::string called = name("a definition").text;
    expect("=");
    SyntaxPtr value = relation();
    expect("in");
    return node(SyntaxKind::LetIn, place, {value, expression()}, called);
  }

  SyntaxPtr binding(SyntaxKind kind, const Place& place, std::string_view before_body) {
    std::vector<Binder> binders;
    do {
      Binder binder;
      do binder.names.push_back(name("a variable"));
      while (accept(","));
      if (accept("in")) binder.domain = relation();
      binders.push_back(std::move(binder));
    } while (accept(";"));
    expect(before_body);
    Syntax bound{kind, place, {}, {expression()}, std::move(binders)};
    return std::make_shared<const Syntax>(std::move(bound));
  }

  SyntaxPtr test(SyntaxKind kind, const Place& place) {
    std::vector<SyntaxPtr> kids;
    kids.push_back(relation());
    if (kind == SyntaxKind::Total && accept("on")) kids.push_back(relation());
    std::string called;
    if (accept("as")) called = name("a test").text;
    return node(kind, place, std::move(kids), std::move(called));
  }

  SyntaxPtr comparison() {
    SyntaxPtr left = relation();
    const Place place = peek().place;
    if (peek().is("not") && tokens_[at_ + 1].is("in")) {
      at_ += 2;
      return node(SyntaxKind::NotIn, place, {left, relation()});
    }
    for (const auto& [symbol, kind] : {std::pair("in", SyntaxKind::In),
                                       {"<=", SyntaxKind::In},
                                       {"=", SyntaxKind::Equal},
                                       {"!=", SyntaxKind::NotEqual}}) {
      // `let a = r in ...` ends its relation with an `in` of its own; relation() has stopped there.
      if (accept(symbol)) return node(kind, place, {left, relation()});
    }
    return left;
  }

  // Relations, from what binds weakest.

  SyntaxPtr relation() { return chain("|", SyntaxKind::Union, &Parser::difference); }
  SyntaxPtr difference() { return chain("\\", SyntaxKind::Difference, &Parser::intersection); }
  SyntaxPtr intersection() { return chain("&", SyntaxKind::Intersection, &Parser::product); }
  SyntaxPtr product() { return chain("*", SyntaxKind::Product, &Parser::join); }
  SyntaxPtr join() { return chain(".", SyntaxKind::Join, &Parser::postfix); }

  SyntaxPtr postfix() {
    SyntaxPtr inner = primary();
    for (std::size_t length = 0;; ++length) {
      if (length > kDeepestNesting) wrong("this is too long for anything", "use let");
      const Place place = peek().place;
      if (accept("+") || accept("^+")) inner = node(SyntaxKind::Closure, place, {inner});
      else if (accept("^*")) inner = node(SyntaxKind::ReflexiveClosure, place, {inner});
      else if (accept("^-1")) inner = node(SyntaxKind::Inverse, place, {inner});
      else if (accept("?")) inner = node(SyntaxKind::Optional, place, {inner});
      else if (accept("[")) inner = applied(SyntaxKind::Index, place, inner, "]");
      else if (accept("(")) inner = applied(SyntaxKind::Call, place, inner, ")");
      else return inner;
    }
  }

  SyntaxPtr applied(SyntaxKind kind, const Place& place, SyntaxPtr to, std::string_view close) {
    std::vector<SyntaxPtr> kids;
    kids.push_back(std::move(to));
    do kids.push_back(expression());
    while (accept(","));
    expect(close);
    return node(kind, place, std::move(kids));
  }

  SyntaxPtr primary() {
    const Place place = peek().place;
    if (accept("(")) {
      SyntaxPtr inner = expression();
      expect(")");
      return inner;
    }
    if (accept("[")) {
      SyntaxPtr set = expression();
      expect("]");
      return node(SyntaxKind::IdentityOn, place, {set});
    }
    if (accept("{")) {
      SyntaxPtr set = binding(SyntaxKind::Comprehension, place, ":");
      expect("}");
      return set;
    }
    if (accept("max")) {
      expect("(");
      SyntaxPtr order = relation();
      expect(",");
      SyntaxPtr set = relation();
      expect(")");
      return node(SyntaxKind::Max, place, {order, set});
    }
    if (accept("true")) return node(SyntaxKind::True, place, {});
    if (accept("false")) return node(SyntaxKind::False, place, {});
    const Named named = name("a relation or formula");
    return node(SyntaxKind::Name, place, {}, named.text);
  }

  // Tokens.

  SyntaxPtr chain(std::string_view symbol, SyntaxKind kind, SyntaxPtr (Parser::*operand)()) {
    SyntaxPtr left = (this->*operand)();
    for (std::size_t length = 0; peek().is(symbol); ++length) {
      if (length > kDeepestNesting) wrong("this is too long for anything", "use let");
      const Place place = next().place;
      left = node(kind, place, {left, (this->*operand)()});
    }
    return left;
  }

  static SyntaxPtr node(SyntaxKind kind, const Place& place, std::vector<SyntaxPtr> kids,
                        std::string text = {}) {
    return std::make_shared<const Syntax>(Syntax{kind, place, std::move(text), std::move(kids), {}});
  }

  const Token& peek() const { return tokens_[at_]; }
  bool at_end() const { return peek().kind == Token::Kind::End; }
  Token next() { return at_end() ? peek() : tokens_[at_++]; }
  bool accept(std::string_view symbol) {
    if (!peek().is(symbol)) return false;
    ++at_;
    return true;
  }
  // A word that means something here only, so that it can be a name elsewhere.
  bool accepts_name(std::string_view word) {
    if (peek().kind != Token::Kind::Name || peek().text != word) return false;
    ++at_;
    return true;
  }
  void expect(std::string_view symbol) {
    if (!accept(symbol)) wrong(fmt::format("{} is expected", symbol));
  }
  Named name(std::string_view of_what) {
    if (peek().kind == Token::Kind::Keyword)
      wrong(fmt::format("{} is expected", of_what), fmt::format("{} is a word of the language", peek().text));
    if (peek().kind != Token::Kind::Name) wrong(fmt::format("{} is expected", of_what));
    const Token token = next();
    return {token.text, token.place};
  }
  std::vector<Named> names(std::string_view close) {
    std::vector<Named> names;
    do names.push_back(name("a parameter"));
    while (accept(","));
    expect(close);
    return names;
  }
  [[noreturn]] void wrong(std::string what, std::string remedy = {}) {
    throw Wrong{error_at(peek().place, fmt::format("{}, not {}", what, peek().text), std::move(remedy))};
  }

  struct Depth {
    explicit Depth(Parser& p) : parser(p) {
      if (++parser.depth_ > kDeepestNesting)
        parser.wrong("this is nested too deeply for anything", "use let");
    }
    ~Depth() { --parser.depth_; }
    Parser& parser;
  };

  std::vector<Token> tokens_;
  std::size_t at_ = 0, depth_ = 0;
};

}  // namespace

Result<File> parse(std::string_view text, const std::string& file) {
  auto tokens = tokens_of(text, std::make_shared<const std::string>(file));
  if (!tokens) return std::move(tokens).error();
  try {
    return Parser(std::move(tokens).value()).file();
  } catch (Wrong& wrong) {
    return std::move(wrong.error);
  }
}

}  // namespace assay::spec
