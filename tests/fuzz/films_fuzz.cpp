// Any text is either films that can be drawn and played, or one clean sentence.
#include <cstdint>
#include <string_view>

#include "report/figures/film_figure.h"
#include "report/page/page_parts.h"
#include "require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  vic::RunFiles run;
  run.folder = "run", run.world = run.algorithm = "x";
  try {
    run.simulated = true;
    run.films = vic::read_films(vic::FileValue::parse(text, "films.json"));
  } catch (const vic::UsageError& error) {
    vic::require_sentence(error.what(), "films.json is damaged: ");
    return 0;
  }
  const vic::FilmReel& reel = *run.films;
  std::vector<vic::Film> films;
  for (const vic::FilmedOption& option : reel.options) {
    films.push_back(vic::film_of(reel, option, /*frames=*/3));
    vic::draw_film(films.back(), vic::Form::file);
  }
  if (!films.empty()) vic::draw_film_sheet(films, reel.world, vic::Form::file);
  const std::string script = vic::film_data(vic::arrange_runs({run}));
  vic::require(script.find('<') == script.npos);
  if (!script.empty()) vic::Json::parse(script);
  return 0;
}
