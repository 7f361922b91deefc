// TPC-C: a wholesaler's warehouses, with ten districts each, in the tables of the specification.
//
//     45 %  New-Order     takes the district's next order number, enters the order with 5 to 15 lines,
//                         changes stock
//     43 %  Payment       changes the balances of warehouse, district and customer, writes history
//      4 %  Order-Status  a customer's balance, and the newest order of the district with its lines
//      4 %  Delivery      the oldest undelivered order of one district, if there is one
//      4 %  Stock-Level   the stock of the items in the newest orders
//
// A key is a column of a row: d_next_o_id:1:3 is that of warehouse 1, district 3. Order numbers, customers
// and items have their real values. Other values are new numbers, so that every read has one candidate
// writer. Where the specification uses a predicate, this workload looks rows up by number: the oldest
// undelivered order (MIN) is a counter of the district, the newest order (MAX) is the one before the next,
// and a delivered order stays in new_order with a mark.
#include <fmt/format.h>

#include "simulate/shaped.h"

namespace assay {
namespace {

constexpr std::size_t kDistricts = 10, kFewestLines = 5, kMostLines = 15, kItemsOfACustomer = 10;
constexpr std::size_t kNewestOrders = 4;  // how many orders Stock-Level reads

// In the order of the tables below.
enum Column : std::size_t {
  kWTax,
  kWYtd,
  kDYtd,
  kDNextOrder,
  kDNextDelivery,
  kCDiscount,
  kCBalance,
  kHAmount,
  kOCustomer,
  kOCarrier,
  kNoDelivered,
  kOlItem,
  kOlDelivered,
  kIPrice,
  kSQuantity,
  kColumns
};

const std::vector<std::string_view> kNames{"w_tax",           "w_ytd",        "d_ytd",        "d_next_o_id",
                                           "d_next_delivery", "c_discount",   "c_balance",    "h_amount",
                                           "o_c_id",          "o_carrier_id", "no_delivered", "ol_i_id",
                                           "ol_delivery",     "i_price",      "s_quantity"};

// The numbers of rows, counted from 0.
struct Sizes {
  std::size_t warehouses, customers, items;

  std::uint64_t districts() const { return warehouses * kDistricts; }
  std::uint64_t customer(std::uint64_t district, std::uint64_t c) const { return district * customers + c; }
  std::uint64_t order(std::uint64_t district, std::uint64_t o) const { return o * districts() + district; }
  static std::uint64_t line(std::uint64_t order, std::uint64_t n) { return order * kMostLines + n; }
  std::uint64_t stock(std::uint64_t warehouse, std::uint64_t item) const { return warehouse * items + item; }

  // The primary key of a row, counted from 1.
  std::vector<std::int64_t> row(std::size_t column, std::uint64_t thing) const {
    const auto number = [](std::uint64_t n) { return static_cast<std::int64_t>(n + 1); };
    const auto in_district = [&](std::uint64_t district, std::int64_t last) {
      return std::vector{number(district / kDistricts), number(district % kDistricts), last};
    };
    if (column <= kWYtd || column == kHAmount || column == kIPrice) return {number(thing)};
    if (column <= kDNextDelivery) return {number(thing / kDistricts), number(thing % kDistricts)};
    if (column <= kCBalance) return in_district(thing / customers, number(thing % customers));
    if (column == kSQuantity) return {number(thing / items), number(thing % items)};
    const std::uint64_t order = column >= kOlItem ? thing / kMostLines : thing;
    auto row = in_district(order % districts(), number(order / districts()));
    if (column >= kOlItem) row.push_back(number(thing % kMostLines));
    return row;
  }
};

class TpccTables final : public TableLayout {
 public:
  explicit TpccTables(const Sizes& sizes)
      : sizes_(sizes),
        tables_{{"warehouse", {"w_id"}, {"w_tax", "w_ytd"}, {sizes.warehouses}, 1},
                {"district",
                 {"d_w_id", "d_id"},
                 {"d_ytd", "d_next_o_id", "d_next_delivery"},
                 {sizes.warehouses, kDistricts},
                 1},
                {"customer",
                 {"c_w_id", "c_d_id", "c_id"},
                 {"c_discount", "c_balance"},
                 {sizes.warehouses, kDistricts, sizes.customers},
                 1},
                {"history", {"h_id"}, {"h_amount"}, {0}, 1},
                {"oorder", {"o_w_id", "o_d_id", "o_id"}, {"o_c_id", "o_carrier_id"}, {0, 0, 0}, 1},
                {"new_order", {"no_w_id", "no_d_id", "no_o_id"}, {"no_delivered"}, {0, 0, 0}, 1},
                {"order_line",
                 {"ol_w_id", "ol_d_id", "ol_o_id", "ol_number"},
                 {"ol_i_id", "ol_delivery"},
                 {0, 0, 0, 0},
                 1},
                {"item", {"i_id"}, {"i_price"}, {sizes.items}, 1},
                {"stock", {"s_w_id", "s_i_id"}, {"s_quantity"}, {sizes.warehouses, sizes.items}, 1}} {}

