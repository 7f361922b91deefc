#include "sql/values.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "sql/words.h"

namespace assay::sql {
namespace {

constexpr auto kSynonyms = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"int", "int4"},
    {"integer", "int4"},
    {"serial", "int4"},
    {"serial4", "int4"},
    {"bigint", "int8"},
    {"bigserial", "int8"},
    {"serial8", "int8"},
    {"smallint", "int2"},
    {"smallserial", "int2"},
    {"decimal", "numeric"},
    {"real", "float4"},
    {"float", "float8"},
    {"double precision", "float8"},
    {"boolean", "bool"},
    {"character varying", "varchar"},
    {"character", "bpchar"},
    {"char", "bpchar"},
    {"timestamp with time zone", "timestamptz"},
    {"timestamp without time zone", "timestamp"},
});

bool all_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

// What stands in the brackets of `numeric(12,2)`: precision and scale.
std::optional<std::pair<int, int>> modifiers_of(std::string_view declared) {
  const auto open = declared.find('('), close = declared.find(')');
  if (open == declared.npos || close == declared.npos) return std::nullopt;
  const std::string inside(declared.substr(open + 1, close - open - 1));
  const auto comma = inside.find(',');
  const std::string first(trimmed(inside.substr(0, comma)));
  const std::string second(comma == inside.npos ? "0" : trimmed(inside.substr(comma + 1)));
  if (!all_digits(first) || !all_digits(second) || first.size() > 6 || second.size() > 6) return std::nullopt;
  // The tree of a type does not tell a scale of 0 from a negative one.
  if (comma != inside.npos && second == "0") return std::nullopt;
  return std::pair(std::stoi(first), std::stoi(second));
}

bool has_modifiers(std::string_view declared) { return declared.find('(') != declared.npos; }

// The most digits behind the point that a number can have; none when there is no limit.
std::optional<int> most_digits(const Expression& e) {
  using Kind = Expression::Kind;
  if (e.kind == Kind::Constant && !e.null) {
    const auto point = e.text.find('.');
    if (e.text.find_first_of("eE") != e.text.npos) return std::nullopt;
    return point == e.text.npos ? 0 : static_cast<int>(e.text.size() - point - 1);
  }
  if (e.type == Type::Integer) return 0;
  if (e.kind == Kind::Add || e.kind == Kind::Subtract || e.kind == Kind::Multiply) {
    const auto a = most_digits(*e.kids[0]), b = most_digits(*e.kids[1]);
    if (!a || !b) return std::nullopt;
    return e.kind == Kind::Multiply ? *a + *b : std::max(*a, *b);
  }
  if (base_type(e.declared) != "numeric") return std::nullopt;
  const auto size = modifiers_of(e.declared);
  return size ? std::optional(size->second) : std::nullopt;
}

std::optional<std::string> canonical_integer(std::string_view text) {
  text = trimmed(text);
  const bool negative = text.starts_with('-');
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  if (!all_digits(text)) return std::nullopt;
  text.remove_prefix(std::min(text.find_first_not_of('0'), text.size() - 1));
  return (negative && text != "0" ? "-" : "") + std::string(text);
}

// Digits around one point; `scale` digits are kept behind it, the rest is rounded away from zero.
std::optional<std::string> canonical_decimal(std::string_view text, std::optional<int> scale) {
  text = trimmed(text);
  const bool negative = text.starts_with('-');
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  const auto point = text.find('.');
  std::string whole(text.substr(0, point)), rest(point == text.npos ? "" : text.substr(point + 1));
  if (whole.empty()) whole = "0";
  if (!all_digits(whole) || (!rest.empty() && !all_digits(rest))) return std::nullopt;
  if (scale && rest.size() > static_cast<std::size_t>(*scale)) {
    const bool up = rest[static_cast<std::size_t>(*scale)] >= '5';
    std::string digits = whole + rest.substr(0, static_cast<std::size_t>(*scale));
    bool carry = up;
    for (std::size_t i = digits.size(); carry && i-- > 0;) {
      carry = digits[i] == '9';
      digits[i] = carry ? '0' : static_cast<char>(digits[i] + 1);
    }
    if (carry) digits.insert(digits.begin(), '1');
    whole = digits.substr(0, digits.size() - static_cast<std::size_t>(*scale));
    rest = digits.substr(digits.size() - static_cast<std::size_t>(*scale));
  }
  while (!rest.empty() && rest.back() == '0') rest.pop_back();
  whole.erase(0, std::min(whole.find_first_not_of('0'), whole.size() - 1));
  const bool zero = whole == "0" && rest.empty();
  return (negative && !zero ? "-" : "") + whole + (rest.empty() ? "" : "." + rest);
}

