#include "base/json.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace vic {
namespace {

TEST(Json, ListsOfPairsAreObjectsAndOtherListsArrays) {
  const Json object = {{"a", 1}, {"b", {1, 2}}, {"c", {{"d", nullptr}}}};
  EXPECT_EQ(object.dump(), R"({"a":1,"b":[1,2],"c":{"d":null}})");
  EXPECT_EQ((Json{1, 2.5, "x", true}).dump(), R"([1,2.5,"x",true])");
  EXPECT_EQ((Json{"a", "b"}).dump(), R"(["a","b"])");
  EXPECT_EQ((Json{{"a", "b"}, 1}).dump(), R"([["a","b"],1])");
  EXPECT_EQ((Json{{"a", std::vector<double>{0.5, 1}}}).dump(), R"({"a":[0.5,1.0]})");
  EXPECT_EQ(Json().dump(), "null");
  EXPECT_EQ(Json::array().dump(), "[]");
  EXPECT_EQ(Json::object().dump(), "{}");
}

TEST(Json, IndentsWhatIsNotEmpty) {
  const Json json = {{"a", {1, Json::array()}}, {"b", {{"c", Json::object()}}}};
  EXPECT_EQ(json.dump(2), R"({
  "a": [
    1,
    []
  ],
  "b": {
    "c": {}
  }
})");
  EXPECT_EQ(Json{1}.dump(0), "[\n1\n]");
}

TEST(Json, NumbersHaveTheDigitsThatDistinguishThem) {
  EXPECT_EQ(Json(0.1).dump(), "0.1");
  EXPECT_EQ(Json(1.0).dump(), "1.0");
  EXPECT_EQ(Json(-0.0).dump(), "-0.0");
  EXPECT_EQ(Json(1e-7).dump(), "1e-07");
  EXPECT_EQ(Json(1e300).dump(), "1e+300");
  EXPECT_EQ(Json(2.0 / 3).dump(), "0.6666666666666666");
  EXPECT_EQ(Json(std::numeric_limits<double>::infinity()).dump(), "null");
  EXPECT_EQ(Json(std::numeric_limits<double>::quiet_NaN()).dump(), "null");
  EXPECT_EQ(Json(std::numeric_limits<std::int64_t>::min()).dump(), "-9223372036854775808");
  EXPECT_EQ(Json(std::numeric_limits<std::uint64_t>::max()).dump(), "18446744073709551615");
}

TEST(Json, TextsAreEscapedAndKeepTheirLetters) {
  EXPECT_EQ(Json("\"\\/\b\f\n\r\t\x01\x7f").dump(), "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\x7f\"");
  EXPECT_EQ(Json("π^p 𝄞").dump(), "\"π^p 𝄞\"");
  EXPECT_EQ(Json::parse(R"("\u00e9\ud834\udd1e")"), "é𝄞");
}

TEST(Json, BytesThatAreNotUtf8AreRefusedOrReplaced) {
  const Json json = {{"a\xff", "\xc3"}};
  EXPECT_THROW(json.dump(), JsonError);
  EXPECT_EQ(json.dump(-1, BadUtf8::replace), "{\"a\uFFFD\":\"\uFFFD\"}");
  EXPECT_FALSE(Json::try_parse("\"\xff\""));
}

TEST(Json, MembersStayInTheirOrder) {
  Json json;
  json["z"] = 1;
  json["a"] = 2;
  json["m"] = 3;
  json["z"] = 4;
  json.update({{"a", 5}, {"b", 6}});
  EXPECT_EQ(json.dump(), R"({"z":4,"a":5,"m":3,"b":6})");
  json.erase("a");
  json.erase("not there");
  EXPECT_EQ(json.dump(), R"({"z":4,"m":3,"b":6})");
  EXPECT_EQ(json.items()[1].first, "m");
  EXPECT_EQ(Json::parse(R"({"z":1,"a":2,"z":3})").dump(), R"({"z":3,"a":2})");
}

TEST(Json, ElementsAreAddedAndVisited) {
  Json json;
  EXPECT_EQ(json.begin(), json.end());
  json.push_back({{"a", 1}})["b"] = 2;
  json.push_back("x");
  json.back() = 7;
  EXPECT_EQ(json.dump(), R"([{"a":1,"b":2},7])");
  std::size_t seen = 0;
  for (const Json& element : json) seen += element.size();
  EXPECT_EQ(seen, 3u);
  EXPECT_EQ(json.size(), 2u);
  EXPECT_TRUE(Json().empty());
  EXPECT_TRUE(Json::array().empty());
  EXPECT_FALSE(Json(0).empty());
}

