#include "isolation/point_rules.h"

namespace assay {

std::optional<PointRules> point_rules(Level level) {
  switch (level) {
    case Level::Ser: return PointRules{};
    case Level::PlainSer: return PointRules{.session_order = false};
    case Level::Si: return PointRules{.two_points = true, .exclusive = true};
    case Level::AdyaSi: return PointRules{.two_points = true, .session_order = false, .exclusive = true};
    case Level::Pc: return PointRules{.two_points = true};
    case Level::Psi: return PointRules{.total = false};
    case Level::StrictSer: return PointRules{.real_time = {.c_to_s = true}};
    case Level::StrongSi:
      return PointRules{.two_points = true,
                        .exclusive = true,
                        .real_time = {.c_to_s = true, .s_to_c = true, .c_to_c = true}};
    case Level::SessionSi:
      return PointRules{.two_points = true, .exclusive = true, .real_time = {.s_to_c = true, .c_to_c = true}};
    case Level::Gsi:
      return PointRules{.two_points = true,
                        .session_order = false,
                        .exclusive = true,
                        .real_time = {.s_to_c = true, .c_to_c = true}};
    default: return std::nullopt;
  }
}

}  // namespace assay