  std::span<const Table> tables() const override { return tables_; }
  Cell cell(StoreKey key) const override {
    Cell cell{key.index() % (kColumns + 1), {}};
    std::ranges::copy(sizes_.row(cell.column, key.index() / (kColumns + 1)), cell.row.begin());
    return cell;
  }

 private:
  const Sizes sizes_;
  const std::vector<Table> tables_;
};

class Tpcc final : public ShapedWorkload {
 public:
  Tpcc(const GeneratorOptions& options, std::uint64_t seed, WorkloadClient client)
      : ShapedWorkload(kNames, seed, client),
        sizes_{options.warehouses, options.keys, options.keys * kItemsOfACustomer},
        customers_(options) {}

  Plan next_transaction() override {
    Plan plan;
    const std::uint64_t kind = random_.below(100), district = random_.below(sizes_.districts());
    const std::uint64_t customer = sizes_.customer(district, customers_.draw(random_));
    if (kind < 45) new_order(plan, district, customer);
    else if (kind < 88) payment(plan, district, customer);
    else if (kind < 92) order_status(plan, district, customer);
    else if (kind < 96) delivery(plan, district);
    else stock_level(plan, district);
    return plan;
  }

  std::size_t initial_keys() const override { return 0; }
  std::shared_ptr<const TableLayout> layout() const override { return std::make_shared<TpccTables>(sizes_); }

 private:
  std::string thing_name(Space column, std::uint64_t thing) const override {
    std::string text;
    for (const std::int64_t part : sizes_.row(column, thing))
      text += (text.empty() ? "" : ":") + std::to_string(part);
    return text;
  }

  void change(Plan& plan, StoreKey key) {
    read(plan, key);
    write(plan, key);
  }
  // Reads a counter and increments it. Returns the index of the read.
  std::size_t take_number(Plan& plan, StoreKey counter) {
    read(plan, counter);
    const std::size_t taken = plan.steps.size() - 1;
    add(plan, {.asked = {.write = true, .key = counter}, .from = taken, .counts = true});
    return taken;
  }
  // Reads a column of the order, or of one of its lines, whose number operation `number` read; or of the
  // order that comes `before` orders earlier.
  Step of_order(std::size_t number, Column column, std::uint64_t district, std::int64_t before = 0) const {
    return {.asked = {.write = false, .key = key(column, sizes_.order(district, 0))},
            .from = number,
            .shift = -before,
            .stride = keys_of(sizes_.districts())};
  }
  Step of_line(std::size_t number, Column column, std::uint64_t district, std::uint64_t line,
               std::int64_t before = 0) const {
    return {.asked = {.write = false, .key = key(column, Sizes::line(sizes_.order(district, 0), line))},
            .from = number,
            .shift = -before,
            .stride = keys_of(sizes_.districts() * kMostLines)};
  }
  static Step writing(Step step, std::int64_t value) {
    step.asked.write = true;
    step.asked.value = value;
    return step;
  }

