#include "sim/mujoco/model_includes.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>
#include <string_view>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"

namespace vic {
namespace {

namespace fs = std::filesystem;

// the position after spaces
std::size_t skip_spaces(std::string_view text, std::size_t at) {
  while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0) ++at;
  return at;
}

// the value of the attribute `file` of an element; empty where it has none
std::string file_named(std::string_view element) {
  std::size_t at = element.find("file");
  if (at == element.npos) return "";
  at = skip_spaces(element, at + 4);
  if (at >= element.size() || element[at] != '=') return "";
  at = skip_spaces(element, at + 1);
  if (at >= element.size() || (element[at] != '"' && element[at] != '\'')) return "";
  const std::size_t end = element.find(element[at], at + 1);
  return end == element.npos ? "" : std::string(element.substr(at + 1, end - at - 1));
}

// the text between the tags of the outermost element
std::string children_of_root(const std::string& text, const std::string& called) {
  std::size_t at = 0;
  // declarations and comments come before it
  while ((at = text.find('<', at)) != text.npos && (text[at + 1] == '?' || text[at + 1] == '!')) {
    const std::string_view last = text.compare(at, 4, "<!--") == 0 ? "-->" : ">";
    at = text.find(last, at);
    if (at == text.npos) break;
  }
  const std::size_t open = at == text.npos ? at : text.find('>', at);
  if (open == text.npos) fail_usage("{} has no outermost element to be included.", called);
  if (text[open - 1] == '/') return "";
  const std::size_t name_end = text.find_first_of(" \t\r\n>", at);
  const std::size_t close = text.rfind("</" + text.substr(at + 1, name_end - at - 1));
  if (close == text.npos || close < open) {
    fail_usage("{} is not well-formed XML: its outermost element does not end.", called);
  }
  return text.substr(open + 1, close - open - 1);
}

class Includer {
 public:
  Includer(const std::string& path, std::size_t largest)
      : called_(path), folder_(fs::weakly_canonical(path).parent_path()), left_(largest) {}

  std::string expand(const std::string& text) {
    std::string out;
    std::size_t at = 0;
    for (;;) {
      const std::size_t tag = text.find("<include", at), comment = text.find("<!--", at);
      if (tag == text.npos) return out + text.substr(at);
      if (comment < tag) {
        const std::size_t end = std::min(text.find("-->", comment), text.size());
        out += text.substr(at, end - at);
        at = end;
        continue;
      }
      const std::size_t end = text.find('>', tag);
      if (end == text.npos) return out + text.substr(at);
      out += text.substr(at, tag - at) + included(file_named(text.substr(tag, end - tag)));
      at = end + 1;
      if (text[end - 1] == '/') continue;
      const std::size_t close = text.find("</include>", at);
      at = close == text.npos ? at : close + std::string_view("</include>").size();
    }
  }

  // a whole file, which counts towards the limit
  std::string read(const std::string& path) {
    std::string text = read_file(path, left_);
    left_ -= text.size();
    return text;
  }

 private:
  std::string included(const std::string& name) {
    const fs::path file(name);
    const bool up = std::ranges::find(file, fs::path("..")) != file.end();
    const fs::path full = fs::weakly_canonical(folder_ / file);
    // a link may lead anywhere
    const auto [rest, unused] = std::ranges::mismatch(folder_, full);
    if (name.empty() || file.is_absolute() || up || rest != folder_.end()) {
      fail_usage("{} includes '{}', which is not in the model's own folder.", called_, shown(name));
    }
    if (!seen_.insert(full.string()).second) {
      fail_usage("{} includes {} more than once.", called_, shown(name));
    }
    return children_of_root(expand(read(full.string())), full.string());
  }

  std::string called_;
  fs::path folder_;
  std::size_t left_;  // bytes that may still be read
  std::set<std::string> seen_;
};

}  // namespace

std::string read_with_includes(const std::string& path, std::size_t largest) {
  Includer includer(path, largest);
  return includer.expand(includer.read(path));
}

}  // namespace vic
