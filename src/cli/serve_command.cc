// tada serve: the same in a browser, on this machine alone.

#include "cli/commands.h"
#include "cli/demo/demo_data.h"
#include "server/serve.h"

namespace tada {
namespace {

constexpr uint64_t kDemoRows = 5000, kDemoSeed = 1;

Result<int> RunServe(const ParsedCommandLine& line, Console& console) {
  if (console.serve == nullptr) {
    return InvalidArgument("'tada serve' is not part of this program")
        .WithHint("Use the program: 'make install' puts it into the path, docs/serve.md says more.");
  }
  ServeRequest request;
  request.tables = line.operands;
  request.port = static_cast<uint16_t>(line.options.Integer("port", 0));
  request.folder = line.options.Text("folder");
  request.max_upload = static_cast<uint64_t>(line.options.Integer("max-upload", 2048)) << 20;
  request.open_browser = !line.options.Flag("no-open");
  request.demo = line.options.Flag("demo");
  request.make_demo = [&](const std::string& path) -> Status {
    const Workers workers(0, &console.cancel);
    NoProgress silent;
    TADA_TRY(table, WriteDemoTable(path, kDemoRows, kDemoSeed, true, workers, silent));
    return table.Publish();
  };
  TADA_CHECK_OK(console.serve(request, console.files, console.cancel, [&](const std::string& address) {
    console.out << "tada is at " << address
                << "\nOn this computer only; the address is a key, keep it to yourself. Ctrl-C stops it." << std::endl;
  }));
  return 0;
}

OptionSpecs ServeOptions() {
  using enum OptionType;
  const std::string_view serve = "Server";
  return {
      {.name = "port",
       .type = kInteger,
       .value_name = "number",
       .minimum = 1,
       .maximum = 65535,
       .section = serve,
       .help = "Listen on this port of 127.0.0.1. By default any that is free."},
      {.name = "folder",
       .type = kText,
       .value_name = "folder",
       .section = serve,
       .help = "Keep plans, releases and the history of runs in this folder; created if it does not exist. By "
               "default all is deleted when the server stops."},
      {.name = "no-open", .type = kFlag, .section = serve, .help = "Do not open a browser; print the address only."},
      {.name = "demo", .type = kFlag, .section = serve, .help = "Open a table of made-up patients."},
      {.name = "max-upload",
       .type = kInteger,
       .value_name = "MB",
       .default_text = "2048",
       .minimum = 1,
       .maximum = 1e6,
       .section = serve,
       .help = "Set the largest file that the page may upload; files named on the command line are read in place."}};
}

}  // namespace

Command MakeServeCommand() {
  return {
      .name = "serve",
      .summary = "do the same in a browser, on this computer alone",
      .description =
          "Serve a page on 127.0.0.1 to inspect, anonymize and compare tables without typing commands. Nothing leaves "
          "the computer; uploads are deleted when it stops. The page shows the command, plan and Python call of "
          "everything it does.",
      .usage = "[<file>...] [options]",
      .min_operands = 0,
      .max_operands = 100,
      .examples = {{"With a table", "tada serve people.csv"},
                   {"A first look, with made-up people", "tada serve --demo"},
                   {"On a server; then 'ssh -L 8642:127.0.0.1:8642 server' and open the address",
                    "tada serve people.csv --port 8642 --no-open"}},
      .options = ServeOptions(),
      .exits = {{0, "stopped"},
                {2, "wrong usage"},
                {3, "a file cannot be read"},
                {5, "the port is taken, or no room"},
                {70, "a bug in tada"}},
      .run = &RunServe};
}

}  // namespace tada