  void new_order(Plan& plan, std::uint64_t district, std::uint64_t customer) {
    const std::uint64_t warehouse = district / kDistricts;
    read(plan, key(kWTax, warehouse));
    read(plan, key(kCDiscount, customer));
    const std::size_t number = take_number(plan, key(kDNextOrder, district));
    add(plan, writing(of_order(number, kOCustomer, district), as_value(customer % sizes_.customers)));
    add(plan, writing(of_order(number, kNoDelivered, district), next_value({})));
    const std::uint64_t lines = kFewestLines + random_.below(kMostLines - kFewestLines + 1);
    for (std::uint64_t n = 0; n < lines; ++n) {
      const std::uint64_t item = random_.below(sizes_.items);
      read(plan, key(kIPrice, item));
      change(plan, key(kSQuantity, sizes_.stock(warehouse, item)));
      add(plan, writing(of_line(number, kOlItem, district, n), as_value(item)));
    }
  }

  void payment(Plan& plan, std::uint64_t district, std::uint64_t customer) {
    change(plan, key(kWYtd, district / kDistricts));
    change(plan, key(kDYtd, district));
    change(plan, key(kCBalance, customer));
    write(plan, key(kHAmount, new_thing()));
  }

  void order_status(Plan& plan, std::uint64_t district, std::uint64_t customer) {
    read(plan, key(kCBalance, customer));
    read(plan, key(kDNextOrder, district));
    const std::size_t number = plan.steps.size() - 1;
    add(plan, of_order(number, kOCustomer, district, 1));
    add(plan, of_order(number, kOCarrier, district, 1));
    for (std::uint64_t n = 0; n < kFewestLines; ++n) {
      add(plan, of_line(number, kOlItem, district, n, 1));
      add(plan, of_line(number, kOlDelivered, district, n, 1));
    }
  }

  void delivery(Plan& plan, std::uint64_t district) {
    read(plan, key(kDNextOrder, district));
    read(plan, key(kDNextDelivery, district));
    const std::size_t number = plan.steps.size() - 1;
    add(plan, {.asked = {.write = true, .key = key(kDNextDelivery, district)},
               .from = number,
               .counts = true,
               .ends_when_same = true});
    add(plan, writing(of_order(number, kNoDelivered, district), next_value({})));
    add(plan, of_order(number, kOCustomer, district));
    const std::size_t customer = plan.steps.size() - 1;
    add(plan, writing(of_order(number, kOCarrier, district), next_value({})));
    for (std::uint64_t n = 0; n < kFewestLines; ++n) {
      add(plan, of_line(number, kOlItem, district, n));
      add(plan, writing(of_line(number, kOlDelivered, district, n), next_value({})));
    }
    const Step balance{.asked = {.write = false, .key = key(kCBalance, sizes_.customer(district, 0))},
                       .from = customer,
                       .shift = -1,
                       .stride = keys_of(1)};
    add(plan, balance);
    add(plan, writing(balance, next_value({})));
  }

  void stock_level(Plan& plan, std::uint64_t district) {
    const StoreKey stock = key(kSQuantity, sizes_.stock(district / kDistricts, 0));
    read(plan, key(kDNextOrder, district));
    for (std::size_t order = 1; order <= kNewestOrders; ++order)
      for (std::uint64_t n = 0; n < kFewestLines; ++n) {
        add(plan, of_line(0, kOlItem, district, n, static_cast<std::int64_t>(order)));
        add(plan, {.asked = {.write = false, .key = stock},
                   .from = plan.steps.size() - 1,
                   .shift = -1,
                   .stride = keys_of(1)});
      }
  }

  // A customer or an item as a value; 0 means that there is none.
  static std::int64_t as_value(std::uint64_t thing) { return static_cast<std::int64_t>(thing + 1); }

  const Sizes sizes_;
  KeyDistribution customers_;
};

}  // namespace

std::unique_ptr<Workload> make_tpcc(const GeneratorOptions& options, std::uint64_t seed,
                                    WorkloadClient client) {
  return std::make_unique<Tpcc>(options, seed, client);
}

}  // namespace assay
