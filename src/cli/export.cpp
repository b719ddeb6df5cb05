// livens export
#include "livens/report/export.hpp"

#include <fcntl.h>

#include <cerrno>

#include "cli/commands.hpp"
#include "cli/say.hpp"
#include "livens/model/model.hpp"
#include "livens/store/files.hpp"
#include "livens/store/result_directory.hpp"

namespace livens::cli {

namespace {

// motion.pvd and motion-07.vtp
bool is_of_export(const std::string& file) {
  if (file == "motion.pvd") return true;
  const std::string_view begin = "motion-", end = ".vtp";
  if (file.size() <= begin.size() + end.size() || !file.starts_with(begin) || !file.ends_with(end)) return false;
  const std::string number = file.substr(begin.size(), file.size() - begin.size() - end.size());
  return number.find_first_not_of("0123456789") == number.npos;
}

// A directory that appears when all files are in it, in the place of an earlier export.
ResultDirectory new_directory(const std::string& path) {
  try {
    return ResultDirectory::replacing(path, is_of_export);
  } catch (const std::invalid_argument& e) {
    throw InputError(e.what());
  }
}

void write_new_file(const std::filesystem::path& path, std::string_view text) {
  const Descriptor file(path, O_WRONLY | O_CREAT | O_EXCL);
  if (!write_all(file, text.data(), text.size())) throw StoreError(path, errno);
}

}  // namespace

int export_run(const ExportArguments& arguments) {
  if (arguments.csv == arguments.vtk) throw InputError("export: give one of --csv and --vtk");
  if (arguments.every < 1) throw InputError(fmt::format("--every: is {}; give 1 or more", arguments.every));
  if (arguments.csv) {
    export_csv(arguments.directory, arguments.every,
               [](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); });
    return 0;
  }
  std::filesystem::path run = arguments.directory;
  if (!run.has_filename()) run = run.parent_path();  // runs/a-1/
  ResultDirectory directory = new_directory(arguments.out.value_or(run.string() + "-vtk"));
  long long files = 0;
  export_vtk(arguments.directory, arguments.every, [&](const std::string& name, std::string_view text) {
    if (files++ == 0) directory.create();
    write_new_file(directory.working() / name, text);
  });
  directory.appear();
  say("wrote {}: open it in ParaView ({} frame{})\n", (directory.path() / "motion.pvd").string(), files - 1,
      files == 2 ? "" : "s");
  return 0;
}

}  // namespace livens::cli
