#include "base/similar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace assay {
namespace {

bool same_letter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

// Letters to add, take away, change, or swap with their neighbour.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] = std::min(
          {d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (same_letter(a[i - 1], b[j - 1]) ? 0 : 1)});
      if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]))
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

}  // namespace

std::string did_you_mean(std::string_view written, const std::vector<std::string>& known) {
  std::string best;
  std::size_t least = std::max<std::size_t>(1, written.size() / 3) + 1;
  for (const std::string& name : known) {
    const std::size_t changes = distance(written, name);
    if (changes >= least || changes >= written.size()) continue;
    least = changes;
    best = name;
  }
  return best.empty() ? best : fmt::format("did you mean {}?", best);
}

}  // namespace assay