std::optional<std::string> canonical_uuid(std::string_view text) {
  std::string digits;
  for (const char c : lowered(trimmed(text))) {
    if (c == '{' || c == '}' || c == '-') continue;
    if (std::isxdigit(static_cast<unsigned char>(c)) == 0) return std::nullopt;
    digits += c;
  }
  if (digits.size() != 32) return std::nullopt;
  for (const std::size_t at : {8, 13, 18, 23}) digits.insert(at, 1, '-');
  return digits;
}

std::optional<std::string> canonical_boolean(std::string_view given) {
  const std::string text = lowered(trimmed(given));
  const auto begins = [&](std::string_view word) { return !text.empty() && word.starts_with(text); };
  if (begins("true") || begins("yes") || text == "on" || text == "1") return "true";
  if (begins("false") || begins("no") || text == "off" || text == "of" || text == "0") return "false";
  return std::nullopt;
}

bool fits_pattern(std::string_view text, std::string_view pattern) {
  return text.size() == pattern.size() &&
         std::equal(text.begin(), text.end(), pattern.begin(), [](char c, char p) {
           return p == '9' ? std::isdigit(static_cast<unsigned char>(c)) != 0 : c == p;
         });
}

// Only the ISO spelling; every other depends on settings, or on when it is read ('now', 'today').
std::optional<std::string> canonical_date(std::string_view text) {
  if (!fits_pattern(text, "9999-99-99")) return std::nullopt;
  return std::string(text);
}

std::optional<std::string> canonical_timestamp(std::string_view text) {
  if (fits_pattern(text, "9999-99-99")) return std::string(text) + " 00:00:00";
  if (fits_pattern(text, "9999-99-99 99:99:99") && text.substr(11, 2) < "24" && text.substr(17) < "60")
    return std::string(text);
  return std::nullopt;
}

std::string without_blanks_at_the_end(std::string text) {
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

bool is_among(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

bool is_text(std::string_view base) { return is_among(base, {"text", "varchar"}); }

}  // namespace

std::string base_type(std::string_view declared) {
  std::string name = lowered(trimmed(declared));
  // `timestamp(3) with time zone`
  if (const auto open = name.find('('); open != name.npos) {
    const auto close = name.find(')', open);
    name = std::string(trimmed(name.substr(0, open))) + (close == name.npos ? "" : name.substr(close + 1));
  }
  if (name.starts_with("pg_catalog.")) name = name.substr(11);
  const auto found =
      std::ranges::find(kSynonyms, name, &std::pair<std::string_view, std::string_view>::first);
  return found == kSynonyms.end() ? name : std::string(found->second);
}

std::optional<std::string> canonical(const NamedType& type, const std::string& text) {
  const std::string base = base_type(type.declared);
  const auto modifiers = modifiers_of(type.declared);
  if (type.is_set) return std::nullopt;
  if (is_among(base, {"int2", "int4", "int8"})) return canonical_integer(text);
  if (base == "numeric" && has_modifiers(type.declared) && !modifiers) return std::nullopt;
  if (base == "numeric")
    return canonical_decimal(text, modifiers ? std::optional(modifiers->second) : std::nullopt);
  if (is_among(base, {"float4", "float8"})) return canonical_integer(text);
  if (base == "text" || base.starts_with("enum ")) return text;
  if (base == "varchar")
    return modifiers && text.size() > static_cast<std::size_t>(modifiers->first) ? std::nullopt
                                                                                 : std::optional(text);
  if (base == "bpchar") {
    const std::string kept = without_blanks_at_the_end(text);
    const int length = modifiers ? modifiers->first : 1;
    return kept.size() > static_cast<std::size_t>(length) ? std::nullopt : std::optional(kept);
  }
  if (base == "uuid") return canonical_uuid(text);
  if (base == "bool") return canonical_boolean(text);
  if (base == "date") return canonical_date(text);
  if (base == "timestamp" && !modifiers) return canonical_timestamp(text);
  return std::nullopt;
}

ExpressionPtr literal(const NamedType& type, const std::string& text) {
  if (const auto spelled = canonical(type, text)) return typed(constant(type.type, *spelled), type.declared);
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '{' || c == '}') return typed(unknown(type.type), type.declared);  // marks holes
    quoted += c == '\'' ? "''" : std::string(1, c);
  }
  return typed(unknown(type.type, {}, "CAST(" + quoted + "' AS " + type.declared + ")"), type.declared);
}

