// The base of workloads that imitate an application: a few kinds of transactions over several key spaces.
//
// The steps of a transaction are fixed when it is planned. Two things may depend on earlier reads: which key
// to access next (the tweet that `last` names), and the new value of a counter. Other values stand for
// content: each is a new number, unique among all clients, which may also be the id of a new thing.
#pragma once

#include <string>
#include <string_view>

#include "simulate/workload.h"

namespace assay {

class ShapedWorkload : public Workload {
 public:
  std::optional<Asked> next_operation(const Plan& plan, std::span<const Asked> before) final;
  std::int64_t next_value(StoreKey) final;
  StoreKey new_key() final;
  std::string name(StoreKey key) const final;

 protected:
  using Space = std::size_t;  // index into `spaces`

  // In space "user", thing 3 has the key user:3.
  ShapedWorkload(std::vector<std::string_view> spaces, std::uint64_t seed, WorkloadClient client);

  StoreKey key(Space space, std::uint64_t thing) const {
    return StoreKey(thing * (spaces_.size() + 1) + space);
  }
  // The number of keys of all things below this one, in every space.
  std::size_t keys_of(std::uint64_t things) const { return things * (spaces_.size() + 1); }
  std::uint64_t new_thing() { return static_cast<std::uint64_t>(next_value({})); }
  // Declares which things exist from the start; new ones are numbered from `thing`.
  void set_first_new(std::uint64_t thing) { first_new_ = thing; }

  void read(Plan& plan, StoreKey key) { add(plan, {.asked = {.write = false, .key = key}}); }
  // Reads, in `space`, the thing whose number the previous operation returned.
  void read_what_it_names(Plan& plan, Space space) {
    add(plan, {.asked = {.write = false, .key = key(space, 0)},
               .from = plan.steps.size() - 1,
               .stride = keys_of(1)});
  }
  void write(Plan& plan, StoreKey key, std::int64_t value) {
    add(plan, {.asked = {.write = true, .key = key, .value = value}});
  }
  void write(Plan& plan, StoreKey key) { write(plan, key, next_value(key)); }

  static void add(Plan& plan, Step step) {
    plan.steps.push_back(step);
    plan.operations = plan.steps.size();
  }
  std::size_t space_of(StoreKey key) const { return key.index() % (spaces_.size() + 1); }
  std::uint64_t thing_of(StoreKey key) const { return key.index() / (spaces_.size() + 1); }
  virtual std::string thing_name(Space, std::uint64_t thing) const { return std::to_string(thing); }

  Random random_;

 private:
  const std::vector<std::string_view> spaces_;  // and one more, without a name, for new_key()
  const WorkloadClient client_;
  std::uint64_t first_new_ = 1;
  std::uint64_t given_ = 0, planted_ = 0;
};

std::unique_ptr<Workload> make_twitter(const GeneratorOptions& options, std::uint64_t seed,
                                       WorkloadClient client);
std::unique_ptr<Workload> make_rubis(const GeneratorOptions& options, std::uint64_t seed,
                                     WorkloadClient client);
std::unique_ptr<Workload> make_smallbank(const GeneratorOptions& options, std::uint64_t seed,
                                         WorkloadClient client);
std::unique_ptr<Workload> make_tpcc(const GeneratorOptions& options, std::uint64_t seed,
                                    WorkloadClient client);

}  // namespace assay
