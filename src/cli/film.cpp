// vic film: the filmed options of a run in a simulated world, as a table and as filmstrips.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "base/file.h"
#include "base/json.h"
#include "base/print.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/film_video.h"
#include "report/data/run_files.h"
#include "report/figures/film_figure.h"
#include "run/run_folder.h"

namespace vic {
namespace {

struct FilmOptions {
  std::string run, out, behaviour;
  int option = 0;  // 0: all
  bool mp4 = false, gif = false;
};

// moments of a strip: in a separate file, and on the contact sheet
constexpr int strip_frames = 10;

FilmReel find_films(const std::string& folder) {
  RunFiles run = read_run_files(folder);
  if (!run.simulated) {
    fail_usage(
        "{} is a run of {}, a table of states: films need a simulated world, such as half-cheetah.",
        folder, run.world);
  }
  if (!run.films) {
    fail_usage(
        "{} has no films.json yet: it is written at the end of training; vic train --resume {} "
        "goes on.",
        folder, folder);
  }
  return *std::move(run.films);
}

// the options that the user chose, by their place in the list
std::vector<std::size_t> choose(const FilmReel& reel, const FilmOptions& options) {
  const int n = static_cast<int>(reel.options.size());
  if (options.option > n) {
    fail_usage("There is no option {}: {} has films of {}, numbered from 1.", options.option,
               options.run, n);
  }
  std::vector<std::size_t> chosen;
  std::vector<std::string> names;  // each behaviour once, in the order of the films
  for (int i = 0; i < n; ++i) {
    const std::string& name = reel.options[i].behaviour.name;
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    const bool wanted = (options.option == 0 || i + 1 == options.option) &&
                        (options.behaviour.empty() || name == options.behaviour);
    if (wanted) chosen.push_back(i);
  }
  if (!options.behaviour.empty() && std::ranges::find(names, options.behaviour) == names.end()) {
    fail_usage("No filmed option of {} is called '{}'{}", options.run, options.behaviour,
               suggestion(options.behaviour, names));
  }
  return chosen;
}

// "07-2-backflips", without an extension
std::string stem_of(const FilmReel& reel, std::size_t i) {
  return fmt::format("{:02}-{}", i + 1, file_name(reel.options[i].behaviour.name));
}

std::string title_of(const FilmReel& reel, std::size_t i) {
  return fmt::format("{}. {}", i + 1, reel.options[i].behaviour.name);
}

// a video for each option and extension, one extension after the other
std::vector<std::string> write_videos(const FilmReel& reel, const std::vector<std::size_t>& chosen,
                                      const FilmOptions& options, const std::string& folder,
                                      Stop stop) {
  std::vector<std::string> paths;
  for (const auto& [wanted, ending] : {std::pair{options.mp4, ".mp4"}, {options.gif, ".gif"}}) {
    for (std::size_t i : chosen) {
      if (!wanted) break;
      stop.check();
      const int all = static_cast<int>(reel.options[i].path.size());
      Film film = film_of(reel, reel.options[i], all);
      film.title = title_of(reel, i);
      paths.push_back(folder + "/" + stem_of(reel, i) + ending);
      write_video(film, paths.back());
    }
  }
  return paths;
}

// a file for each option, and a contact sheet of all if there are several
std::vector<std::string> write_strips(const FilmReel& reel, const std::vector<std::size_t>& chosen,
                                      const FilmOptions& options, const std::string& folder,
                                      Stop stop) {
  make_folders(folder);
  std::vector<std::string> paths;
  const auto write = [&](const std::string& name, const std::string& svg) {
    paths.push_back(folder + "/" + name);
    write_file(paths.back(), svg);
  };
  std::vector<Film> films;
  for (std::size_t i : chosen) {
    stop.check();
    films.push_back(film_of(reel, reel.options[i], strip_frames));
    films.back().title = title_of(reel, i);
    write(stem_of(reel, i) + ".svg", draw_film(films.back(), Form::file));
  }
  // a selection must not replace the contact sheet of all
  if (options.option == 0 && options.behaviour.empty() && !films.empty()) {
    const std::string title =
        fmt::format("{}: {} options of {}", reel.world, films.size(),
                    std::filesystem::path(options.run).lexically_normal().filename().string());
    write("films.svg", draw_film_sheet(films, title, Form::file));
  }
  return paths;
}

Json options_json(const FilmReel& reel, const std::vector<std::size_t>& chosen,
                  const std::vector<std::string>& paths, const std::vector<std::string>& videos) {
  Json json = {{"world", reel.world}, {"seconds", reel.seconds}, {"options", Json::array()}};
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const Behaviour& behaviour = reel.options[chosen[k]].behaviour;
    Json& one = json["options"].push_back(Json::object());
    one["option"] = chosen[k] + 1;
    one["behaviour"] = behaviour.name;
    for (std::size_t c = 0; c < reel.coordinates.size(); ++c) {
      one[reel.coordinates[c].name] = behaviour.displacement[c];
      one[reel.coordinates[c].cell_name] = behaviour.cell[c];
    }
    one["height"] = behaviour.height;
    one["flips"] = behaviour.flips;
    one["svg"] = paths[k];
    for (std::size_t v = k; v < videos.size(); v += chosen.size()) {
      one[videos[v].ends_with(".gif") ? "gif" : "mp4"] = videos[v];
    }
  }
  json["sheet"] = paths.size() > chosen.size() ? Json(paths.back()) : Json(nullptr);
  return json;
}

void run_film(const FilmOptions& options, const UserSettings& given, const Console& console) {
  given.overrides().finish();
  const FilmReel reel = find_films(options.run);
  if (options.mp4 || options.gif) require_ffmpeg();
  const std::vector<std::size_t> chosen = choose(reel, options);
  const std::string folder = options.out.empty() ? options.run + "/films" : options.out;
  const auto paths = write_strips(reel, chosen, options, folder, console.stop);
  const auto videos = write_videos(reel, chosen, options, folder, console.stop);
  console.show([&] { return options_json(reel, chosen, paths, videos); },
               [&] {
                 const auto row = [&](const auto&... cells) {
                   print(console.out, "  {:>3}  {:<20} {}\n", cells...);
                 };
                 row("", "behaviour", "what it did");
                 for (std::size_t i : chosen) {
                   row(i + 1, reel.options[i].behaviour.name, reel.options[i].behaviour.caption);
                 }
               });
  if (paths.size() > 1 && paths.size() > chosen.size()) {
    console.note(fmt::format("\nDrawn in {}, all of them in {}.", folder, paths.back()));
  } else {
    console.note(fmt::format("\nDrawn in {}.", paths.size() == 1 ? paths[0] : folder));
  }
}

}  // namespace

Action declare_film(Arguments& arguments) {
  auto options = std::make_shared<FilmOptions>();
  arguments.positional("run", options->run, Need::required,
                       "the folder of a run in a simulated world");
  arguments.option("--out FOLDER", options->out, "where the strips go; RUN/films by default");
  arguments.option("--option N", options->option, Range{1, 1000000},
                   "this option only, by its number in the table");
  arguments.option("--behaviour NAME", options->behaviour,
                   "the options of one behaviour only, as '2 backflips'");
  arguments.flag("--mp4", options->mp4, "also as videos, at their own speed; needs ffmpeg");
  arguments.flag("--gif", options->gif, "also as animated pictures; needs ffmpeg");
  arguments.footer(
      "Writes an SVG file for each filmed option of the run and, where it draws all,\n"
      "the contact sheet films.svg. vic report RUN -o page.html plays them.\n");
  return action(options, run_film);
}

}  // namespace vic
