#include "run/tensors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/text.h"
#include "run/tensor_header.h"

namespace vic {
namespace {

const std::string known = R"({"__metadata__":{"a":"1","world":"line \"noisy\""},)"
                          R"("step":{"dtype":"U64","shape":[],"data_offsets":[0,8]},)"
                          R"("w":{"dtype":"F32","shape":[1,2],"data_offsets":[8,16]}})";

// a file with this header, correctly padded, and these data
std::string file_of(std::string header, const std::string& data) {
  header.resize((header.size() + 7) / 8 * 8, ' ');
  const std::string length = {static_cast<char>(header.size() % 256),
                              static_cast<char>(header.size() / 256)};
  return length + std::string(6, '\0') + header + data;
}

TensorFile small_file() {
  const std::vector<float> w = {1.0F, -2.0F};
  const std::vector<std::uint64_t> step = {3};
  return {{{"world", "line \"noisy\""}, {"a", "1"}},
          {{"w", make_tensor(w, {1, 2})}, {"step", make_tensor(step, {})}}};
}

// the error of the parser; "" if there is none
std::string complaint(const std::string& bytes) {
  try {
    parse_tensors(bytes, "x.safetensors");
    return "";
  } catch (const Error& error) {
    const std::string message = error.what();
    const std::string start = "x.safetensors is damaged or not a safetensors file: ";
    EXPECT_TRUE(message.starts_with(start) && message.ends_with('.')) << message;
    EXPECT_FALSE(has_control(message)) << shown(message);
    return message.substr(std::min(start.size(), message.size()));
  }
}

TEST(Tensors, AreLaidOutAsTheFormatSays) {
  const std::string data("\3\0\0\0\0\0\0\0\x00\x00\x80\x3f\x00\x00\x00\xc0", 16);
  EXPECT_EQ(write_tensors(small_file()), file_of(known, data));
  EXPECT_EQ(write_tensors({}), file_of("{}", ""));
}

TEST(Tensors, ComeBackAsTheyWere) {
  const std::vector<double> reals = {0.1, -0.0, std::numeric_limits<double>::infinity(),
                                     std::nan(""), 5e-324};
  const std::vector<float> floats = {1e-45F, 3.4e38F, -7.0F};
  const std::vector<std::int64_t> whole = {std::numeric_limits<std::int64_t>::min(), -1};
  const std::vector<std::uint64_t> counts = {std::numeric_limits<std::uint64_t>::max()};
  TensorFile file;
  file.metadata = {{"", ""}, {"lines", "a\nb\t\"\\\x01"}, {"unicode", "π → ρ"}};
  file.tensors = {{"reals", make_tensor(reals, {5, 1})},
                  {"", make_tensor(whole, {2})},
                  {"none", make_tensor(std::span<const double>(), {3, 0})},
                  {"counts π\n", make_tensor(counts, {1, 1, 1})},
                  {"floats", make_tensor(floats, {3})}};
  const std::string bytes = write_tensors(file);
  const TensorFile back = parse_tensors(bytes, "x");
  EXPECT_EQ(back, file);
  EXPECT_EQ(write_tensors(back), bytes);

  // bit by bit, because NaN and -0 are numbers too
  const std::vector<double> seen = values<double>(back.at("reals"));
  ASSERT_EQ(seen.size(), reals.size());
  for (std::size_t i = 0; i < seen.size(); ++i) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(seen[i]), std::bit_cast<std::uint64_t>(reals[i]));
  }
  EXPECT_EQ(values<float>(back.at("floats")), floats);
  EXPECT_EQ(values<std::int64_t>(back.at("")), whole);
  EXPECT_EQ(values<std::uint64_t>(back.at("counts π\n")), counts);
  EXPECT_TRUE(values<double>(back.at("none")).empty());
}

