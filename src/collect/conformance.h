// Whether a client does what docs/client-protocol.md asks: a list of small trials, each on sessions of its
// own, and for each that fails a sentence that says what the client did wrong.
//
// What a client tells of its database is believed: whether transactions are isolated is for `assay run` to
// find out. A client that passes has answered every request in its own line, keeps what it committed and
// nothing else, and can go on after a transaction that was refused.
#pragma once

#include <string>
#include <vector>

namespace assay {

struct Trial {
  std::string about;    // what the client must do
  std::string problem;  // what it did; empty: what it must
};

// Those that could be made: after one that says that the client does not even begin, there are no others.
std::vector<Trial> try_client(const std::string& command);

}  // namespace assay
