#include "serve/live_page.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "base/file.h"
#include "serve/guard.h"
#include "serve/serve.h"
#include "support/run_fixture.h"

namespace vic {
namespace {

HttpRequest get(const std::string& path, NamedValues query = {}) {
  return {.method = "GET", .path = path, .query = std::move(query), .headers = {}, .body = ""};
}

// a folder of two runs, and its page
struct LivePageOfTwo : testing::Test {
  FixtureFolder folder{testing::UnitTest::GetInstance()->current_test_info()->name()};
  LivePageOfTwo() {
    write_fixture(folder / "a", {.seed = 1, .H = 1.6});
    write_fixture(folder / "b/c", {.seed = 2, .H = 1.7});
  }
  LiveOptions options() { return {folder.path(), "/bin/false", "0.0"}; }
};

TEST_F(LivePageOfTwo, PageHasTheRunsAndScriptsOfOneNonce) {
  LivePage page(options());
  const HttpResponse answer = page.handle(get("/"));
  EXPECT_EQ(answer.status, 200);
  EXPECT_NE(answer.body.find("\"name\":\"b/c\""), std::string::npos);
  std::string policy;
  for (const auto& [name, value] : answer.headers) {
    if (name == "Content-Security-Policy") policy = value;
  }
  const std::size_t nonce = policy.find("'nonce-");
  ASSERT_NE(nonce, std::string::npos);
  EXPECT_NE(answer.body.find("nonce=\"" + policy.substr(nonce + 7, 32)), std::string::npos);
  EXPECT_NE(policy.find("default-src 'none'"), std::string::npos);
  EXPECT_EQ(policy.substr(policy.find("script-src"), 40).find("unsafe"), std::string::npos);
  EXPECT_NE(page.handle(get("/")).headers, answer.headers) << "the nonce is used once";
}

TEST_F(LivePageOfTwo, StreamBeginsWithEverything) {
  LivePage page(options());
  const HttpResponse answer = page.handle(get("/events"));
  EXPECT_TRUE(answer.stream);
  EXPECT_EQ(answer.type, "text/event-stream");
  EXPECT_NE(answer.body.find("\"all\":true"), std::string::npos);
  EXPECT_NE(answer.body.find("\"name\":\"a\""), std::string::npos);
}

TEST_F(LivePageOfTwo, NewsAreWhatChanged) {
  LivePage page(options());
  write_fixture(folder / "d", {.seed = 3, .H = 1.8});
  const std::string news = page.news();
  EXPECT_NE(news.find("\"name\":\"d\""), std::string::npos) << news;
  EXPECT_EQ(news.find("\"name\":\"a\""), std::string::npos) << news;
  EXPECT_EQ(page.news(), "") << "not again at once";
}

TEST_F(LivePageOfTwo, SectionIsTheReportsAndKnowsItsRuns) {
  LivePage page(options());
  const HttpResponse answer = page.handle(get("/section", {{"run", "a"}}));
  ASSERT_EQ(answer.status, 200) << answer.body;
  const Json json = Json::parse(answer.body);
  EXPECT_NE(json["html"].get<std::string>().find("Control and chance"), std::string::npos);
  EXPECT_EQ(json["runs"].size(), 2u);
  EXPECT_EQ(json["charts"]["charts"].size(), 1u);
}

TEST_F(LivePageOfTwo, OfManySeriesTheOneThatIsLookedAtIsDrawn) {
  for (int i = 0; i < 10; ++i) {
    write_fixture(folder / fmt::format("m{}", i), {.more = fmt::format("batch = {}\n", 10 + i)});
  }
  LivePage page(options());
  for (const char* name : {"a", "m0", "m9"}) {
    const Json json = Json::parse(page.handle(get("/section", {{"run", name}})).body);
    EXPECT_NE(json["html"].get<std::string>().find("8 of 11 series"), std::string::npos) << name;
    EXPECT_NE(json["runs"].dump().find(folder / name), std::string::npos) << name;
  }
}

TEST_F(LivePageOfTwo, NamesThatWereNotFoundBelowTheFolderAreRefused) {
  LivePage page(options());
  for (const char* path : {"/section", "/stop", "/resume"}) {
    for (const char* name : {"", "../a", "/etc", "b", "a/", "./a"}) {
      HttpRequest request = get(path, {{"run", name}});
      if (request.path != "/section") request.method = "POST";
      EXPECT_EQ(page.handle(request).status, 400) << path << " " << name;
    }
  }
}

TEST_F(LivePageOfTwo, FinishedRunsAreNeitherStoppedNorResumed) {
  LivePage page(options());
  for (const char* path : {"/stop", "/resume"}) {
    HttpRequest request = get(path, {{"run", "a"}});
    request.method = "POST";
    EXPECT_EQ(page.handle(request).status, 409) << path;
    // requests that change something are never GET
    EXPECT_EQ(page.handle(get(path, {{"run", "a"}})).status, 404) << path;
  }
}

TEST_F(LivePageOfTwo, WrongStartsAreRefusedWithASentence) {
  LivePage page(options());
  HttpRequest request = get("/start");
  request.method = "POST";
  for (const char* body :
       {"", "[]", "{\"world\":\"lime\"}", "{\"world\":\"line\",\"name\":\"a\"}"}) {
    request.body = body;
    const HttpResponse answer = page.handle(request);
    EXPECT_EQ(answer.status, 400) << body;
    EXPECT_FALSE(Json::parse(answer.body)["error"].get<std::string>().empty()) << body;
  }
}

TEST_F(LivePageOfTwo, TrainingThatFailsIsReported) {
  LivePage page(options());  // whose program fails
  HttpRequest request = get("/start");
  request.method = "POST";
  request.body = "{\"world\":\"line\",\"name\":\"new\"}";
  ASSERT_EQ(page.handle(request).status, 200);
  siginfo_t info = {};
  ASSERT_EQ(::waitid(P_ALL, 0, &info, WEXITED | WNOWAIT), 0);
  const std::string news = page.news();
  EXPECT_NE(news.find("\"name\":\"new\",\"code\":1"), std::string::npos) << news;
}

TEST_F(LivePageOfTwo, StrangersGetNothingOfIt) {
  LivePage page(options());
  const Guard guard("0123456789abcdef0123456789abcdef", 80);
  const HttpResponse answer = vic::answer(get("/"), guard, page);
  EXPECT_EQ(answer.status, 403);
  EXPECT_EQ(answer.body.find("line"), std::string::npos);
}

}  // namespace
}  // namespace vic