TEST(Json, WhatIsMissingOrOfAnotherKindThrows) {
  const Json json = {{"a", 1}, {"b", {1, 2}}};
  EXPECT_EQ(json.find("c"), nullptr);
  EXPECT_EQ(Json(1).find("c"), nullptr);
  EXPECT_FALSE(json.contains("c"));
  EXPECT_THROW(json.at("c"), JsonError);
  EXPECT_THROW(json["c"], JsonError);
  EXPECT_THROW(json["b"][2], JsonError);
  EXPECT_THROW(json["b"]["a"], JsonError);
  EXPECT_THROW(json.begin(), JsonError);
  EXPECT_THROW(json["b"].items(), JsonError);
  EXPECT_THROW(Json(1).push_back(2), JsonError);
  EXPECT_THROW(Json::array().back(), JsonError);
  EXPECT_THROW(Json("1").get<double>(), JsonError);
  EXPECT_THROW(Json(1).get<std::string>(), JsonError);
  EXPECT_THROW(Json(1).get<bool>(), JsonError);
}

TEST(Json, WholeNumbersAreExactAndMustFit) {
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(Json::parse("18446744073709551615").get<std::size_t>(), most);
  EXPECT_THROW(Json(most).get<long>(), JsonError);
  EXPECT_THROW(Json(-1).get<std::size_t>(), JsonError);
  EXPECT_THROW(Json(1L << 31).get<int>(), JsonError);
  EXPECT_THROW(Json(9223372036854775808.0).get<long>(), JsonError);
  EXPECT_EQ(Json(-9223372036854775808.0).get<long>(), std::numeric_limits<long>::min());
  EXPECT_THROW(Json(std::numeric_limits<double>::quiet_NaN()).get<long>(), JsonError);
  EXPECT_EQ(Json(2.9).get<int>(), 2);
  EXPECT_TRUE(Json::parse("1").is_integer());
  EXPECT_FALSE(Json::parse("1.0").is_integer());
}

TEST(Json, NumbersAreEqualByValue) {
  EXPECT_EQ(Json(1), Json(1.0));
  EXPECT_EQ(Json(1), Json(1u));
  EXPECT_NE(Json(-1), Json(std::numeric_limits<std::uint64_t>::max()));
  EXPECT_NE(Json(0), Json(false));
  EXPECT_NE(Json(0), Json(nullptr));
  EXPECT_NE((Json{{"a", 1}, {"b", 2}}), (Json{{"b", 2}, {"a", 1}}));
  EXPECT_EQ(Json::parse("[0.5, 1]"), (std::vector<double>{0.5, 1}));
}

TEST(Json, TextThatIsNotJsonIsRefused) {
  for (const char* text : {"", "{", "[1,]", "{\"a\":1}x", "nul", "01", "1e999", "'a'", "[1 2]"}) {
    EXPECT_FALSE(Json::try_parse(text)) << text;
    EXPECT_THROW(Json::parse(text), JsonError) << text;
  }
  try {
    Json::parse("{\"a\":\n1,}");
    FAIL();
  } catch (const JsonError& error) {
    EXPECT_NE(std::string(error.what()).find("line 2, column 3"), std::string::npos);
  }
}

TEST(Json, DeepTextCannotExhaustTheStack) {
  const auto nested = [](std::size_t n) { return std::string(n, '[') + std::string(n, ']'); };
  EXPECT_TRUE(Json::try_parse(nested(1000)));
  EXPECT_FALSE(Json::try_parse(nested(1001)));
  EXPECT_FALSE(Json::try_parse(std::string(10'000'000, '[')));
}

RC_GTEST_PROP(Json, ReadsBackWhatItWrites, (const std::vector<double>& numbers, std::int64_t n)) {
  Json json = {{"numbers", numbers}, {"n", n}, {"u", static_cast<std::uint64_t>(n)}};
  RC_ASSERT(Json::parse(json.dump()) == json);
  RC_ASSERT(Json::parse(json.dump(3)) == json);
}

}  // namespace
}  // namespace vic
