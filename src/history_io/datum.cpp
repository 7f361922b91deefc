#include "history_io/datum.h"

#include "history_io/edn.h"

namespace assay {
namespace {

void print(Datum datum, std::string& out) {
  const auto children = [&](std::string_view open, std::string_view close) {
    out += open;
    bool first = true;
    for (const Datum child : datum) {
      if (!first) out += ' ';
      first = false;
      print(child, out);
    }
    out += close;
  };
  switch (datum.kind()) {
    case DatumKind::Nil: out += "nil"; break;
    case DatumKind::Boolean: out += datum.boolean() ? "true" : "false"; break;
    case DatumKind::Integer: out += std::to_string(datum.integer()); break;
    case DatumKind::String: print_edn_string(datum.text(), out); break;
    case DatumKind::Keyword: (out += ':') += datum.text(); break;
    case DatumKind::Character: (out += '\\') += datum.text(); break;
    case DatumKind::Number:
    case DatumKind::Symbol:
    case DatumKind::Other: out += datum.text(); break;
    case DatumKind::List:
    case DatumKind::Vector: return children("[", "]");  // equal in Clojure, too
    case DatumKind::Map: return children("{", "}");
    case DatumKind::Set: return children("#{", "}");
  }
}

}  // namespace

bool same_datum(Datum a, Datum b) {
  if (a.is_sequence() && b.is_sequence()) {
    if (a.size() != b.size()) return false;
  } else if (a.kind() != b.kind()) {
    return false;
  }
  switch (a.kind()) {
    case DatumKind::Nil: return true;
    case DatumKind::Boolean: return a.boolean() == b.boolean();
    case DatumKind::Integer: return a.integer() == b.integer();
    case DatumKind::List:
    case DatumKind::Vector:
    case DatumKind::Map:
    case DatumKind::Set: {
      if (a.size() != b.size()) return false;
      for (auto i = a.begin(), j = b.begin(); i != a.end(); ++i, ++j)
        if (!same_datum(*i, *j)) return false;
      return true;
    }
    default: return a.text() == b.text();
  }
}

void add_copy(Datum datum, Form& into) {
  switch (datum.kind()) {
    case DatumKind::Nil: return into.nil();
    case DatumKind::Boolean: return into.boolean(datum.boolean());
    case DatumKind::Integer: return into.integer(datum.integer());
    case DatumKind::List:
    case DatumKind::Vector:
    case DatumKind::Map:
    case DatumKind::Set:
      into.open(datum.kind());
      for (const Datum child : datum) add_copy(child, into);
      return into.close();
    default: return into.text(datum.kind(), datum.text());
  }
}

std::string edn_text(Datum datum) {
  std::string text;
  print(datum, text);
  return text;
}

}  // namespace assay
