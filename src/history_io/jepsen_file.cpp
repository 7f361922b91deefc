#include "history_io/jepsen_file.h"

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <charconv>

#include "history_io/fressian.h"

namespace assay {
namespace {

constexpr std::size_t kVersionAt = 6, kIndexOffsetAt = 10, kFirstBlockAt = 18;
constexpr std::size_t kChecksumAt = 8, kTypeAt = 12;
// Jepsen reserves 16 bytes for the type of a block, though the type takes two of them.
constexpr std::size_t kBlockHeader = 28;

std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char c : bytes) value = value << 8 | static_cast<unsigned char>(c);
  return value;
}

uLong add_to_checksum(uLong crc, std::string_view bytes) {
  constexpr std::size_t kMost = 1u << 30;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), kMost)))
    crc = crc32(crc, reinterpret_cast<const Bytef*>(bytes.data()),
                static_cast<uInt>(std::min(bytes.size(), kMost)));
  return crc;
}

Error at_byte(Error problem, std::size_t offset) {
  if (problem.place.empty()) problem.place = fmt::format("byte {}", offset);
  return problem;
}

Error damaged(std::string what, std::size_t offset) {
  return at_byte(error(std::move(what),
                       "the file is damaged or cut off; get the whole file again, or read "
                       "the history.edn beside it"),
                 offset);
}

}  // namespace

Result<JepsenFile> JepsenFile::open(std::string_view bytes) {
  JepsenFile file(bytes);
  if (!bytes.starts_with(kMagic)) return error("not a Jepsen file");
  if (bytes.size() < kFirstBlockAt) return damaged("the header is cut off", bytes.size());
  const std::uint64_t version = big_endian(bytes.substr(kVersionAt, 4));
  if (version > 1)
    return error(fmt::format("version {} of Jepsen's binary format is not known", version),
                 "read the history.edn beside it");
  ASSAY_TRY(file.read_index());
  return file;
}

Result<void> JepsenFile::read_index() {
  const std::uint64_t offset = big_endian(bytes_.substr(kIndexOffsetAt, 8));
  if (offset == 0)
    return error("the file has no index, so the test was not saved", "read the history.edn beside it");
  auto index = block_at(offset);
  if (!index) return std::move(index).error();
  if (index->type != BlockType::Index) return damaged("the index is a block of another type", offset);
  std::string_view data = index->data;
  if (data.size() % 12 != 4) return damaged("the index has a wrong size", offset);
  root_ = static_cast<std::uint32_t>(big_endian(data.substr(0, 4)));
  for (data.remove_prefix(4); !data.empty(); data.remove_prefix(12))
    offsets_[static_cast<std::uint32_t>(big_endian(data.substr(0, 4)))] = big_endian(data.substr(4, 8));
  if (root_ == 0) return damaged("the index names no test", offset);
  return {};
}

Result<JepsenFile::Block> JepsenFile::block_at(std::uint64_t offset) const {
  if (offset > bytes_.size() || bytes_.size() - offset < kBlockHeader)
    return damaged("a block is outside of the file", bytes_.size());
  const std::size_t at = static_cast<std::size_t>(offset);
  const std::string_view header = bytes_.substr(at, kBlockHeader);
  const std::uint64_t length = big_endian(header.substr(0, 8));
  if (length < kBlockHeader || length > bytes_.size() - at) return damaged("a block is cut off", at);
  const std::string_view data =
      bytes_.substr(at + kBlockHeader, static_cast<std::size_t>(length) - kBlockHeader);
  std::string blank(header);
  blank.replace(kChecksumAt, 4, 4, '\0');
  const uLong checksum = add_to_checksum(add_to_checksum(crc32(0, nullptr, 0), data), blank);
  if (checksum != big_endian(header.substr(kChecksumAt, 4)))
    return damaged("the checksum of a block is wrong", at);
  const std::uint64_t type = big_endian(header.substr(kTypeAt, 2));
  if (type < 1 || type > 5) return damaged(fmt::format("a block of the unknown type {}", type), at);
  return Block{static_cast<BlockType>(type), data, at + kBlockHeader};
}

Result<JepsenFile::Block> JepsenFile::block(std::uint32_t id) const {
  const auto found = offsets_.find(id);
  if (found == offsets_.end()) return damaged(fmt::format("the index has no block {}", id), 0);
  return block_at(found->second);
}

// The block that the test's :history refers to.
Result<std::optional<std::uint32_t>> JepsenFile::history_block() const {
  auto root = block(root_);
  if (!root) return std::move(root).error();
  std::string_view data = root->data;
  if (root->type == BlockType::PartialMap && data.size() >= 4) data.remove_prefix(4);
  FressianReader values(data);
  Form test;
  if (auto done = values.read(test); !done)
    return at_byte(std::move(done).error(), root->data_offset + values.offset());
  if (!test.root().is(DatumKind::Map)) return damaged("the test is no map", root->data_offset);
  for (auto i = test.root().begin(); i != test.root().end(); ++i) {
    const Datum key = *i, value = *++i;
    if (!key.is(DatumKind::Keyword) || key.text() != "history") continue;
    constexpr std::string_view kReference = "#block ";
    if (!value.is(DatumKind::Other) || !value.text().starts_with(kReference)) continue;
    const std::string_view digits = value.text().substr(kReference.size());
    std::uint32_t id = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), id);
    return std::optional(id);
  }
  return std::optional<std::uint32_t>();
}

Result<void> JepsenFile::each_operation(const Visit& visit) const {
  auto id = history_block();
  if (!id) return std::move(id).error();
  if (!*id) return error("the test has no history", "it was stopped before its first operation");
  std::uint64_t number = 0;
  std::set<std::uint32_t> visited;
  return operations(**id, visit, number, visited);
}

Result<void> JepsenFile::operations(std::uint32_t id, const Visit& visit, std::uint64_t& number,
                                    std::set<std::uint32_t>& visited) const {
  if (!visited.insert(id).second) return damaged("a chunk of the history is there twice", 0);
  auto block = this->block(id);
  if (!block) return std::move(block).error();
  if (block->type == BlockType::BigVector) {
    std::string_view data = block->data;
    if (data.size() % 12 != 8) return damaged("the list of chunks has a wrong size", block->data_offset);
    const std::uint64_t count = big_endian(data.substr(0, 8));
    const std::uint64_t before = number;
    for (data.remove_prefix(8); !data.empty(); data.remove_prefix(12)) {
      if (big_endian(data.substr(0, 8)) != number - before)
        return damaged("a chunk of the history is missing", block->data_offset);
      ASSAY_TRY(
          operations(static_cast<std::uint32_t>(big_endian(data.substr(8, 4))), visit, number, visited));
    }
    if (number - before != count)
      return damaged(
          fmt::format("the history says that it has {} operations, but has {}", count, number - before),
          block->data_offset);
    return {};
  }
  const bool is_stream = block->type == BlockType::FressianStream;
  if (!is_stream && block->type != BlockType::Fressian)
    return damaged("the history is a block of another type", block->data_offset);
  FressianReader values(block->data);
  Form form;
  while (!values.at_end()) {
    form.clear();
    const std::size_t offset = block->data_offset + values.offset();
    if (auto done = values.read(form); !done) return at_byte(std::move(done).error(), offset);
    if (is_stream) {
      ASSAY_TRY(visit(form.root(), ++number));
      continue;
    }
    if (form.root().is_nil()) return {};
    if (!form.root().is_sequence()) return damaged("the history is no list", offset);
    for (const Datum operation : form.root()) ASSAY_TRY(visit(operation, ++number));
    return {};
  }
  return {};
}

}  // namespace assay
