// The versions of every key in commit order. Each has a Mark, in which the discipline stores what it needs to
// remember.
//
// Version 0 of a key is the initial one: position 0, with the initial value or the empty list. Each element
// of a list is a version; the content of that version is all elements up to it.
#pragma once

#include "simulate/store.h"

namespace assay {

struct NoMark {};

template <class Mark>
struct Version {
  std::uint64_t position = 0;  // the writer's position in the commit order
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

  // The index of the version that the running transaction sees.
  virtual std::size_t visible(SessionId session, StoreKey key) = 0;

  Versions& versions(StoreKey key) {
    while (key.index() >= versions_.size()) versions_.push_back({{0, initial_value(versions_.size()), {}}});
    return versions_[key.index()];
  }

  // The last version for which `sees` holds. It must hold for the initial one.
  template <class Sees>
  std::size_t last_version(StoreKey key, Sees sees) {
    const Versions& all = versions(key);
    std::size_t i = all.size() - 1;
    while (!sees(all[i])) --i;
    return i;
  }

  // A random version, not older than `oldest`. If its writer appended several elements, the last of these: a
  // reader sees all or none.
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
