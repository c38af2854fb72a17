// Films as video files, made by ffmpeg from the pictures of filmstrips.
#pragma once

#include <string>

#include "report/figures/film_figure.h"

namespace vic {

// Throws a UsageError if ffmpeg is not installed.
void require_ffmpeg();

// Writes a film to `path`, at its original speed: H.264 if the name ends in .mp4, or a GIF. Every
// step should be among its frames. Throws an Error with ffmpeg's message if it fails.
void write_video(const Film& film, const std::string& path);

}  // namespace vic
