// Transaction programs over one table of accounts, for the tests of what analyses them.
#pragma once

#include <string_view>

namespace assay::test {

constexpr std::string_view kAccounts = "CREATE TABLE account (id int PRIMARY KEY, balance int NOT NULL);\n";
constexpr std::string_view kWithdrawal = R"(-- transaction: withdraw(id int, amount int)
SELECT balance FROM account WHERE id = :id;
UPDATE account SET balance = :amount WHERE id = :id;
)";
constexpr std::string_view kSwap = R"(-- transaction: swap(a int, b int)
SELECT balance AS v FROM account WHERE id = :a
\gset
UPDATE account SET balance = :v WHERE id = :b;
)";

}  // namespace assay::test
