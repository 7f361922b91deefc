// A specification with every name resolved: what the evaluator judges by and synthesis turns into SAT.
//
// Definitions have been put in where they were used, so that only the history, the witnesses and bound
// variables are left; every relation knows the sorts of its columns. An element is a relation of one column
// and one row. Few kinds of nodes: what can be said by others was (`r?` is `id | r`, `no` is `not some`).
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "spec/place.h"

namespace assay::spec {

enum class Sort : std::uint8_t { Txn, Obj, Val, Op };
std::string_view name_of(Sort sort);

// What a history gives. Columns are those of docs/spec-language.md.
enum class Base : std::uint8_t {
  Reads,    // Txn Obj Val: external reads
  Writes,   // Txn Obj Val: final writes
  Readers,  // Obj Txn
  Writers,  // Obj Txn
  So,       // Txn Txn
  Wr,       // Obj Txn Txn
  Po,       // Op Op: program order of the external reads of a transaction
  OpTxn,    // Op Txn
  OpObj,    // Op Obj
  Rf,       // Txn Op: who wrote what the operation read
  Rt,       // Txn Txn: the first ended before the second began
  Ended,    // Txn Txn: the first ended before the second ended
};
inline constexpr std::size_t kBases = 12;
const std::vector<Sort>& columns_of(Base base);

// A set of transactions or objects: those whose name has this word.
struct Label {
  std::string name;
  Sort sort;
  friend auto operator<=>(const Label&, const Label&) = default;
};

struct Node;

struct Variable {
  std::size_t number;  // dense within a specification
  std::string name;
  Sort sort;
  const Node* domain;  // null: all of the sort
};

struct Node {
  enum class Kind : std::uint8_t {
    // relations
    Base,
    Label,
    Witness,
    Universe,
    Identity,
    Initial,
    Variable,
    Union,
    Difference,
    Intersection,
    Product,
    Join,
    Inverse,
    Closure,
    IdentityOn,
    Comprehension,
    UnionOver,
    Max,
    Fixpoint,
    FixpointVariable,
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
    Lone,
    One,
    In,
    Equal,
    Member,
    Empty,
    Acyclic,
    Irreflexive,
    Transitive,
    Total,
    Within,
  };
  Kind kind;
  Place place;
  std::vector<const Node*> kids{};
  std::vector<Sort> columns{};  // of a relation
  std::size_t number =
      0;  // of Base, Label, Witness, Variable, Fixpoint, FixpointVariable; of Universe: the sort
  std::vector<Variable> bound{};    // of quantifiers, Comprehension and UnionOver
  std::string name{};               // that the text gave it
  std::size_t place_in_nodes = 0;   // of its specification
  std::vector<std::size_t> free{};  // variables that it depends on, increasing
  bool uses_witness = false;
  bool uses_fixpoint = false;  // a FixpointVariable stands in it

  bool is_formula() const { return kind >= Kind::True; }
};

struct WitnessSpec {
  enum class Kind : std::uint8_t { TotalOrder, Order, Relation };
  std::string name;
  Kind kind;
  bool indexed;           // one for each object
  const Node* domain;     // transactions that it relates; may depend on the index
  std::size_t index = 0;  // the variable that stands for the object in the domain
};

struct Condition {
  std::string name;  // may be empty
  const Node* formula;
};

// A relation worth trying for a witness; it may use the witnesses that are not tried, and earlier guesses. A
// guess costs time, never an answer.
struct WitnessGuess {
  std::size_t witness;
  const Node* relation;
};

// One level, with what its framework demands. A history satisfies it when witnesses of the declared kinds
// exist for which every axiom and the formula hold. The initial transaction is first in every order.
struct Specification {
  std::string name;  // as SPEC on the command line
  std::string framework, level;
  std::string about;          // the comment above the level: what it is, and from where
  std::vector<Label> labels;  // that it uses
  std::vector<WitnessSpec> witnesses;
  std::vector<Condition> axioms;
  const Node* formula = nullptr;
  std::vector<WitnessGuess> guesses;
  const Node* relation = nullptr;  // instead, where a definition was asked for and not a level
  std::size_t variables = 0;
  bool uses_operations = false;                   // sort Op
  bool uses_values = false;                       // sort Val
  bool uses_clocks = false, uses_ends = false;    // Rt or Ended; Ended
  std::shared_ptr<const std::deque<Node>> nodes;  // where all of them live
};

}  // namespace assay::spec
