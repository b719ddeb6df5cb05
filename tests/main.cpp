// The test program of a room. Beside what doctest gives, it writes its cases as tests of CTest, one each, so that they
// run beside each other and are chosen by name:
//
//   test_math --list-test-cases --reporters=ctest --out=math_cases.cmake
//   add_test([==[math/jet: a name]==] .../test_math [==[--test-case=a name]==] [==[--source-file=*math/jet.cpp]==])
//
// A case that takes seconds is decorated with `* doctest::test_suite("long")`: CTest starts these first, for no core to
// be left with one of them at the end.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <filesystem>
#include <ostream>
#include <string>

namespace {

class CTestFile : public doctest::IReporter {
 public:
  explicit CTestFile(const doctest::ContextOptions& options) : options_(options) {}

  void report_query(const doctest::QueryData& query) override {
    const std::string program = options_.binary_name.c_str();
    for (unsigned i = 0; i < query.num_data; ++i) {
      const doctest::TestCaseData& test = *query.data[i];
      const std::filesystem::path source = test.m_file.c_str();
      const std::string file = (source.parent_path().filename() / source.stem()).generic_string();
      const std::string name = quoted(file + ": " + readable(test.m_name));
      *options_.cout << "add_test(" << name << ' ' << quoted(program) << ' '
                     << quoted("--test-case=" + as_filter(test.m_name)) << ' '
                     << quoted("--source-file=*" + file + ".cpp")
                     << ")\n"
                     // A filter that finds nothing would be a success to doctest.
                     << "set_tests_properties(" << name << " PROPERTIES FAIL_REGULAR_EXPRESSION \"test cases: *0 \""
                     << (test.m_test_suite == std::string("long") ? " COST 10" : "") << ")\n";
    }
  }

  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats&) override {}
  void test_case_start(const doctest::TestCaseData&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}

 private:
  static std::string quoted(const std::string& text) { return "[==[" + text + "]==]"; }
  // Cases of a template end in <type>; that of binary128 has a name of a hundred letters.
  static std::string readable(std::string name) {
    const std::size_t begin = name.find("boost::multiprecision::number<");
    return begin == name.npos ? name : name.replace(begin, name.rfind('>') - begin, "binary128");
  }
  // Commas separate filters.
  static std::string as_filter(const std::string& name) {
    std::string text;
    for (const char c : name) text += c == ',' || c == '\\' ? std::string{'\\', c} : std::string{c};
    return text;
  }

  const doctest::ContextOptions& options_;
};

REGISTER_REPORTER("ctest", 0, CTestFile);

}  // namespace
