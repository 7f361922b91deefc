// The built-in specifications of levels that the checker knows too.
#pragma once

#include "isolation/level.h"

namespace assay::test {

struct SharedLevel {
  const char* spec;
  Level level;
};

inline constexpr SharedLevel kSharedLevels[] = {
    {"adya:RC", Level::Pl2},           {"crooks:RC", Level::Pl2},       {"biswas:RC", Level::Rc},
    {"biswas:RA", Level::Ra},          {"biswas:CC", Level::Cc},        {"biswas:PC", Level::Pc},
    {"biswas:PSI", Level::Psi},        {"biswas:SI", Level::Si},        {"biswas:SER", Level::Ser},
    {"cerone:RA", Level::Ra},          {"cerone:CC", Level::Cc},        {"cerone:PSI", Level::Psi},
    {"cerone:PC", Level::Pc},          {"cerone:SI", Level::Si},        {"cerone:SER", Level::Ser},
    {"adya:PSI", Level::Psi},          {"adya:SI", Level::Si},          {"adya:SER", Level::Ser},
    {"crooks:SI", Level::AdyaSi},      {"crooks:SER", Level::PlainSer}, {"crooks:SessionSI", Level::Si},
    {"crooks:SessionSER", Level::Ser}, {"plume:CC", Level::Cc},         {"plume:RC", Level::Rc},
    {"bailis:RC", Level::Pl2},         {"bailis:MAV", Level::Mav},      {"cerone2015:RA", Level::PlainRa},
    {"cerone2015:SI", Level::AdyaSi},  {"adya:PL-SI", Level::AdyaSi},   {"cerone2015:SER", Level::PlainSer},
    {"adya:PL-3", Level::PlainSer},    {"berenson:SI", Level::AdyaSi},  {"berenson:RR", Level::PlainSer}};

// The same of levels of real time, where of each transaction begin and end are known and nothing else.
inline constexpr SharedLevel kSharedLevelsOfRealTime[] = {{"realtime:GSI", Level::Gsi},
                                                          {"realtime:SessionSI", Level::SessionSi},
                                                          {"realtime:StrongSI", Level::StrongSi},
                                                          {"realtime:StrictSER", Level::StrictSer}};

}  // namespace assay::test
