// Just enough of XML to tell that a page is well-formed.
#pragma once

#include <sstream>
#include <string>
#include <vector>

namespace markup {

// What is wrong with it; empty: every tag is closed, in order, and every ampersand begins a reference.
inline std::string complaint(const std::string& text) {
  std::vector<std::string> open;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '&') {
      const std::size_t end = text.find(';', at);
      if (end == text.npos || end - at > 6) return "a bare ampersand: " + text.substr(at, 20);
    }
    if (text[at] != '<') continue;
    const std::size_t end = text.find('>', at);
    if (end == text.npos) return "an open tag: " + text.substr(at, 20);
    const std::string tag = text.substr(at + 1, end - at - 1);
    at = end;
    if (tag.starts_with("!DOCTYPE") || tag.ends_with('/')) continue;
    if (!tag.starts_with('/')) {
      open.push_back(tag.substr(0, tag.find_first_of(" \n")));
      continue;
    }
    if (open.empty() || open.back() != tag.substr(1))
      return "<" + tag + "> where " + (open.empty() ? "nothing" : open.back()) + " is open";
    open.pop_back();
  }
  return open.empty() ? "" : open.back() + " is never closed";
}

// Without what stands between the tags of scripts and styles, which is not markup.
inline std::string without_scripts(std::string text) {
  for (const std::string tag : {"script", "style"})
    for (std::size_t at = text.find("<" + tag); at != text.npos; at = text.find("<" + tag, at + 1)) {
      const std::size_t begin = text.find('>', at) + 1;
      text.erase(begin, text.find("</" + tag + ">", begin) - begin);
    }
  return text;
}

// The value of the first attribute of this name.
inline std::string attribute(const std::string& text, const std::string& name) {
  const std::size_t begin = text.find(" " + name + "=\"") + name.size() + 3;
  return text.substr(begin, text.find('"', begin) - begin);
}

inline int count(const std::string& text, const std::string& part) {
  int n = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) ++n;
  return n;
}

}  // namespace markup
