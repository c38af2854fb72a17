#include "serve/http.h"

#include <gtest/gtest.h>

namespace vic {
namespace {

const std::string whole =
    "POST /stop?run=a%2Fb+c&token=1 HTTP/1.1\r\nHost: 127.0.0.1:80\r\nContent-Length: 3\r\n\r\nabc";

TEST(Http, RequestIsReadWithItsParametersHeadersAndBody) {
  const ReadRequest read = read_request(whole + "GET /");
  ASSERT_TRUE(read.request);
  EXPECT_EQ(read.length, whole.size());
  EXPECT_EQ(read.request->method, "POST");
  EXPECT_EQ(read.request->path, "/stop");
  EXPECT_EQ(*read.request->parameter("run"), "a/b c");
  EXPECT_EQ(*read.request->parameter("token"), "1");
  EXPECT_EQ(read.request->parameter("other"), nullptr);
  EXPECT_EQ(*read.request->header("host"), "127.0.0.1:80");
  EXPECT_EQ(read.request->body, "abc");
}

TEST(Http, EveryBeginningOfARequestIsIncomplete) {
  for (std::size_t n = 0; n < whole.size(); ++n) {
    const ReadRequest read = read_request(whole.substr(0, n));
    EXPECT_FALSE(read.request) << n;
    EXPECT_EQ(read.fault, 0) << n;
  }
}

TEST(Http, WhatIsNoRequestHasAFault) {
  EXPECT_EQ(read_request("GET / HTTP/1.0\r\n\r\n").fault, 400);
  EXPECT_EQ(read_request("GET http://a/ HTTP/1.1\r\n\r\n").fault, 400);
  EXPECT_EQ(read_request("\r\n\r\n").fault, 400);
  EXPECT_EQ(read_request("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n").fault, 400);
  EXPECT_EQ(read_request("POST / HTTP/1.1\r\nContent-Length: 1x\r\n\r\n").fault, 400);
  EXPECT_EQ(read_request("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n").fault, 400);
  EXPECT_EQ(read_request("POST / HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n").fault, 413);
  EXPECT_EQ(read_request("GET / HTTP/1.1\r\nA: " + std::string(longest_head, 'a')).fault, 431);
}

TEST(Http, BrokenEscapesStayAsTheyAre) {
  const ReadRequest read = read_request("GET /?a=%2&b=%zz&c=%41% HTTP/1.1\r\n\r\n");
  ASSERT_TRUE(read.request);
  EXPECT_EQ(*read.request->parameter("a"), "%2");
  EXPECT_EQ(*read.request->parameter("b"), "%zz");
  EXPECT_EQ(*read.request->parameter("c"), "A%");
}

TEST(Http, ResponseHasItsLengthUnlessItIsAStream) {
  const std::string text = response_text({.status = 404, .body = "no", .headers = {{"A", "b"}}});
  EXPECT_TRUE(text.starts_with("HTTP/1.1 404 Not Found\r\n")) << text;
  EXPECT_NE(text.find("\r\nContent-Length: 2\r\nA: b\r\n\r\nno"), text.npos) << text;
  const std::string stream = response_text({.body = "", .stream = true});
  EXPECT_EQ(stream.find("Content-Length"), stream.npos);
}

}  // namespace
}  // namespace vic
