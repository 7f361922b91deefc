// The blocks of Jepsen's binary files (test.jepsen), in which a test run stores its history and results.
//
//     "JEPSEN"  version (4 bytes)  offset of the index (8)  block ...
//     block:  length (8)  CRC-32 (4)  type (2)  14 unused bytes  data
//
// The index names the root block and the offset of each other block. The root is the map of the test; its
// :history is a reference to a block, which is a list of operations (version 0) or a list of chunks (version
// 1). All integers are big-endian. The checksum is of the data, and then of the header without it.
//
// A file is read whole, because its blocks are in no order. Each operation is one Form at a time.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "base/result.h"
#include "history_io/datum.h"

namespace assay {

class JepsenFile {
 public:
  static constexpr std::string_view kMagic = "JEPSEN";

  // Checks the header and reads the index. The bytes must outlive the file.
  static Result<JepsenFile> open(std::string_view bytes);

  // Passes on each operation of the history, with its number from 1.
  using Visit = std::function<Result<void>(Datum operation, std::uint64_t number)>;
  Result<void> each_operation(const Visit& visit) const;

 private:
  enum class BlockType : std::uint8_t { Index = 1, Fressian, PartialMap, FressianStream, BigVector };
  struct Block {
    BlockType type;
    std::string_view data;
    std::size_t data_offset;
  };

  explicit JepsenFile(std::string_view bytes) : bytes_(bytes) {}
  Result<void> read_index();
  Result<Block> block_at(std::uint64_t offset) const;
  Result<Block> block(std::uint32_t id) const;
  Result<std::optional<std::uint32_t>> history_block() const;
  Result<void> operations(std::uint32_t id, const Visit& visit, std::uint64_t& number,
                          std::set<std::uint32_t>& visited) const;

  std::string_view bytes_;
  std::uint32_t root_ = 0;
  std::map<std::uint32_t, std::uint64_t> offsets_;  // of the blocks
};

}  // namespace assay
