// vic serve: a live page of the runs of a folder as they train, on this machine.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "base/file.h"
#include "base/print.h"
#include "cli/command.h"
#include "serve/serve.h"

namespace vic {
namespace {

struct ServeArguments {
  std::string folder = "runs", token_file;
  int port = 0;
};

void run_serve(const ServeArguments& arguments, const UserSettings& given, const Console& console) {
  given.overrides().finish();
  if (path_exists(arguments.folder) && !std::filesystem::is_directory(arguments.folder)) {
    fail_usage("{} is not a folder; vic serve shows the runs of a folder.", arguments.folder);
  }
  make_folders(arguments.folder);
  std::string root = std::filesystem::canonical(arguments.folder).string();
  // the same program trains what the page starts
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  serve(
      {.page = {.root = std::move(root), .program = program, .version = VIC_VERSION},
       .port = arguments.port,
       .token_file = arguments.token_file},
      [&](const std::string& address) {
        console.show(
            [&] {
              return Json{{"address", address}};
            },
            [&] { print(console.out, "{}\n", address); });
        console.out.flush();
        print(console.err, "The page shows {} as it trains; Ctrl-C ends it.\n", arguments.folder);
      },
      console.stop);
}

}  // namespace

Action declare_serve(Arguments& arguments) {
  auto options = std::make_shared<ServeArguments>();
  arguments.positional("folder", options->folder, Need::optional,
                       "whose runs are shown, at any depth; runs by default");
  arguments.option("--port N", options->port, Range{0, 65535},
                   "the port on 127.0.0.1; a free one by default");
  arguments.option("--token-file FILE", options->token_file,
                   "keep the token in a file, so that open pages find the next server");
  arguments.footer(
      "Open the address that it prints in a browser on this machine; the token in it is the key to "
      "the page.\n");
  return action(options, run_serve);
}

}  // namespace vic
