#include "history_io/jsonl_values.h"

#include <fmt/format.h>

#include <algorithm>

namespace assay {
namespace {

namespace json = simdjson::ondemand;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ') text.remove_suffix(1);
  return text;
}

// Neither 01 nor 1. is a number in JSON, though both could only mean one.
bool is_json_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const auto is_digit = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
  const std::size_t point = text.find('.');
  return !(text.starts_with('0') && is_digit(1)) && (point == std::string_view::npos || is_digit(point + 1));
}

}  // namespace

Error broken_json(simdjson::error_code code) {
  return error(fmt::format("not valid JSON: {}", simdjson::error_message(code)));
}

Result<Scalar> JsonlValues::scalar(json::value& value) {
  json::json_type type;
  TRY_JSON(value.type().get(type));
  switch (type) {
    case json::json_type::number: return number(value);
    case json::json_type::string: {
      std::string_view text;
      TRY_JSON(value.get_string().get(text));
      return builder_.pool().string(text);
    }
    case json::json_type::boolean: {
      bool boolean = false;
      TRY_JSON(value.get_bool().get(boolean));
      return Scalar::boolean(boolean);
    }
    case json::json_type::null:
      if (trimmed(value.raw_json_token()) != "null") return error("not valid JSON: expected null");
      return Scalar::null();
    case json::json_type::object: return row(value);
    case json::json_type::array: return error("a list where a single value is expected");
  }
  return error("not a value");
}

Result<Scalar> JsonlValues::number(json::value& value) {
  const std::string_view text = trimmed(value.raw_json_token());
  const auto number = builder_.pool().number(text);
  if (!number || !is_json_number(text)) return error(fmt::format("not a number: {}", text));
  return *number;
}

Result<Scalar> JsonlValues::row(json::value& value) {
  json::object object;
  TRY_JSON(value.get_object().get(object));
  std::vector<RowField> fields;
  for (auto field : object) {
    std::string_view column;
    TRY_JSON(field.unescaped_key().get(column));
    const Scalar name = builder_.pool().string(column);
    if (std::ranges::find(fields, name, &RowField::column) != fields.end())
      return error(fmt::format("a row that names column {} twice", column));
    json::value cell;
    TRY_JSON(field.value().get(cell));
    json::json_type type;
    TRY_JSON(cell.type().get(type));
    if (type == json::json_type::object || type == json::json_type::array)
      return error("a row inside a row", "columns hold numbers, strings, booleans or null");
    auto content = scalar(cell);
    if (!content) return content;
    fields.push_back({name, *content});
  }
  return builder_.pool().row(std::move(fields));
}

Result<Scalar> JsonlValues::name(json::value& value, std::string_view what) {
  auto result = scalar(value);
  if (!result) return result;
  if (!result->is_integer() && !result->is_string())
    return error(fmt::format("{} must be an integer or a string", what));
  return result;
}

Result<KeyId> JsonlValues::key(json::value& value) {
  auto result = name(value, "a key");
  if (!result) return std::move(result).error();
  return builder_.key(*result);
}

Result<KeyId> JsonlValues::next_key(JsonElements& elements) {
  auto value = elements.next("a key");
  if (!value) return std::move(value).error();
  return key(*value);
}

Result<KeyAndValue> JsonlValues::key_and_value(JsonElements& elements) {
  auto k = next_key(elements);
  if (!k) return std::move(k).error();
  auto value = elements.next("a value");
  if (!value) return std::move(value).error();
  auto content = scalar(*value);
  if (!content) return std::move(content).error();
  ASSAY_TRY(elements.finish());
  return KeyAndValue{*k, *content};
}

Result<void> JsonlValues::rows(JsonElements& elements, std::vector<KeyAndValue>& into) {
  auto value = elements.next("a list of rows");
  if (!value) return std::move(value).error();
  json::array list;
  if (value->get_array().get(list)) return error("rows must be a list of [key, value] pairs");
  std::string_view text;
  TRY_JSON(list.raw_json().get(text));
  if (read_plain_rows(text, builder_, columns_, into)) return {};
  TRY_JSON(list.reset().error());
  into.clear();
  for (auto element : list) {
    json::array pair;
    if (element.get_array().get(pair)) return error("a row must be a [key, value] pair");
    JsonElements parts(pair);
    ASSAY_TRY(parts.open());
    auto row = key_and_value(parts);
    if (!row) return std::move(row).error();
    into.push_back(*row);
  }
  return {};
}

}  // namespace assay
