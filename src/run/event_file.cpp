#include "run/event_file.h"

#include <bit>
#include <cstring>

#include "base/checksum.h"

namespace vic {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are stored as they are");

// the numbers of the fields in the messages that are written here
enum EventField { event_wall_time = 1, event_step = 2, event_version = 3, event_summary = 5 };
enum SummaryField { summary_value = 1 };
enum ValueField { value_tag = 1, value_simple = 2 };

// how the bytes after a field's key are encoded
enum Wire { wire_varint = 0, wire_64 = 1, wire_bytes = 2, wire_32 = 5 };

template <class Number>
void put_raw(std::string& out, Number number) {
  char bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);
  out.append(bytes, sizeof number);
}

// seven bits per byte, the lowest first; the top bit marks that more follow
void put_varint(std::string& out, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7) out += static_cast<char>((number & 0x7F) | 0x80);
  out += static_cast<char>(number);
}

void put_key(std::string& out, int field, Wire wire) {
  out += static_cast<char>(field << 3 | wire);
}

void put_bytes(std::string& out, int field, std::string_view bytes) {
  put_key(out, field, wire_bytes);
  put_varint(out, bytes.size());
  out += bytes;
}

// checksums are masked, since the checksum of bytes that contain their own checksum is weak
std::uint32_t masked(std::uint32_t crc) {
  return std::rotr(crc, 15) + 0xA282EAD8U;
}

// length, its checksum, the message, its checksum
std::string record(std::string_view message) {
  std::string out;
  put_raw(out, static_cast<std::uint64_t>(message.size()));
  put_raw(out, masked(crc32c(out)));
  out += message;
  put_raw(out, masked(crc32c(message)));
  return out;
}

std::string event_at(double wall_time) {
  std::string event;
  put_key(event, event_wall_time, wire_64);
  put_raw(event, wall_time);
  return event;
}

}  // namespace

std::string first_event(double wall_time) {
  std::string event = event_at(wall_time);
  put_bytes(event, event_version, "brain.Event:2");
  return record(event);
}

std::string scalars_event(double wall_time, std::int64_t step, std::span<const Scalar> scalars) {
  std::string event = event_at(wall_time), summary, value;
  put_key(event, event_step, wire_varint);
  put_varint(event, static_cast<std::uint64_t>(step));
  for (const Scalar& scalar : scalars) {
    value.clear();
    put_bytes(value, value_tag, scalar.tag);
    put_key(value, value_simple, wire_32);
    put_raw(value, static_cast<float>(scalar.value));
    put_bytes(summary, summary_value, value);
  }
  put_bytes(event, event_summary, summary);
  return record(event);
}

}  // namespace vic