TEST(Tensors, AreAlignedInTheFile) {
  const std::vector<float> odd = {1, 2, 3};
  const std::vector<double> reals = {4};
  const std::string bytes = write_tensors({{},
                                           {{"odd", make_tensor(odd, {3})},
                                            {"reals", make_tensor(reals, {1})},
                                            {"odder", make_tensor(odd, {3, 1})}}});
  const std::size_t length = static_cast<unsigned char>(bytes[0]);
  EXPECT_EQ(length % 8, 0U);
  const TensorHeader header = parse_tensor_header(bytes.substr(8, length), "x");
  ASSERT_EQ(header.entries.size(), 3U);
  EXPECT_EQ(header.entries[0].name, "reals");
  EXPECT_EQ(header.entries[1].name, "odd");
  EXPECT_EQ(header.entries[2].begin, 20U);
}

TEST(Tensors, AreRefusedWhereTheyWouldNotBeReadAgain) {
  const std::vector<float> w = {1, 2};
  EXPECT_THROW(make_tensor(w, {3}), Error);
  EXPECT_THROW(make_tensor(w, {-1, -2}), Error);
  EXPECT_THROW(make_tensor(w, {1LL << 62, 1LL << 62, 2}), Error);
  const Tensor good = make_tensor(w, {2});
  EXPECT_THROW(values<double>(good), Error);
  EXPECT_THROW(values<float>({"F32", {2}, "1234"}), Error);
  EXPECT_THROW(write_tensors({{}, {{"w", good}, {"w", good}}}), Error);
  EXPECT_THROW(write_tensors({{}, {{"__metadata__", good}}}), Error);
  EXPECT_THROW(write_tensors({{}, {{"\xff", good}}}), Error);
  EXPECT_THROW(write_tensors({{{"key", "\xc3"}}, {}}), Error);
  EXPECT_THROW(write_tensors({{}, {{"w", {"F16", {2}, "1234"}}}}), Error);
  EXPECT_THROW(write_tensors({{}, {{"w", {"F32", {2}, "1234"}}}}), Error);
  try {
    small_file().at("stop");
    FAIL() << "a tensor that is not there was found";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "There is no tensor stop; did you mean step?");
  }
}

// the error of the parser for a file with this header and this many bytes of data
std::string complaint_of(const std::string& header, std::size_t size = 8) {
  return complaint(file_of(header, std::string(size, 'x')));
}

TEST(Tensors, OfAMalformedHeaderAreRejectedInOneSentence) {
  const auto of = [](const std::string& header) { return complaint_of(header); };
  EXPECT_EQ(complaint(""), "it ends after 0 bytes.");
  EXPECT_EQ(complaint(std::string(8, '\0')), "its header is not a JSON object.");
  EXPECT_EQ(complaint(std::string(8, '\xff') + "{}"), "its header is longer than 100 MB.");
  EXPECT_EQ(complaint(std::string("\x03\0\0\0\0\0\0\0{}", 10)), "it ends within its header.");
  EXPECT_EQ(of("[]"), "its header is not a JSON object.");
  EXPECT_EQ(of("\xef\xbb\xbf{}"), "its header is not a JSON object.");
  EXPECT_EQ(of(std::string("{}\0{", 4)), "its header is not a JSON object.");
  EXPECT_EQ(of("{\"w\" 1}"), "its header is not JSON at byte 6.");
  EXPECT_EQ(of("{\"\xff\":1}"), "its header is not JSON at byte 3.");
  EXPECT_EQ(of("{} {}"), "its header is not JSON at byte 4.");
  EXPECT_EQ(of("{\"a\":1e999}"), "its header is not JSON at byte 10.");
  EXPECT_EQ(of("{}"), "8 bytes at its end belong to no tensor.");
  EXPECT_EQ(of(R"({"w":[]})"), "its header has a wrong value for 'w'.");
  EXPECT_EQ(of(R"({"__metadata__":{"a":1}})"), "its header has a wrong value for 'a'.");
  EXPECT_EQ(of(R"({"__metadata__":{"a":"","a":""}})"), "its header has 'a' twice.");
  EXPECT_EQ(of(R"({"__metadata__":{},"__metadata__":{}})"), "its header has '__metadata__' twice.");
  EXPECT_EQ(of(R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"w":{}})"),
            "its header has 'w' twice.");
  EXPECT_EQ(of("{\"w\":" + std::string(50000, '[')), "its header has a wrong value for 'w'.");
}

