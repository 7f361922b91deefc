// Which Assay this is. Defined in a generated file (cmake/version.cmake).
#pragma once

namespace assay {

const char* version();  // "0.1.0"
// "db9013b0aabb"; with "-changed" behind it where files differed from it. Empty where the sources are no
// clone.
const char* commit();

}  // namespace assay
