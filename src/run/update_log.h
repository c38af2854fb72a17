// A log whose lines are JSON objects with a rising "update": what a training writes now and then.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/append_file.h"
#include "base/json.h"

namespace vic {

class UpdateLog {
 public:
  // The log of a learner that has done `update` updates: lines about later ones are cut, and will
  // come again. `visit` is called with every line that stays. The file is made with its first line.
  UpdateLog(std::string path, long update, const std::function<void(const Json& line)>& visit = {});

  // The update of the last line, 0 where there is none.
  long last() const { return last_; }

  // Adds a line and hands it to the system; its "update" is later than the last one.
  void append(const Json& line);

  // Waits until all lines are on the disk.
  void sync() {
    if (file_) file_->sync();
  }

 private:
  std::string path_;
  std::size_t kept_ = 0;  // bytes of lines that stay
  long last_ = 0;
  std::optional<AppendFile> file_;
};

}  // namespace vic
