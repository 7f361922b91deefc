// What a specification says, as it was written: the parser's result, before any name has a meaning.
//
// Relations and formulas share one grammar and one node; resolve.h tells them apart when it gives names a
// meaning. Nodes are shared and immutable, because a definition is resolved again wherever it is used.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "spec/place.h"

namespace assay::spec {

struct Syntax;
using SyntaxPtr = std::shared_ptr<const Syntax>;

struct Named {
  std::string text;
  Place place;
};

// `t1, t2 in W(x)`; without a domain the sort of the variables follows from their use.
struct Binder {
  std::vector<Named> names;
  SyntaxPtr domain;
};

struct Syntax {
  enum class Kind {
    // relations
    Name,
    Union,
    Difference,
    Intersection,
    Product,
    Join,
    Inverse,
    Closure,
    ReflexiveClosure,
    Optional,
    IdentityOn,
    Comprehension,
    Max,
    Index,
    // either
    Call,
    LetIn,
    // formulas
    True,
    False,
    Not,
    And,
    Or,
    Implies,
    Iff,
    All,
    Some,
    No,
    Lone,
    One,
    In,
    NotIn,
    Equal,
    NotEqual,
    Empty,
    Nonempty,
    Acyclic,
    Irreflexive,
    Transitive,
    Total,
    Within,
  };
  Kind kind;
  Place place;
  std::string text;  // of Name and LetIn: the name; of a test: what `as` calls it
  std::vector<SyntaxPtr> kids;
  std::vector<Binder> binders{};  // of quantifiers and comprehensions
};

struct Let {
  Named name;
  std::vector<Named> parameters, indices;
  std::vector<Named> type{};  // sorts of the columns; only of `let rec`
  bool recursive = false;
  SyntaxPtr body;
};

struct Witness {
  enum class Kind { TotalOrder, Order, Relation };
  Named name;
  std::optional<Named> index;
  Kind kind;
  SyntaxPtr domain;
};

struct Axiom {
  std::string name;  // may be empty
  SyntaxPtr formula;
};

struct Framework {
  Named name;
  std::vector<Witness> witnesses;
  std::vector<Axiom> axioms;
  std::vector<Let> lets;
};

// `with vis = e`: a relation worth trying for a witness.
struct Guess {
  Named witness;
  SyntaxPtr relation;
};

// A level, or an anomaly that a level can forbid.
struct Definition {
  Named name, framework;
  bool anomaly = false;
  std::vector<Guess> guesses{};
  SyntaxPtr formula;  // null: `forbids`
  std::vector<Named> forbids{};
  std::string about{};  // the comment above it
};

struct Include {
  Named what;
  bool builtin;  // named without quotes
};

// `label red on Obj`: a set that the history's names tell.
struct LabelDefinition {
  Named name, sort;
};

struct File {
  std::vector<Include> includes;
  std::vector<LabelDefinition> labels;
  std::vector<Let> lets;
  std::vector<Framework> frameworks;
  std::vector<Definition> definitions;
};

}  // namespace assay::spec
