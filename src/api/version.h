// The version of Assay and the commit it was built from. The definitions are generated (cmake/version.cmake).
#pragma once

namespace assay {

const char* version();  // "0.1.0"
// "db9013b0aabb", followed by "-changed" if files differed from that commit. Empty if the sources are not a
// git clone.
const char* commit();

}  // namespace assay
