#include "collect/url.h"

#include <gmock/gmock.h>

namespace assay::test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Url, HasTheUsualParts) {
  const auto url = parse_url("mariadb://joe:s%40cret@db.example:3307/shop?socket=%2Frun%2Fm.sock&tls=on");
  ASSERT_TRUE(url);
  EXPECT_EQ(url->scheme, "mariadb");
  EXPECT_EQ(url->user, "joe");
  EXPECT_EQ(url->password, "s@cret");
  EXPECT_EQ(url->host, "db.example");
  EXPECT_EQ(url->port, "3307");
  EXPECT_EQ(url->path, "shop");
  EXPECT_EQ(url->option("socket"), "/run/m.sock");
  EXPECT_EQ(url->option("none"), "");
}

TEST(Url, MayBeAPathOnly) {
  const auto url = parse_url("sqlite:some/file.db?journal=delete");
  ASSERT_TRUE(url);
  EXPECT_EQ(url->path, "some/file.db");
  EXPECT_EQ(url->option("journal"), "delete");
  EXPECT_EQ(parse_url("sqlite:")->path, "");
  EXPECT_EQ(parse_url("sqlite:///a/b.db")->path, "/a/b.db");
  EXPECT_EQ(parse_url("postgresql://[::1]:5433/x")->host, "[::1]");
  EXPECT_EQ(parse_url("postgresql://[::1]:5433/x")->port, "5433");
}

TEST(Url, RefusesWhatIsNone) {
  EXPECT_THAT(parse_url("postgres").error().describe(), HasSubstr("is no database URL"));
  EXPECT_THAT(parse_url("mysql://a%zz@b/").error().describe(), HasSubstr("hexadecimal"));
}

TEST(Url, IsShownWithoutThePassword) {
  for (const char* text : {"postgresql://joe:hunter2@host/db", "postgresql://joe:hunter2@host:5432/db?x=y",
                           "postgresql://joe@host/db?password=hunter2&x=y",
                           "mariadb://joe:p:hunter2@x@host/db", "mysql://:hunter2@host"}) {
    const auto url = parse_url(text);
    ASSERT_TRUE(url) << text;
    EXPECT_THAT(url->shown, Not(HasSubstr("hunter2")));
    EXPECT_THAT(url->shown, HasSubstr("***"));
    EXPECT_THAT(url->password, HasSubstr("hunter2"));
    EXPECT_EQ(parse_url("sqlite:x")->shown, "sqlite:x");
  }
}

TEST(HidePassword, LeavesOtherTextAsItIs) {
  EXPECT_EQ(hide_password("assay run --db 'postgresql://joe:a@h/d' --check si"),
            "assay run --db 'postgresql://joe:***@h/d' --check si");
  EXPECT_EQ(hide_password("see https://example.org/a:b@c"), "see https://example.org/a:b@c");
  EXPECT_EQ(hide_password("postgresql://host:5432/db"), "postgresql://host:5432/db");
  EXPECT_EQ(hide_password("mail joe:x@y"), "mail joe:x@y");
  EXPECT_EQ(hide_password(""), "");
}

}  // namespace
}  // namespace assay::test