TEST(Tensors, ThatCannotBeAreRejectedInOneSentence) {
  const auto tensor = [](const std::string& fields, std::size_t size = 8) {
    return complaint_of(R"({"w":{)" + fields + "}}", size);
  };
  const std::string f32 = R"("dtype":"F32","shape":[2])";
  EXPECT_EQ(tensor(f32 + R"(,"data_offsets":[0,8])"), "");

  EXPECT_EQ(tensor(f32), "its tensor 'w' lacks a dtype, shape or data_offsets.");
  EXPECT_EQ(tensor(f32 + "," + f32), "its header has 'dtype' twice.");
  for (const char* wrong : {"[0]", "[0,8,8]", "[0,-8]", "[0,8.0]", "8", "[0,[8]]", "null", "{}"}) {
    EXPECT_EQ(tensor(f32 + ",\"data_offsets\":" + wrong),
              "its tensor 'w' has a wrong value for 'data_offsets'.")
        << wrong;
  }
  EXPECT_EQ(tensor(f32 + R"(,"more":"")"), "its tensor 'w' has a wrong value for 'more'.");
  EXPECT_EQ(tensor(f32 + R"(,"data_offsets":[8,0])"), "its tensor 'w' ends before it begins.");
  EXPECT_EQ(tensor(f32 + R"(,"data_offsets":[0,18446744073709551615])"),
            "its tensor 'w' ends 18446744073709551607 bytes beyond the data.");
  EXPECT_EQ(tensor(f32 + R"(,"data_offsets":[0,8])", 7),
            "its tensor 'w' ends 1 bytes beyond the data.");
  EXPECT_EQ(tensor(f32 + R"(,"data_offsets":[4,12])", 12), "its tensor 'w' begins 4 bytes late.");
  EXPECT_EQ(tensor(f32 + R"(,"data_offsets":[0,4])"),
            "its tensor 'w' has 4 bytes where its shape needs 8.");
  EXPECT_EQ(tensor(R"("dtype":"F\n","shape":[],"data_offsets":[0,8])"),
            "its tensor 'w' has the unknown dtype 'F\\n'.");
  EXPECT_EQ(tensor(R"("dtype":"F32","shape":[4611686018427387904,2],"data_offsets":[0,8])"),
            "its tensor 'w' has an impossibly large shape.");
  EXPECT_EQ(tensor(R"("dtype":"F32","shape":[9223372036854775808],"data_offsets":[0,8])"),
            "its tensor 'w' has a wrong value for 'shape'.");
  EXPECT_EQ(complaint_of(R"({"v":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                         R"("w":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})"),
            "its tensor 'w' overlaps another.");
}

TEST(Tensors, SurviveEveryTruncation) {
  const std::string bytes = write_tensors(small_file());
  for (std::size_t n = 0; n < bytes.size(); ++n) EXPECT_NE(complaint(bytes.substr(0, n)), "") << n;
  EXPECT_NE(complaint(bytes + '\0'), "");
  EXPECT_EQ(complaint(bytes), "");
}

TEST(Tensors, SurviveEveryChangeOfAByte) {
  const std::string bytes = write_tensors(small_file());
  int parsed = 0, rejected = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (int change = 1; change < 256; ++change) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(changed[i] ^ change);
      if (!complaint(changed).empty()) {
        ++rejected;
        continue;
      }
      // an accepted file is sound: it can be written, and is then the same
      ++parsed;
      const TensorFile file = parse_tensors(changed, "x");
      ASSERT_EQ(parse_tensors(write_tensors(file), "x"), file) << i << " ^ " << change;
    }
  }
  EXPECT_GT(parsed, 16 * 255) << "the numbers themselves may be anything";
  EXPECT_GT(rejected, 100 * 255);
}

}  // namespace
}  // namespace vic
