#include "serve/guard.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/file.h"
#include "support/message_of.h"
#include "support/run_fixture.h"

namespace vic {
namespace {

constexpr const char* token = "0123456789abcdef0123456789abcdef";

HttpRequest request(NamedValues headers, const std::string& said = token) {
  return {.method = "GET",
          .path = "/",
          .query = {{"token", said}},
          .headers = std::move(headers),
          .body = ""};
}

TEST(Guard, OwnPagesWithTheTokenPass) {
  const Guard guard(token, 8123);
  EXPECT_FALSE(guard.refuse(request({{"host", "127.0.0.1:8123"}})));
  EXPECT_FALSE(guard.refuse(request({{"host", "localhost:8123"}})));
  EXPECT_FALSE(guard.refuse(request({{"host", "127.0.0.1:8123"},
                                     {"origin", "http://127.0.0.1:8123"},
                                     {"sec-fetch-site", "same-origin"}})));
}

TEST(Guard, OtherHostsOriginsAndTokensAreRefused) {
  const Guard guard(token, 8123);
  const std::vector<HttpRequest> strangers = {
      request({}),
      request({{"host", "127.0.0.1"}}),
      request({{"host", "127.0.0.1:8124"}}),
      request({{"host", "evil.example:8123"}}),
      request({{"host", "127.0.0.1:8123"}, {"origin", "http://evil.example"}}),
      request({{"host", "127.0.0.1:8123"}, {"origin", "null"}}),
      // the other name of this machine is another origin
      request({{"host", "127.0.0.1:8123"}, {"origin", "http://localhost:8123"}}),
      request({{"host", "127.0.0.1:8123"}, {"sec-fetch-site", "cross-site"}}),
      request({{"host", "127.0.0.1:8123"}, {"sec-fetch-site", "same-site"}}),
      request({{"host", "127.0.0.1:8123"}}, ""),
      request({{"host", "127.0.0.1:8123"}}, "0123456789abcdef0123456789abcdee"),
      request({{"host", "127.0.0.1:8123"}}, std::string(token) + "0"),
  };
  for (std::size_t i = 0; i < strangers.size(); ++i) {
    const auto answer = guard.refuse(strangers[i]);
    ASSERT_TRUE(answer) << i;
    EXPECT_EQ(answer->status, 403) << i;
    EXPECT_EQ(answer->body.find(token), std::string::npos) << i;
  }
  HttpRequest none = request({{"host", "127.0.0.1:8123"}});
  none.query.clear();
  EXPECT_TRUE(guard.refuse(none));
}

TEST(Guard, TokensAreNeverTheSame) {
  EXPECT_EQ(random_token().size(), 32u);
  EXPECT_NE(random_token(), random_token());
}

TEST(Guard, KeptTokenIsItsOwnersAlone) {
  const FixtureFolder folder("kept-token");
  const std::string path = folder / "token";
  const std::string first = kept_token(path);
  EXPECT_EQ(kept_token(path), first);
  struct stat status = {};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  ASSERT_EQ(::chmod(path.c_str(), 0644), 0);
  EXPECT_NE(message_of([&] { kept_token(path); }).find("chmod 600"), std::string::npos);
  write_file(path, "short\n");
  ASSERT_EQ(::chmod(path.c_str(), 0600), 0);
  EXPECT_NE(message_of([&] { kept_token(path); }).find("no token"), std::string::npos);
}

TEST(Guard, SecretsAreComparedAsAWhole) {
  EXPECT_TRUE(same_secret("", ""));
  EXPECT_TRUE(same_secret("abc", "abc"));
  EXPECT_FALSE(same_secret("abc", "abd"));
  EXPECT_FALSE(same_secret("abc", "ab"));
}

}  // namespace
}  // namespace vic
