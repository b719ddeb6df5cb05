// Every file of the given directories through both targets, with any compiler: what fuzzing has found stays found.
//
//   fuzz_replay DIRECTORY...
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "targets.hpp"

int main(int count, char** directories) {
  namespace fs = std::filesystem;
  std::vector<fs::path> files;
  for (int k = 1; k < count; ++k)
    for (const fs::directory_entry& entry : fs::directory_iterator(directories[k])) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    std::printf("%s\n", file.c_str());
    std::fflush(stdout);  // the last name printed is the one that crashed
    std::ifstream stream(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    livens::fuzz::model_reader(text);
    livens::fuzz::formula_parser(text);
  }
  std::printf("%zu files\n", files.size());
  return files.empty() ? 1 : 0;
}
