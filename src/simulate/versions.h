// The versions of every key in commit order, each with what its discipline remembers about it (Mark).
//
// Version 0 of a key is the initial one: position 0, its initial value, or the empty list. A list's version
// is its newest element; its content is all elements up to there.
#pragma once

#include "simulate/store.h"

namespace assay {

struct NoMark {};

template <class Mark>
struct Version {
  std::uint64_t position = 0;  // of its writer in the commit order
  std::int64_t value = 0;
  [[no_unique_address]] Mark mark{};
};

template <class Mark>
class VersionedStore : public Store {
 public:
  std::int64_t read(SessionId session, StoreKey key) final {
    const std::size_t seen = visible(session, key);
    return versions(key)[seen].value;
  }

  void read_rows(SessionId session, StoreKey first, StoreKey last, std::vector<std::int64_t>& values) final {
    for (std::size_t key = first.index(); key <= last.index(); ++key)
      values.push_back(VersionedStore::read(session, StoreKey(key)));
  }

  void read_list(SessionId session, StoreKey key, std::vector<Scalar>& elements) final {
    const std::size_t seen = visible(session, key);
    const Versions& all = versions(key);
    for (std::size_t i = 1; i <= seen; ++i) elements.push_back(Scalar::integer(all[i].value));
  }

 protected:
  using Versions = std::vector<Version<Mark>>;
  using Store::Store;

  // Which version of the key the running transaction sees.
  virtual std::size_t visible(SessionId session, StoreKey key) = 0;

  Versions& versions(StoreKey key) {
    while (key.index() >= versions_.size()) versions_.push_back({{0, initial_value(versions_.size()), {}}});
    return versions_[key.index()];
  }

  // The last version for which `sees` holds; the initial one must be seen.
  template <class Sees>
  std::size_t last_version(StoreKey key, Sees sees) {
    const Versions& all = versions(key);
    std::size_t i = all.size() - 1;
    while (!sees(all[i])) --i;
    return i;
  }

  // A random one that is final: a transaction that appends several elements shows all or none.
  std::size_t some_version_since(StoreKey key, std::size_t oldest) {
    const Versions& all = versions(key);
    std::size_t i = oldest + random_.below(all.size() - oldest);
    while (i + 1 < all.size() && all[i + 1].position == all[i].position) ++i;
    return i;
  }

  void install(std::span<const StoreWrite> writes, std::uint64_t position, Mark mark) {
    for (const StoreWrite& w : writes) versions(w.key).push_back({position, w.value, mark});
  }

 private:
  std::vector<Versions> versions_;
};

}  // namespace assay
