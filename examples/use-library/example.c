/* The same in C: judges the history in a file, and says why a level is violated. */
#include <assay/assay_c.h>
#include <stdio.h>

static void tell(const assay_finding* finding, void* user) {
  static const char* const words[] = {"holds", "violated", "undecided"};
  (void)user;
  printf("%s: %s\n", finding->level, words[finding->verdict]);
}

static int fail(assay_error* error) {
  fprintf(stderr, "%s\n", error->message);
  assay_error_free(error);
  return 2;
}

int main(int argc, char** argv) {
  static const char write_skew[] = "S1: r(x,0) w(y,1)\nS2: r(y,0) w(x,1)\n";
  assay_options options = {0};
  assay_history* history;
  assay_findings* findings;
  assay_bytes text;
  assay_error* error;
  assay_status status;

  options.size = sizeof options;
  options.seconds_per_level = 10;
  options.on_verdict = tell;
  status = argc > 1 ? assay_read_file(argv[1], NULL, &options, &history, &error)
                    : assay_read_bytes(write_skew, sizeof write_skew - 1, "hist", &options, &history, &error);
  if (status != ASSAY_OK) return fail(error);
  status = assay_judge(history, "ser, si", &options, &findings, &error);
  assay_history_free(history);
  if (status != ASSAY_OK) return fail(error);
  status = assay_print(findings, ASSAY_FULL_TEXT, ASSAY_EVERYTHING, &text, &error);
  assay_findings_free(findings);
  if (status != ASSAY_OK) return fail(error);
  fwrite(text.data, 1, text.size, stdout);
  assay_bytes_free(&text);
  return 0;
}