ExpressionPtr converted(const ExpressionPtr& value, const NamedType& to, Conversion how) {
  if (to.declared.empty()) return value;
  const std::string from_base = base_type(value->declared), to_base = base_type(to.declared);
  if (value->kind == Expression::Kind::Constant) {
    if (value->null) return typed(null_constant(to.type), to.declared);
    // A literal takes any type; a value of another type goes through that type's conversion.
    const bool number = value->type == Type::Integer || value->type == Type::Decimal;
    if (number && to.type == Type::Integer) {
      const auto rounded = canonical_decimal(value->text, 0);
      if (rounded && from_base != "float8") return typed(constant(Type::Integer, *rounded), to.declared);
    } else if (value->declared.empty() || from_base == to_base || (number && to.type == Type::Decimal)) {
      if (number && to.type != Type::Decimal && to.type != Type::Integer)
        return typed(unknown(to.type, {value}, "CAST({} AS " + to.declared + ")"), to.declared);
      return literal(to, value->text);
    } else if (is_text(from_base) && is_text(to_base)) {
      return literal(to, value->text);
    }
    return typed(unknown(to.type, {value}, "CAST({} AS " + to.declared + ")"), to.declared);
  }
  const auto from_size = modifiers_of(value->declared), to_size = modifiers_of(to.declared);
  const bool keeps = [&] {
    if (to.is_set) return value->declared == to.declared;
    // Integers refuse what does not fit.
    if (value->type == Type::Integer && to.type == Type::Integer) return true;
    const bool any_size = !has_modifiers(to.declared);
    // A scale rounds, also in assignments.
    if (to_base == "numeric" &&
        (value->type == Type::Integer || from_base == "numeric" || from_base.empty())) {
      if (value->type != Type::Integer && value->type != Type::Decimal) return false;
      const auto digits = most_digits(*value);
      return any_size || (to_size && digits && *digits <= to_size->second);
    }
    if (is_text(to_base) && (is_text(from_base) || (from_base.empty() && value->type == Type::Text)))
      // An assignment refuses what is too long, unless it is too long by blanks.
      return any_size || (from_size && to_size && from_size->first <= to_size->first);
    if (from_base == to_base && !from_base.empty())
      return any_size || value->declared == to.declared ||
             (how == Conversion::Assignment && is_among(to_base, {"bpchar", "bit", "varbit"}));
    return value->declared.empty() && value->type == to.type && to.type == Type::Boolean;
  }();
  if (keeps) return value;
  // A parameter whose type nobody has told takes the type that its first use asks for.
  return typed(unknown(to.type, {value}, "CAST({} AS " + to.declared + ")"), to.declared);
}

bool cuts_blanks(const Expression& value, const std::string& declared) {
  const std::string from = base_type(value.declared);
  if (base_type(declared) != "varchar" || value.type != Type::Text) return false;
  if (!is_text(from) && !from.empty()) return false;
  const auto size = modifiers_of(value.declared), limit = modifiers_of(declared);
  return limit && !(size && size->first <= limit->first);
}

bool may_be_row(const Expression& value) {
  if (value.kind == Expression::Kind::Constant) return false;
  if (!value.declared.empty()) return !is_scalar_type(value.declared);
  return value.type == Type::Other || value.text.starts_with("ROW(");
}

bool compare_alike(const Expression& a, const Expression& b) {
  if (a.null || b.null) return true;
  const std::string left = base_type(a.declared), right = base_type(b.declared);
  if (left == right && !left.empty()) return true;
  const auto exact = [](const Expression& e, const std::string& base) {
    return e.type == Type::Integer || base == "numeric" || (base.empty() && e.type == Type::Decimal);
  };
  if (exact(a, left) && exact(b, right)) return true;
  const auto plain = [](const Expression& e, const std::string& base) {
    return is_text(base) || (base.empty() && e.type == Type::Text);
  };
  if (plain(a, left) && plain(b, right)) return true;
  if (a.type == Type::Boolean && b.type == Type::Boolean) return true;
  // Of what has no known type the model has no values either, unless a type of the same family was inferred.
  return left.empty() && right.empty() && a.type == b.type;
}

}  // namespace assay::sql
