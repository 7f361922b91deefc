#include "base/result.h"

namespace assay {

std::string Error::describe() const {
  std::string text;
  if (!file.empty()) text += file + ":";
  if (!place.empty()) text += place + ":";
  if (!text.empty()) text += " ";
  text += what;
  if (!remedy.empty()) text += " (" + remedy + ")";
  return text;
}

}  // namespace assay
