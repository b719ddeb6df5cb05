// What the store needs of HDF5's C interface: handles that close themselves, failures that are thrown.
#pragma once

#include <hdf5.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "livens/store/row_check.hpp"

namespace livens {

// HDF5 prints its error stack by default; ours goes into the exception.
class QuietHdf5 {
 public:
  QuietHdf5() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~QuietHdf5() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
  QuietHdf5(const QuietHdf5&) = delete;
  QuietHdf5& operator=(const QuietHdf5&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

// Caught inside the store: where it is thrown one knows neither the path nor what is kept.
struct Hdf5Failure {
  std::string reason;
};

inline herr_t keep_innermost(unsigned position, const H5E_error2_t* error, void* description) {
  if (position == 0 && error->desc != nullptr) *static_cast<std::string*>(description) = error->desc;
  return 0;
}

template <class Result>
Result checked(Result result) {
  if (result >= 0) return result;
  std::string description;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_innermost, &description);
  H5Eclear2(H5E_DEFAULT);  // that of a thread which has ended could not be closed with the library
  throw Hdf5Failure{"HDF5: " + description};
}

inline std::string in_digits(const RowCheck& check) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (int shift = 60; shift >= 0; shift -= 4) text += digits[(check.value() >> shift) & 15];
  return text;
}

class Handle {
 public:
  Handle(hid_t id, herr_t (*closer)(hid_t)) : id_(checked(id)), close_(closer) {}
  ~Handle() { close_(id_); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

struct TextType : Handle {
  TextType() : Handle(H5Tcopy(H5T_C_S1), H5Tclose) {
    checked(H5Tset_size(*this, H5T_VARIABLE));
    checked(H5Tset_cset(*this, H5T_CSET_UTF8));
  }
};

// Of an attribute that is a text; empty where there is none.
inline std::string read_attribute(hid_t object, const char* name) {
  if (checked(H5Aexists(object, name)) == 0) return "";
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
  const TextType type;
  char* characters = nullptr;
  checked(H5Aread(attribute, type, &characters));
  const std::string text = characters == nullptr ? "" : characters;
  H5free_memory(characters);
  return text;
}

// Of all attributes but `check`, texts and numbers, in the order of their names.
inline RowCheck check_of_attributes(hid_t object) {
  std::vector<std::string> all;
  const auto keep = [](hid_t, const char* name, const H5A_info_t*, void* kept) -> herr_t {
    static_cast<std::vector<std::string>*>(kept)->emplace_back(name);
    return 0;
  };
  checked(H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, keep, &all));
  std::sort(all.begin(), all.end());
  RowCheck check;
  for (const std::string& name : all) {
    if (name == "check") continue;
    check.add(name);
    const Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose);
    const Handle type(H5Aget_type(attribute), H5Tclose);
    if (H5Tget_class(type) == H5T_FLOAT) {
      double number = 0;
      checked(H5Aread(attribute, H5T_NATIVE_DOUBLE, &number));
      check.add(std::span(&number, 1));
    } else {
      check.add(read_attribute(object, name.c_str()));
    }
  }
  return check;
}

}  // namespace livens
