// A set of levels: one bit for each row of the table.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace assay {

// In the order of the table: the levels that a level implies come before it where possible.
enum class Level : std::uint8_t {
  Pl2,
  Mav,
  Rc,
  PlainRa,
  Ra,
  Cc,
  Pc,
  Psi,
  Si,
  AdyaSi,
  Gsi,
  SessionSi,
  StrongSi,
  Ser,
  PlainSer,
  StrictSer,
};
inline constexpr std::size_t kLevelCount = static_cast<std::size_t>(Level::StrictSer) + 1;  // the last level

class LevelSet {
 public:
  LevelSet() = default;
  LevelSet(std::initializer_list<Level> levels) {
    for (const Level level : levels) insert(level);
  }

  bool contains(Level level) const { return bits_[static_cast<std::size_t>(level)]; }
  bool empty() const { return bits_.none(); }
  std::size_t size() const { return bits_.count(); }
  void insert(Level level) { bits_.set(static_cast<std::size_t>(level)); }

  LevelSet& operator|=(const LevelSet& other) {
    bits_ |= other.bits_;
    return *this;
  }
  friend LevelSet operator&(LevelSet a, const LevelSet& b) {
    a.bits_ &= b.bits_;
    return a;
  }
  friend bool operator==(const LevelSet&, const LevelSet&) = default;

  // Visits the levels in the order of the table.
  class Iterator {
   public:
    Iterator(const LevelSet& set, std::size_t at) : set_(&set), at_(at) { skip(); }
    Level operator*() const { return static_cast<Level>(at_); }
    Iterator& operator++() {
      ++at_;
      skip();
      return *this;
    }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    void skip() {
      while (at_ < kLevelCount && !set_->bits_[at_]) ++at_;
    }

    const LevelSet* set_;
    std::size_t at_;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, kLevelCount}; }

 private:
  std::bitset<kLevelCount> bits_;
};

}  // namespace assay
