// [table.B] file = "b.csv": functions given by tables (formula/table.hpp).
//
// A row of the file is a point of the grid and the value there: one to three variables, then the value, separated by
// commas, semicolons, tabs or blanks. Rows are in ascending order of the first variable, rows of the same first
// variable in that of the second, and so on; every combination of the variables' points is there. Lines that begin with
// # and a first line without numbers are words.
//
// What was read is put at the end of the model's text, so that runs can be resumed and shown without the file:
//
//   [[table_data]]
//   file = "b.csv"
//   rows = '''...'''
//
// Found there under the name of the file, it is not read again.
#pragma once

#include <string>

#include "model/document.hpp"
#include "model/vocabulary.hpp"

namespace livens {

// Adds the tables of a model to its words; returns what has to be put at the end of its text.
std::string read_tables(const Section& top, const Model& model, Vocabulary& words);

// Before the tables at the end of a text.
inline constexpr std::string_view tables_begin = "\n# Tables as they were read.\n[[table_data]]\n";

}  // namespace livens
