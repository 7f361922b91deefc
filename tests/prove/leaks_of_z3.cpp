// Z3 4.8.12 loses a few hundred bytes of its own when a solver gives up (LeakSanitizer names libz3 alone).
// Everything else that these tests lose is still reported.
extern "C" const char* __lsan_default_suppressions();  // NOLINT(bugprone-reserved-identifier)
extern "C" const char* __lsan_default_suppressions() { return "leak:libz3.so\n"; }
