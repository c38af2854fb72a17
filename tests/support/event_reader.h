// Reads TensorBoard's event files without the code that writes them.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace vic {

// CRC-32C bit by bit, masked as in TFRecords
inline std::uint32_t slow_masked_crc(const std::string& bytes) {
  std::uint32_t crc = 0xFFFFFFFF;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (0x82F63B78U * (crc & 1));
  }
  crc = ~crc;
  return ((crc >> 15) | (crc << 17)) + 0xA282EAD8U;
}

// The messages of a file of TFRecords; a test failure if the framing is wrong.
inline std::vector<std::string> messages_of(const std::string& file) {
  std::vector<std::string> messages;
  const auto number = [&](std::size_t place, auto& value) {
    std::memcpy(&value, file.data() + place, sizeof value);
  };
  for (std::size_t place = 0; place < file.size();) {
    std::uint64_t length = 0;
    std::uint32_t of_length = 0, of_message = 0;
    if (file.size() - place < 16) ADD_FAILURE() << "a record is cut off";
    if (file.size() - place < 16) break;
    number(place, length);
    number(place + 8, of_length);
    EXPECT_EQ(of_length, slow_masked_crc(file.substr(place, 8)));
    if (file.size() - place - 16 < length) ADD_FAILURE() << "a record is cut off";
    if (file.size() - place - 16 < length) break;
    messages.push_back(file.substr(place + 12, length));
    number(place + 12 + length, of_message);
    EXPECT_EQ(of_message, slow_masked_crc(messages.back()));
    place += 16 + length;
  }
  return messages;
}

// A message as protoc decodes it.
inline std::string decoded(const std::string& message) {
  const std::string path = testing::TempDir() + "vic_event_" +
                           testing::UnitTest::GetInstance()->current_test_info()->name();
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return "no file";
  std::fwrite(message.data(), 1, message.size(), file);
  std::fclose(file);
  const std::string command = "protoc --decode=Event --proto_path=" VIC_SOURCE_DIR
                              "/tests/support event.proto <'" +
                              path + "' 2>&1";
  std::FILE* pipe = ::popen(command.c_str(), "r");
  std::string text;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  EXPECT_EQ(::pclose(pipe), 0) << text;
  std::remove(path.c_str());
  return text;
}

}  // namespace vic
