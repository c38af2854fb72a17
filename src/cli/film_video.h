// Films as video files, which ffmpeg makes of the pictures that strips are made of.
#pragma once

#include <string>

#include "report/figures/film_figure.h"

namespace vic {

// Throws a UsageError where ffmpeg is not installed.
void require_ffmpeg();

// Writes a film as PATH, at the speed at which it happened: H.264 where its name ends in .mp4, or a
// GIF. Every step should be among its frames. Throws an Error with what ffmpeg says where it fails.
void write_video(const Film& film, const std::string& path);

}  // namespace vic
