// A password. It goes to a client library and nowhere else: no stream takes it, and formatted it is ***.
#pragma once

#include <fmt/format.h>

#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>

namespace assay {

inline constexpr std::string_view kHiddenSecret = "***";

class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string text) : text_(std::move(text)) {}

  bool empty() const { return text_.empty(); }
  // For the call that hands it to a client library.
  const std::string& reveal() const { return text_; }

 private:
  std::string text_;
};

std::ostream& operator<<(std::ostream&, const Secret&) = delete;

}  // namespace assay

template <>
struct fmt::formatter<assay::Secret> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(const assay::Secret&, Context& context) const {
    return fmt::formatter<std::string_view>::format(assay::kHiddenSecret, context);
  }
};
