#include "report/part_text.h"

#include "history_io/format.h"

namespace assay {

std::string part_text(const History& history, std::string_view format) {
  std::string text;
  ByteSink sink = ByteSink::to_memory(text);
  const auto written = find_format(format)->write(history, sink, {});
  const auto closed = sink.close();
  ASSAY_REQUIRE(written.has_value() && closed.has_value());
  return text;
}

}  // namespace assay
