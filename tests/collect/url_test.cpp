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
  EXPECT_EQ(url->password.reveal(), "s@cret");
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
                           "postgresql://joe@host/db?x=y&password=hunter2",
                           "mariadb://joe:p:hunter2@x@host/db", "mysql://:hunter2@host"}) {
    const auto url = parse_url(text);
    ASSERT_TRUE(url) << text;
    EXPECT_THAT(url->shown, Not(HasSubstr("hunter2")));
    EXPECT_THAT(url->shown, HasSubstr("***"));
    EXPECT_THAT(url->password.reveal(), HasSubstr("hunter2"));
    EXPECT_EQ(parse_url("sqlite:x")->shown, "sqlite:x");
  }
}

// However a password is written, no part of it is left in what is shown or in the reason for a refusal.
TEST(Url, HidesEveryPassword) {
  for (const std::string password :
       {"hunter2",    "hun'ter2",   "hun\"ter2",         "hun ter2",   "hun/ter2",
        "hun?ter2",   "hun@ter2",   "hun#ter2",          "hun%ter2",   "hun:ter2",
        "hun&ter2",   "hun=ter2",   "hun\\ter2",         "hun%2Fter2", "hun/?@ter2",
        "hun@/?ter2", "12/hunter2", "hun?password=ter2", "hun://ter2", "hun\nter2"})
    for (const std::string before : {"", "--db="})
      for (const std::string form :
           {"postgresql://joe:{}@host:5432/db", "mariadb://joe:{}@host", "mysql://:{}@host/?ssl=1",
            "postgresql://joe@host/db?password={}", "postgresql://joe@host:5432/db?password={}",
            "postgresql://joe:{}@host/db?sslcert=a@b", "postgresql://joe@host/db?sslpassword={}",
            "postgresql://h/d?P%61ssword={}", "postgresql://joe:x{}", "postgresql://joe@host:x{}",
            "postgresql:joe:{}@host", "postgresql:///joe:{}@host/db", "joe:{}@host"}) {
        // Without a host after it, @ in a password looks like the one before a host.
        if (form.ends_with("x{}") && password.find('@') != std::string::npos) continue;
        const std::string text = fmt::format(fmt::runtime(form), password);
        for (const char* part : {"hun", "ter2"}) {
          EXPECT_THAT(hide_password(before + text), Not(HasSubstr(part))) << text;
          const auto url = parse_url(text);
          if (!url) {
            EXPECT_THAT(url.error().describe(), Not(HasSubstr(part))) << text;
            continue;
          }
          for (const std::string& shown :
               {url->shown, url->user, url->host, url->port, url->path, fmt::format("{}", url->password)})
            EXPECT_THAT(shown, Not(HasSubstr(part))) << text;
          for (const auto& [name, value] : url->options)
            EXPECT_THAT(name + value, Not(HasSubstr(part))) << text;
        }
      }
}

TEST(Url, TakesAPasswordThatIsWrittenWithPercentSigns) {
  const auto url = parse_url("postgresql://joe:%27%20%2F%3F%40%23%25%3A@host/db");
  ASSERT_TRUE(url) << url.error().describe();
  EXPECT_EQ(url->password.reveal(), "' /?@#%:");
  EXPECT_EQ(url->host, "host");
  const auto option = parse_url("postgresql://joe@host/db?sslmode=disable&password=%26%20%27p@ss");
  ASSERT_TRUE(option) << option.error().describe();
  EXPECT_EQ(option->password.reveal(), "& 'p@ss");
}

TEST(Url, RefusesAPasswordWhoseEndIsNotClear) {
  EXPECT_EQ(parse_url("postgresql://joe:a/b@host/db").error().describe(),
            "postgresql://joe:***@host/db: it is not clear where the password ends (write / in a password as "
            "%2F and ? as "
            "%3F, and @ outside of it as %40)");
  EXPECT_EQ(parse_url("postgresql://h/d?password=a&b=c").error().describe(),
            "postgresql://h/d?password=***: options follow the password (give the password last, with & in "
            "it as %26)");
  EXPECT_THAT(parse_url("mysql://joe:pw").error().describe(),
              HasSubstr("mysql://joe:***: the port is no number"));
  EXPECT_THAT(parse_url("mysql:joe@host").error().describe(),
              HasSubstr("begins with // (mysql://USER@HOST)"));
  EXPECT_FALSE(parse_url("mysql://joe:a%00b@host"));
}

// A secret cannot be written to a stream.
template <class T>
concept Streamed = requires(std::ostream& out, const T& value) {
  out << value;
};
static_assert(!Streamed<Secret> && Streamed<std::string>);

// What others take for an address, and people paste.
TEST(HidePassword, IsNotMisledByConnectionStrings) {
  for (const char* text :
       {"host=127.0.0.1 port=1 password=Zq7", "password='Zq7' host=h", "Server=h;Database=d;Pwd=Zq7;Port=1",
        "--db=host=h password=Zq7", "PASSWORD=Zq7", "host=h,passwd=Zq7", "host=h\tpassword=Zq7"}) {
    EXPECT_THAT(hide_password(text), Not(HasSubstr("Zq7"))) << text;
    const auto url = parse_url(text);
    ASSERT_FALSE(url.has_value()) << text;
    EXPECT_THAT(url.error().describe(), Not(HasSubstr("Zq7"))) << text;
  }
}

TEST(HidePassword, LeavesOtherWordsAsTheyAre) {
  for (const char* word :
       {"", "--db", "--db=", "--check=si,ser", "sqlite:", "sqlite:a@b:c.db", "sqlite:/a/b@c?journal=delete",
        "postgresql://host:5432/db", "postgresql://joe@host/db", "postgresql://[::1]:5433/x",
        "postgresql://joe@[::1]/x", "postgresql:///postgres?host=/tmp/a&user=assay", "simulated:si",
        "h.jsonl", "start:postgres", "FILE.spec:LEVEL"})
    EXPECT_EQ(hide_password(word), word);
  EXPECT_EQ(hide_password("--db=postgresql://joe:a@h/d"), "--db=postgresql://joe:***@h/d");
}

}  // namespace
}  // namespace assay::test
