// Prints explanations for a terminal.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "report/findings.h"

namespace assay {

// Bold, red, faint and plain: the only control sequences in coloured output.
inline constexpr std::array<std::string_view, 4> kColours{"\033[1m", "\033[1;31m", "\033[2m", "\033[0m"};

// Whose names anomalies have. Where Adya or Elle have none, it is ours.
enum class NameStyle : std::uint8_t { Plain, Adya, Elle };

// The name of an anomaly that is ours, with its ending, in this style: read-skew-session is
// G-single-item-process in Elle.
std::string name_in(NameStyle style, Anomaly anomaly, std::string_view ours);

struct TextStyle {
  bool colours = false;
  bool full = false;  // print every reason completely, and the part as a history
  NameStyle names = NameStyle::Plain;
};

std::string as_text(const Findings& findings, std::size_t story, TextStyle style);
// All explanations.
std::string as_text(const Findings& findings, TextStyle style);

// FILE LEVEL VERDICT SECONDS ANOMALY, separated by tabs.
std::string verdict_lines(const Findings& findings, NameStyle names = NameStyle::Plain);

}  // namespace assay
