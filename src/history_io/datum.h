// A piece of nested data from the EDN or JSON reader, such as an operation of a Jepsen history or a
// transaction of a dbcop file.
//
// A Form is a tree in prefix order in one flat array, with one string for all text. Each node has the end of
// its subtree. A reader fills one Form again and again, so reading allocates nothing once the form has grown
// to the largest operation of the file. Numbers are never rounded: one that is not a 64-bit integer keeps its
// digits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/contract.h"

namespace assay {

enum class DatumKind : std::uint8_t {
  Nil,
  Boolean,
  Integer,
  Number,  // any other number; text() is its spelling in JSON
  String,
  Keyword,  // text() omits the colon
  Symbol,
  Character,
  List,
  Vector,
  Map,  // children: key, value, key, value, ...
  Set,
  Other,  // data that Clojure prints but no history needs: 1/2, #"a+", #<Atom 7>; text() is its spelling
};

class Datum;

class Form {
 public:
  static constexpr std::size_t kDeepest = 64;
  static constexpr std::size_t kLargest = std::size_t{1} << 24;  // the most bytes of text in a form

  void clear() {
    nodes_.clear();
    text_.clear();
    open_.clear();
  }

  void nil() { leaf(DatumKind::Nil, 0); }
  void boolean(bool value) { leaf(DatumKind::Boolean, value); }
  void integer(std::int64_t value) { leaf(DatumKind::Integer, value); }
  void text(DatumKind kind, std::string_view text) {
    leaf(kind, static_cast<std::int64_t>(text_.size()));
    nodes_.back().count = static_cast<std::uint32_t>(text.size());
    text_ += text;
  }
  void open(DatumKind kind) {
    leaf(kind, 0);
    open_.push_back(static_cast<std::uint32_t>(nodes_.size() - 1));
  }
  void close() {
    ASSAY_ASSERT(!open_.empty());
    nodes_[open_.back()].end = static_cast<std::uint32_t>(nodes_.size());
    open_.pop_back();
  }

  std::size_t depth() const { return open_.size(); }
  DatumKind innermost() const { return nodes_[open_.back()].kind; }
  std::uint32_t innermost_size() const { return nodes_[open_.back()].count; }

  // Removes the last child, which was added when size() was `nodes`.
  std::size_t size() const { return nodes_.size(); }
  void truncate(std::size_t nodes) {
    nodes_.resize(nodes);
    if (!open_.empty()) --nodes_[open_.back()].count;
  }

  Datum root() const;

 private:
  friend class Datum;
  struct Node {
    DatumKind kind;
    std::uint32_t end;    // index after the subtree
    std::uint32_t count;  // of children or characters
    std::int64_t bits;    // the integer or boolean, or the index of the first character
  };

  void leaf(DatumKind kind, std::int64_t bits) {
    if (!open_.empty()) ++nodes_[open_.back()].count;
    nodes_.push_back({kind, static_cast<std::uint32_t>(nodes_.size() + 1), 0, bits});
  }

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> open_;
  std::string text_;
};

// A node of a Form; valid until the form changes.
class Datum {
 public:
  Datum(const Form& form, std::size_t at) : form_(&form), at_(at) {}

  DatumKind kind() const { return node().kind; }
  bool is(DatumKind kind) const { return node().kind == kind; }
  bool is_nil() const { return is(DatumKind::Nil); }
  bool is_sequence() const { return is(DatumKind::Vector) || is(DatumKind::List); }
  // A keyword, symbol or string: dialects use different kinds as names.
  bool is_name() const { return kind() >= DatumKind::String && kind() <= DatumKind::Symbol; }

  bool boolean() const { return node().bits != 0; }
  std::int64_t integer() const { return node().bits; }
  std::string_view text() const {
    return std::string_view(form_->text_).substr(static_cast<std::size_t>(node().bits), node().count);
  }

  std::size_t size() const { return node().count; }  // children of a container
  struct iterator {
    const Form* form;
    std::size_t at;
    Datum operator*() const { return {*form, at}; }
    iterator& operator++() {
      at = form->nodes_[at].end;
      return *this;
    }
    friend bool operator==(iterator, iterator) = default;
  };
  iterator begin() const { return {form_, at_ + 1}; }
  iterator end() const { return {form_, node().end}; }

 private:
  const Form::Node& node() const { return form_->nodes_[at_]; }
  const Form* form_;
  std::size_t at_;
};

inline Datum Form::root() const {
  ASSAY_ASSERT(!nodes_.empty());
  return {*this, 0};
}

// Whether two pieces of data are equal.
bool same_datum(Datum a, Datum b);
// Adds a copy to the form that is being built.
void add_copy(Datum datum, Form& into);
// The datum as EDN in one line; equal text for equal data, but for the order in sets and maps.
std::string edn_text(Datum datum);

}  // namespace assay
