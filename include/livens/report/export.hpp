// A recorded run for other programs: a table for spreadsheets, a motion for ParaView.
//
// Rows 0, every, 2 every, ... and the last are taken. Both throw InputError as audit_run does, and what `write` throws
// passes. The table fails before its first piece or not at all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace livens {

// Comma-separated values: a line of names with their units, "x (m)", then one line a row. Every recorded number has a
// column; one that a row does not have is left empty. Numbers give back the same double. In pieces of many lines.
void export_csv(const std::filesystem::path& directory, std::int64_t every,
                const std::function<void(std::string_view)>& write);

// The motion as poly data of VTK, a file a row, and motion.pvd, which lists them with their times: points as vertices,
// rods, springs and outlines of bodies as lines; the number of the point or body, from 1, as the point data "part" (0:
// what stays). By name and content.
void export_vtk(const std::filesystem::path& directory, std::int64_t every,
                const std::function<void(const std::string&, std::string_view)>& write);

}  // namespace livens
