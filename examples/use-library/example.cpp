// Judges a history that it builds, and one that it reads when it is given a file.
#include <assay/assay.h>

#include <iostream>

int main(int argc, char** argv) {
  assay::HistoryBuilder builder;
  builder.set_initial(0);
  builder.read("x", 0).write("y", 1).finish({.session = "Ann"});
  builder.read("y", 0).write("x", 1).finish({.session = "Bob"});
  const auto history = argc > 1 ? assay::read_history(argv[1]) : builder.build("two clients");
  const auto findings = history ? assay::judge(*history, "ser, si") : history.error();
  const auto text = findings ? assay::print(*findings, assay::Form::Text) : findings.error();
  std::cout << (text ? *text : text.error().message + "\n");
  return text ? 0 : 2;
}
