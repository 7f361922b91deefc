// Which known name was probably meant: the one with the fewest letters to change, at most a third of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay {

// "did you mean NAME?", or nothing if no name is similar.
std::string did_you_mean(std::string_view written, const std::vector<std::string>& known);

}  // namespace assay
