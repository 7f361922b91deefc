#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "history_io/byte_sink.h"
#include "history_io/byte_source.h"

namespace assay {
namespace {

class ByteStreams : public testing::Test {
 protected:
  ByteStreams() {
    std::string name = std::filesystem::temp_directory_path() / "assay-streams-XXXXXX";
    directory_ = mkdtemp(name.data());
  }
  ~ByteStreams() override { std::filesystem::remove_all(directory_); }

  std::string path(std::string_view name) const { return directory_ + "/" + std::string(name); }
  void write(const std::string& file, std::string_view bytes) {
    auto sink = ByteSink::create(file);
    ASSERT_TRUE(sink.has_value());
    sink->write(bytes);
    ASSERT_TRUE(sink->close().has_value());
  }
  static std::string raw(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  std::string directory_;
};

std::string all(ByteSource source) {
  std::string bytes;
  do {
    bytes += source.window();
    source.consume(source.window().size());
  } while (source.refill());
  if (source.failure()) return source.failure()->describe();
  return bytes;
}

std::string long_text() {
  std::string text;
  for (long i = 0; i < 300'000; ++i) text += std::to_string(i * 7919) + "\n";
  return text;
}

TEST_F(ByteStreams, CompressedFilesReadLikePlainOnes) {
  const std::string text = long_text();
  for (const char* name : {"a", "a.gz", "a.zst"}) {
    write(path(name), text);
    EXPECT_EQ(all(ByteSource::open(path(name)).value()), text) << name;
  }
  EXPECT_LT(raw(path("a.gz")).size(), text.size() / 2);
  EXPECT_LT(raw(path("a.zst")).size(), text.size() / 2);
}

TEST_F(ByteStreams, ALimitEndsTheStreamWithItsReason) {
  for (const char* name : {"a", "a.gz", "a.zst"}) {
    write(path(name), long_text());
    int asked = 0;
    Budget budget({.ask = [&](std::size_t) {
      return ++asked > 3 ? std::optional<std::string>("enough") : std::nullopt;
    }});
    ByteSource source = ByteSource::open(path(name), &budget).value();
    std::string_view line;
    std::size_t bytes = 0;
    while (source.next_line(line)) bytes += line.size() + 1;
    ASSERT_TRUE(source.failure().has_value()) << name;
    EXPECT_TRUE(source.failure()->is_limit);
    EXPECT_EQ(source.failure()->what, "enough");
    EXPECT_LT(bytes, long_text().size());
  }
}

// A parser needs several times the memory of a line, so it must not get one for which there is no room.
TEST_F(ByteStreams, ALongLineIsHandedOutOnlyIfThereIsRoomForReadingIt) {
  const std::size_t length = std::size_t{3} << 20;
  write(path("a"), "short\n" + std::string(length, 'x') + "\n");
  Budget budget({.ask = [&](std::size_t bytes) {
    return bytes > 4 * length ? std::optional<std::string>("no room") : std::nullopt;
  }});
  ByteSource source = ByteSource::open(path("a"), &budget).value();
  std::string_view line;
  EXPECT_TRUE(source.next_line(line));
  EXPECT_FALSE(source.next_line(line));
  ASSERT_TRUE(source.failure().has_value());
  EXPECT_EQ(source.failure()->what, "no room");
}

TEST_F(ByteStreams, ALimitIsAskedWhileAPipeGivesNothing) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  int asked = 0;
  Budget budget({.ask = [&](std::size_t) {
    return ++asked > 2 ? std::optional<std::string>("time is up") : std::nullopt;
  }});
  const auto source = ByteSource::open("/dev/fd/" + std::to_string(ends[0]), &budget);
  close(ends[0]);
  close(ends[1]);
  ASSERT_FALSE(source.has_value());
  EXPECT_TRUE(source.error().is_limit);
  EXPECT_EQ(source.error().what, "time is up");
}

TEST_F(ByteStreams, ASpentBudgetLeavesNoPartOfAFile) {
  for (const char* name : {"a", "a.gz", "a.zst"}) {
    Budget budget({.seconds = 0});
    {
      ByteSink sink = ByteSink::create(path(name), &budget).value();
      sink.write(long_text());
      const auto closed = sink.close();
      ASSERT_FALSE(closed.has_value());
      EXPECT_TRUE(closed.error().is_limit);
    }
    EXPECT_FALSE(std::filesystem::exists(path(name)));
    EXPECT_FALSE(std::filesystem::exists(path(name) + ".part"));
  }
}

TEST_F(ByteStreams, SeveralCompressedPartsInARowAreOneText) {
  write(path("a.gz"), "one\n");
  const std::string one = raw(path("a.gz"));
  EXPECT_EQ(all(ByteSource::from_memory("x", one + one)), "one\none\n");
}

TEST_F(ByteStreams, CutOffAndDamagedCompressionIsAnErrorNotAnEnd) {
  for (const char* name : {"a.gz", "a.zst"}) {
    write(path(name), long_text());
    const std::string bytes = raw(path(name));
    EXPECT_NE(all(ByteSource::from_memory("x", bytes.substr(0, bytes.size() / 2))).find("cut off"),
              std::string::npos);
    std::string damaged = bytes;
    for (std::size_t i = 100; i < 200; ++i) damaged[i] = 'x';
    EXPECT_NE(all(ByteSource::from_memory("x", damaged)).find("damaged"), std::string::npos);
  }
}

TEST_F(ByteStreams, BytesOfTheCallerAreReadWhereTheyAre) {
  const std::string text(100'000, 'a');
  EXPECT_EQ(all(ByteSource::from_view("x", text)), text);
  Budget spent({.ask = [](std::size_t) { return std::optional<std::string>("enough"); }});
  EXPECT_NE(all(ByteSource::from_view("x", text, &spent)).find("enough"), std::string::npos);
}

TEST_F(ByteStreams, LinesAreCountedAndMayLackTheirEnd) {
  ByteSource source = ByteSource::from_memory("x", "a\r\n\nlast");
  std::string_view line;
  ASSERT_TRUE(source.next_line(line));
  EXPECT_EQ(line, "a");
  ASSERT_TRUE(source.next_line(line));
  EXPECT_EQ(line, "");
  ASSERT_TRUE(source.next_line(line));
  EXPECT_EQ(line, "last");
  EXPECT_EQ(source.line(), 3u);
  EXPECT_FALSE(source.next_line(line));
}

TEST_F(ByteStreams, MissingFilesAndDirectoriesAreErrors) {
  EXPECT_EQ(ByteSource::open(path("none")).error().what, "cannot open: No such file or directory");
  EXPECT_EQ(ByteSource::open(directory_).error().what, "is a directory, not a history file");
  EXPECT_EQ(ByteSink::create(path("no/such/dir")).error().what, "cannot write: No such file or directory");
}

TEST_F(ByteStreams, AnUnfinishedFileLeavesTheOldOneAlone) {
  write(path("a"), "old");
  {
    auto sink = ByteSink::create(path("a"));
    sink->write(std::string(1 << 20, 'x'));
  }
  EXPECT_EQ(raw(path("a")), "old");
  EXPECT_FALSE(std::filesystem::exists(path("a.part")));
}

TEST_F(ByteStreams, DevicesAreWrittenInPlace) {
  write("/dev/null", "gone");
  EXPECT_FALSE(std::filesystem::is_regular_file("/dev/null"));
}

TEST_F(ByteStreams, AFullDiskIsReported) {
  auto sink = ByteSink::create("/dev/full");
  ASSERT_TRUE(sink.has_value());
  sink->write("x");
  const auto closed = sink->close();
  ASSERT_FALSE(closed.has_value());
  EXPECT_EQ(closed.error().describe(), "/dev/full: cannot write: No space left on device");
}

}  // namespace
}  // namespace assay
