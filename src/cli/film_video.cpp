#include "cli/film_video.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "base/spawn.h"
#include "base/text.h"

namespace vic {
namespace {

// a temporary folder for the pictures, removed with this object. Not one of the user's, whose names
// may contain a pattern that ffmpeg expands to a number
class Pictures {
 public:
  Pictures() : path_(std::filesystem::temp_directory_path().string() + "/vic-film-XXXXXX") {
    if (::mkdtemp(path_.data()) == nullptr) {
      throw Error(fmt::format("{} cannot be made: {}.", path_, std::strerror(errno)));
    }
  }
  ~Pictures() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Pictures(const Pictures&) = delete;
  Pictures& operator=(const Pictures&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

void require_ffmpeg() {
  if (run_and_read({"ffmpeg", "-version"})) return;
  fail_usage(
      "Videos are made by ffmpeg, which is not installed here; install it (Debian: apt-get install "
      "ffmpeg), or leave out --mp4 and --gif for strips.");
}

void write_video(const Film& film, const std::string& path) {
  const Pictures pictures;
  for (std::size_t i = 0; i < film.frames.size(); ++i) {
    write_file(fmt::format("{}/{:06}.svg", pictures.path(), i),
               draw_film_frame(film, film.frames[i], Form::file));
  }
  // formats that players can play; 256 colours are chosen from all pictures
  const bool gif = path.ends_with(".gif");
  const std::string filter =
      gif ? "split[a][b];[a]palettegen[p];[b][p]paletteuse" : "format=yuv420p";
  // with the prefix file: a path is neither an option nor a URL
  const auto output =
      run_and_read({"ffmpeg", "-v", "error", "-nostdin", "-y", "-framerate",
                    fmt::format("{:g}", 1 / film.seconds), "-i",
                    "file:" + pictures.path() + "/%06d.svg", "-vf", filter, "file:" + path});
  if (!output) require_ffmpeg();
  if (output && output->code != 0) {
    throw Error(fmt::format("ffmpeg could not write {}: {}", path, shown(output->err)));
  }
}

}  // namespace vic
