// SmallBank: customers with a checking and a savings account, and six equally frequent transactions.
//
//     Balance          R savings, R checking
//     DepositChecking  R and W checking
//     TransactSavings  R and W savings
//     Amalgamate       moves all money of one customer to another's checking account
//     WriteCheck       R savings, R and W checking
//     SendPayment      moves money from one checking account to another
//
// Balance, WriteCheck and TransactSavings together can violate serializability under snapshot isolation. A
// write gives a new number instead of a balance, so that every read has one candidate writer.
#include "simulate/shaped.h"

namespace assay {
namespace {

class Smallbank final : public ShapedWorkload {
 public:
  Smallbank(const GeneratorOptions& options, std::uint64_t seed, WorkloadClient client)
      : ShapedWorkload({"checking", "savings"}, seed, client),
        customers_(options.keys),
        distribution_(options) {}

  Plan next_transaction() override {
    Plan plan;
    const std::uint64_t from = distribution_.draw(random_), to = another_than(from);
    switch (random_.below(6)) {
      case 0: look(plan, from, kSavings), look(plan, from, kChecking); break;
      case 1: change(plan, from, kChecking); break;
      case 2: change(plan, from, kSavings); break;
      case 3: amalgamate(plan, from, to); break;
      case 4: look(plan, from, kSavings), change(plan, from, kChecking); break;
      default: send_payment(plan, from, to);
    }
    return plan;
  }

  std::size_t initial_keys() const override { return keys_of(customers_); }

 private:
  enum : Space { kChecking, kSavings };

  std::uint64_t another_than(std::uint64_t customer) {
    if (customers_ == 1) return customer;
    std::uint64_t other = customer;
    while (other == customer) other = distribution_.draw(random_);
    return other;
  }

  void look(Plan& plan, std::uint64_t customer, Space account) { read(plan, key(account, customer)); }
  void put(Plan& plan, std::uint64_t customer, Space account) { write(plan, key(account, customer)); }
  void change(Plan& plan, std::uint64_t customer, Space account) {
    look(plan, customer, account);
    put(plan, customer, account);
  }

  void amalgamate(Plan& plan, std::uint64_t from, std::uint64_t to) {
    look(plan, from, kSavings);
    look(plan, from, kChecking);
    put(plan, from, kSavings);
    put(plan, from, kChecking);
    change(plan, to, kChecking);
  }

  void send_payment(Plan& plan, std::uint64_t from, std::uint64_t to) {
    look(plan, from, kChecking);
    look(plan, to, kChecking);
    put(plan, from, kChecking);
    put(plan, to, kChecking);
  }

  const std::size_t customers_;
  KeyDistribution distribution_;
};

}  // namespace

std::unique_ptr<Workload> make_smallbank(const GeneratorOptions& options, std::uint64_t seed,
                                         WorkloadClient client) {
  return std::make_unique<Smallbank>(options, seed, client);
}

}  // namespace assay
