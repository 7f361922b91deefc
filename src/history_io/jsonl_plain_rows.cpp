#include "history_io/jsonl_plain_rows.h"

#include <array>

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
      if (!character('[') || !name(key) || !character(',') || !(*at_ == '{' ? row(value) : name(value)) || !character(']'))
        return false;
      into.push_back({builder_.key(key), value});
    } while (character(','));
    return at_[-1] == ']' && at_ == end_;
  }

 private:
  bool row(Scalar& into) {
    std::array<RowField, kMostColumns> fields;
    std::size_t n = 0;
    ++at_;
    do {
      if (n == kMostColumns || !column(n, fields[n].column) || !name(fields[n].value)) return false;
      for (std::size_t i = 0; i < n; ++i)
        if (fields[i].column == fields[n].column) return false;
      ++n;
    } while (character(','));
    if (at_[-1] != '}') return false;
    into = builder_.pool().row(std::span(fields).first(n));
    return true;
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
};

}  // namespace

bool read_plain_rows(std::string_view text, HistoryBuilder& builder, std::vector<PlainColumn>& columns,
                     std::vector<KeyAndValue>& into) {
  into.clear();
  return PlainRows(text, builder, columns).read(into);
}

}  // namespace assay
