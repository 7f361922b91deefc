// The auction site RUBiS: users with ratings in regions, items, what was bought, comments.
//
//     10 %  register user  R region, nick and user; W nick, user and rating
//     15 %  register item  R user, W item
//     15 %  buy now        R and W item, W buy
//     20 %  comment        W comment, R user, W rating; popular users get more of them
//     40 %  browse         R 5 items, R 3 ratings
//
// There are four items for each user.
#include "simulate/shaped.h"

namespace assay {
namespace {

constexpr std::size_t kRegions = 62, kItemsPerUser = 4, kBrowsedItems = 5, kBrowsedRatings = 3;
constexpr double kPopularity = 0.99;  // zipf exponent

class Rubis final : public ShapedWorkload {
 public:
  Rubis(const GeneratorOptions& options, std::uint64_t seed, WorkloadClient client)
      : ShapedWorkload({"user", "nick", "rating", "region", "item", "buy", "comment"}, seed, client),
        users_(options.keys),
        popular_(users_, kPopularity) {
    set_first_new(users_ * kItemsPerUser + kRegions);
  }

  Plan next_transaction() override {
    Plan plan;
    const std::uint64_t kind = random_.below(20);
    if (kind < 2) register_user(plan);
    else if (kind < 5) register_item(plan);
    else if (kind < 8) buy_now(plan);
    else if (kind < 12) comment(plan);
    else browse(plan);
    return plan;
  }

  std::size_t initial_keys() const override { return keys_of(users_); }

 private:
  enum : Space { kUser, kNick, kRating, kRegion, kItem, kBuy, kComment };

  StoreKey some(Space space, std::uint64_t things) { return key(space, random_.below(things)); }
  StoreKey some_item() { return some(kItem, users_ * kItemsPerUser); }
  StoreKey popular(Space space) { return key(space, popular_.draw(random_)); }

  void register_user(Plan& plan) {
    const std::uint64_t user = new_thing();
    read(plan, some(kRegion, kRegions));
    read(plan, key(kNick, user));
    read(plan, key(kUser, user));
    write(plan, key(kNick, user));
    write(plan, key(kUser, user));
    write(plan, key(kRating, user));
  }

  void register_item(Plan& plan) {
    read(plan, some(kUser, users_));
    write(plan, key(kItem, new_thing()));
  }

  void buy_now(Plan& plan) {
    const StoreKey item = some_item();
    read(plan, item);
    write(plan, item);
    write(plan, key(kBuy, new_thing()));
  }

  void comment(Plan& plan) {
    const std::uint64_t user = popular_.draw(random_);
    write(plan, key(kComment, new_thing()));
    read(plan, key(kUser, user));
    write(plan, key(kRating, user));
  }

  void browse(Plan& plan) {
    for (std::size_t i = 0; i < kBrowsedItems; ++i) read(plan, some_item());
    for (std::size_t i = 0; i < kBrowsedRatings; ++i) read(plan, popular(kRating));
  }

  const std::size_t users_;
  Zipf popular_;
};

}  // namespace

std::unique_ptr<Workload> make_rubis(const GeneratorOptions& options, std::uint64_t seed,
                                     WorkloadClient client) {
  return std::make_unique<Rubis>(options, seed, client);
}

}  // namespace assay
