// A log of JSON objects with an increasing "update", one per line, written from time to time during
// training.
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
  // be written again. `visit` is called with every line that is kept. The file is created with its
  // first line.
  UpdateLog(std::string path, long update, const std::function<void(const Json& line)>& visit = {});

  // The update of the last line, 0 if there is none.
  long last() const { return last_; }

  // Adds a line and passes it to the system; its "update" is later than the last one.
  void append(const Json& line);

  // Waits until all lines are on the disk.
  void sync() {
    if (file_) file_->sync();
  }

 private:
  std::string path_;
  std::size_t kept_ = 0;  // bytes of the lines that are kept
  long last_ = 0;
  std::optional<AppendFile> file_;
};

}  // namespace vic
