#include "history_io/jsonl_plain_rows.h"

#include "history_io/plain_text.h"

namespace assay {
namespace {

constexpr std::size_t kMostColumns = 16;

class PlainRows : PlainText {
 public:
  PlainRows(std::string_view text, HistoryBuilder& builder, std::vector<PlainColumn>& columns)
      : PlainText(text, builder), columns_(columns) {}

  bool read(std::vector<KeyAndValue>& into) {
    if (!character('[')) return false;
    if (*at_ == ']') return ++at_ == end_;
    do {
      Scalar key, value;
      if (!character('[') || !name(key) || !character(',')) return false;
      const bool has_columns = *at_ == '{';
      if (!(has_columns ? row() : name(value)) || !character(']')) return false;
      if (has_columns) rows_.push_back(into.size());
      into.push_back({builder_.key(key), value});
    } while (character(','));
    if (at_[-1] != ']' || at_ != end_) return false;
    std::vector<Scalar> values;
    builder_.pool().rows(fields_, ends_, values);
    for (std::size_t i = 0; i < rows_.size(); ++i) into[rows_[i]].value = values[i];
    return true;
  }

 private:
  bool row() {
    const std::size_t begin = fields_.size();
    ++at_;
    do {
      const std::size_t n = fields_.size() - begin;
      RowField field;
      if (n == kMostColumns || !column(n, field.column) || !name(field.value)) return false;
      for (std::size_t i = begin; i < fields_.size(); ++i)
        if (fields_[i].column == field.column) return false;
      fields_.push_back(field);
    } while (character(','));
    ends_.push_back(static_cast<std::uint32_t>(fields_.size()));
    return at_[-1] == '}';
  }

  bool column(std::size_t place, Scalar& into) {
    std::string_view text;
    if (!string(text) || !character(':')) return false;
    if (place == columns_.size()) columns_.emplace_back();
    PlainColumn& last = columns_[place];
    if (last.name != text || last.scalar.is_null()) last = {std::string(text), builder_.pool().string(text)};
    into = last.scalar;
    return true;
  }

  std::vector<PlainColumn>& columns_;
  std::vector<RowField> fields_;     // of all rows with columns, one row after another
  std::vector<std::uint32_t> ends_;  // where each of these rows ends in fields_
  std::vector<std::size_t> rows_;    // the index of each of these rows
};

}  // namespace

bool read_plain_rows(std::string_view text, HistoryBuilder& builder, std::vector<PlainColumn>& columns,
                     std::vector<KeyAndValue>& into) {
  into.clear();
  return PlainRows(text, builder, columns).read(into);
}

}  // namespace assay
