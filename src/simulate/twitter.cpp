// A small Twitter: tweets, the last tweet of each user, who follows whom.
//
//     20 %  tweet        W tweet, W last
//     40 %  follow       W followers, W following, R and W followlist
//     10 %  timeline     R followlist, then up to 20 times R last and R the tweet that it names
//     10 %  show follow  R followers, R following
//     20 %  show tweets  R last, R 11 tweets: the one that it names and earlier ones
//
// A value cannot hold a list, so the users on a timeline are drawn at random, like the users to follow.
#include <algorithm>

#include "simulate/shaped.h"

namespace assay {
namespace {

constexpr double kActing = 0.5, kFollowed = 0.99;  // zipf exponents
constexpr std::size_t kLongestTimeline = 20, kOlderTweets = 10, kRemembered = 1000;

class Twitter final : public ShapedWorkload {
 public:
  Twitter(const GeneratorOptions& options, std::uint64_t seed, WorkloadClient client)
      : ShapedWorkload({"tweet", "last", "followers", "following", "followlist"}, seed, client),
        users_(options.keys),
        acting_(users_, kActing),
        followed_(users_, kFollowed) {}

  Plan next_transaction() override {
    Plan plan;
    const std::uint64_t user = acting_.draw(random_), kind = random_.below(10);
    if (kind < 2) tweet(plan, user);
    else if (kind < 6) follow(plan, user);
    else if (kind < 7) timeline(plan, user);
    else if (kind < 8) show_follow(plan, user);
    else show_tweets(plan, user);
    return plan;
  }

  std::size_t initial_keys() const override { return keys_of(users_); }

 private:
  enum : Space { kTweet, kLast, kFollowers, kFollowing, kFollowlist };

  void tweet(Plan& plan, std::uint64_t user) {
    const std::uint64_t id = new_thing();
    if (tweets_.size() < kRemembered) tweets_.push_back(id);
    else tweets_[random_.below(kRemembered)] = id;
    write(plan, key(kTweet, id));
    write(plan, key(kLast, user), static_cast<std::int64_t>(id));
  }

  void follow(Plan& plan, std::uint64_t user) {
    write(plan, key(kFollowers, followed_.draw(random_)));
    write(plan, key(kFollowing, user));
    read(plan, key(kFollowlist, user));
    write(plan, key(kFollowlist, user));
  }

  void timeline(Plan& plan, std::uint64_t user) {
    read(plan, key(kFollowlist, user));
    for (std::uint64_t shown = 1 + random_.below(kLongestTimeline); shown > 0; --shown) {
      read(plan, key(kLast, followed_.draw(random_)));
      read_what_it_names(plan, kTweet);
    }
  }

  void show_follow(Plan& plan, std::uint64_t user) {
    read(plan, key(kFollowers, user));
    read(plan, key(kFollowing, user));
  }

  // Earlier tweets of this client take the place of the user's earlier tweets.
  void show_tweets(Plan& plan, std::uint64_t user) {
    read(plan, key(kLast, user));
    read_what_it_names(plan, kTweet);
    for (std::size_t i = 0; i < kOlderTweets; ++i)
      read(plan, key(kTweet, tweets_.empty() ? 0 : tweets_[random_.below(tweets_.size())]));
  }

  const std::size_t users_;
  Zipf acting_, followed_;
  std::vector<std::uint64_t> tweets_;  // some of the tweets that this client wrote
};

}  // namespace

std::unique_ptr<Workload> make_twitter(const GeneratorOptions& options, std::uint64_t seed,
                                       WorkloadClient client) {
  return std::make_unique<Twitter>(options, seed, client);
}

}  // namespace assay
