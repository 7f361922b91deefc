// Reads and writes the histories of Jepsen's transactional tests, which Elle checks, as EDN or JSON.
//
// Both notations contain the same maps, one after another or in one vector. Either reader passes them to
// ElleReader one operation at a time. Registers are initially nil, lists empty.
#include "history_io/edn.h"
#include "history_io/elle_reader.h"
#include "history_io/elle_writer.h"
#include "history_io/format_rows.h"
#include "history_io/json_forms.h"

namespace assay {
namespace {

// The text after blanks, comments, an opening bracket and tags.
std::string_view past_preamble(std::string_view text) {
  while (!text.empty()) {
    const char c = text.front();
    if (c == ';') text.remove_prefix(std::min(text.find('\n'), text.size()));
    else if (c == ' ' || c == ',' || (c >= '\t' && c <= '\r')) text.remove_prefix(1);
    else break;
  }
  return text;
}

bool begins_like_edn(std::string_view text) {
  text = past_preamble(text);
  if (text.starts_with('[') || text.starts_with('(')) text = past_preamble(text.substr(1));
  if (text.starts_with("#jepsen")) text.remove_prefix(std::min(text.find('{'), text.size()));
  if (!text.starts_with('{')) return false;
  return past_preamble(text.substr(1)).starts_with(':');
}

// It is JSON if the first key of the first map is a string.
bool is_json(std::string_view text) {
  text = past_preamble(text);
  if (text.starts_with('[')) text = past_preamble(text.substr(1));
  return text.starts_with('{') && past_preamble(text.substr(1)).starts_with('"');
}

bool begins_like_json(std::string_view text) {
  const auto type = peek_json(text, "type");
  if (!type) return false;
  for (const std::string_view known : {"\"invoke\"", "\"ok\"", "\"fail\"", "\"info\""})
    if (type->starts_with(known)) return true;
  return false;
}

bool looks_like_elle(std::string_view beginning) {
  return begins_like_edn(beginning) || begins_like_json(beginning);
}

class JsonOperations final : public JsonVisitor {
 public:
  explicit JsonOperations(ElleReader& reader) : reader_(reader) {}
  bool enters(const JsonPlace& place, DatumKind kind) override {
    return place.path.empty() && kind == DatumKind::Vector;
  }
  Result<void> value(const JsonPlace& place, Datum value) override {
    return reader_.operation(value, place.line);
  }

 private:
  ElleReader& reader_;
};

Result<void> read_edn(ByteSource& source, ElleReader& reader) {
  EdnReader forms(source);
  Form form;
  while (true) {
    auto more = forms.next(form);
    if (!more) return std::move(more).error();
    if (!*more) return {};
    ASSAY_TRY(reader.operation(form.root(), forms.line()));
  }
}

Result<History> read_elle_with(ByteSource& source, const ReadOptions& options) {
  source.need(4096);
  const bool json = is_json(source.window());
  ElleReader reader(!json, options.jepsen);
  if (json) {
    JsonOperations operations(reader);
    ASSAY_TRY(read_json(source, JsonRoots::Many, operations));
  } else {
    ASSAY_TRY(read_edn(source, reader));
  }
  return std::move(reader).finish();
}

Result<History> read_elle(ByteSource& source) { return read_elle_with(source, {}); }

}  // namespace

const Format format_rows::elle{
    .id = "elle",
    .description = "Jepsen/Elle operations: EDN, or the same as JSON (read either; OUT.json writes JSON)",
    .extension = ".edn",
    .initial = Scalar::null(),
    .looks_like = looks_like_elle,
    .read = read_elle,
    .read_with = read_elle_with,
    .write = write_elle_edn,
    .write_json = write_elle_json,
};

}  // namespace assay
