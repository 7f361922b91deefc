/*
 * Assay for C, and for languages that can call C: read or build a history of transactions, judge whether it
 * satisfies isolation levels, explain violations, check evidence. docs/library.md has examples; C++ programs
 * include assay/assay.h, which is made of this.
 *
 * This is all that libassay.so exports. Nothing here prints, ends the process or throws.
 *
 * Handles. assay_history, assay_builder, assay_findings and assay_claims are yours: free each with its
 * function, in any order. Findings keep the history that they speak of alive. Freeing NULL does nothing. A
 * history, findings and claims never change, so several threads may use them at once. A builder belongs to
 * one thread at a time.
 *
 * Strings are UTF-8. A `const char*` in a struct or from a function belongs to the handle that it came from
 * and lives as long; in a callback, as long as the callback. An assay_bytes is yours: free it.
 *
 * Errors. A function that can fail returns an assay_status. Its last parameter may be NULL; otherwise it
 * receives an error that you free, or NULL where all went well. Where a function fails, its results are NULL
 * or empty.
 *
 * Structs that you pass may be all zeros where nothing is wanted. assay_options begins with its size, so that
 * later versions can add members at its end.
 */
#ifndef ASSAY_ASSAY_C_H
#define ASSAY_ASSAY_C_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define ASSAY_API __attribute__((visibility("default")))
#else
#define ASSAY_API
#endif

/* Enumerations are as wide as an int, and a value that is none of theirs is reported, not undefined. */
#ifdef __cplusplus
#define ASSAY_INT : int
#else
#define ASSAY_INT
#endif

#define ASSAY_VERSION_MAJOR 0
#define ASSAY_VERSION_MINOR 1
#define ASSAY_VERSION_PATCH 0
#define ASSAY_VERSION_NUMBER (ASSAY_VERSION_MAJOR * 10000 + ASSAY_VERSION_MINOR * 100 + ASSAY_VERSION_PATCH)

#ifdef __cplusplus
extern "C" {
#endif

/* --- version ------------------------------------------------------------------------------------------- */

ASSAY_API const char* assay_version(void);    /* "0.1.0", of the library that runs */
ASSAY_API const char* assay_commit(void);     /* "db9013b0aabb"; "" where it was not built from a clone */
ASSAY_API int32_t assay_version_number(void); /* as ASSAY_VERSION_NUMBER, which is that of this header */

/* --- errors and bytes ---------------------------------------------------------------------------------- */

typedef enum assay_status ASSAY_INT {
  ASSAY_OK = 0,
  ASSAY_BAD_INPUT = 1, /* a file, a history, a name: the message says what is wrong and what to do */
  ASSAY_MISUSE = 2,    /* the call is wrong: NULL where something is needed, an unknown kind, a wrong size */
  ASSAY_STOPPED = 3,   /* a limit was reached, or on_progress said to stop */
  ASSAY_NO_MEMORY = 4,
  ASSAY_REFUTED = 5,   /* a certificate does not show what it claims */
  ASSAY_UNCHECKED = 6, /* a certificate could not be checked, or says nothing about this history */
  ASSAY_DEFECT = 7     /* a mistake of Assay itself: please report it */
} assay_status;

typedef struct assay_error {
  assay_status status;
  const char* message; /* everything in one line: "h.jsonl:7: what is wrong (what to do)" */
  const char* what;
  const char* remedy; /* the others may be "" */
  const char* file;
  const char* place; /* a line, or "byte 96" */
} assay_error;

ASSAY_API void assay_error_free(assay_error* error);

typedef struct assay_bytes {
  char* data; /* a zero byte follows that `size` does not count */
  size_t size;
} assay_bytes;

ASSAY_API void assay_bytes_free(assay_bytes* bytes); /* frees the data and makes it empty */

/* --- limits and callbacks ------------------------------------------------------------------------------ */

typedef enum assay_verdict ASSAY_INT {
  ASSAY_HOLDS = 0,
  ASSAY_VIOLATED = 1,
  ASSAY_UNDECIDED = 2
} assay_verdict;

typedef struct assay_progress {
  const char* task;     /* "reading", the id of the level that is judged, "explaining" */
  const char* stage;    /* what of it; may be "" */
  uint64_t done, total; /* of the stage; total 0: not known */
  double seconds;
} assay_progress;

typedef struct assay_finding {
  const char* level; /* its id: "ser" */
  assay_verdict verdict;
  const char* anomaly; /* where it is violated: "write-skew"; otherwise NULL */
  const char* reason;  /* why it is undecided; otherwise NULL */
  double seconds;
  int64_t
      explanation; /* where it is violated: the number of its explanation; otherwise, and in callbacks, -1 */
} assay_finding;

typedef struct assay_options {
  size_t size;              /* sizeof(assay_options) */
  double seconds_per_level; /* 0: no limit. Then a level is undecided; the next one has time of its own */
  double seconds;           /* for the whole call, without explanations; 0: no limit */
  double explain_seconds;   /* for making explanations small; 0: ten, or as long as judging took */
  uint64_t megabytes;       /* of resident memory of this process; 0: no limit */
  int64_t skew;             /* nanoseconds by which clocks may differ, for the levels of real time */
  uint32_t threads;         /* searches at once where one takes long; 0 and 1: one */
  int32_t no_explanations;  /* not 0: verdicts alone are wanted */
  /* Called about once in a millisecond. Return 0 to go on; any other value ends the call, and levels that are
     not decided yet are undecided. */
  int (*on_progress)(const assay_progress* progress, void* user);
  /* Called with each verdict as soon as it is found. */
  void (*on_verdict)(const assay_finding* finding, void* user);
  void* user; /* for the callbacks, which run in the thread that made the call and must not throw */
} assay_options;

/* --- histories ----------------------------------------------------------------------------------------- */

typedef struct assay_history assay_history;

typedef struct assay_counts {
  uint64_t sessions, transactions, operations, keys;
} assay_counts;

/* `format`: an id of docs/formats.md; NULL: recognised by content. Compressed input is decompressed.
   Of `options` (may be NULL) the limits and on_progress are used. */
ASSAY_API assay_status assay_read_file(const char* path, const char* format, const assay_options* options,
                                       assay_history** history, assay_error** error);
ASSAY_API assay_status assay_read_bytes(const void* data, size_t size, const char* format,
                                        const assay_options* options, assay_history** history,
                                        assay_error** error);
/* `format`: NULL: by the extension of `path`. `lossy`: not 0: leave out what the format has no words for.
   `left_out` (may be NULL): what that was, a line each. */
ASSAY_API assay_status assay_write_file(const assay_history* history, const char* path, const char* format,
                                        int lossy, assay_bytes* left_out, assay_error** error);
ASSAY_API assay_status assay_write_bytes(const assay_history* history, const char* format, int lossy,
                                         assay_bytes* bytes, assay_bytes* left_out, assay_error** error);
ASSAY_API assay_counts assay_history_counts(const assay_history* history);
ASSAY_API const char* assay_history_format(const assay_history* history); /* an id; "" if it was built */
ASSAY_API void assay_history_free(assay_history* history);

/* --- building a history -------------------------------------------------------------------------------- */

typedef enum assay_value_kind ASSAY_INT {
  ASSAY_NULL = 0, /* no version */
  ASSAY_BOOLEAN = 1,
  ASSAY_INTEGER = 2,
  ASSAY_NUMBER = 3, /* any JSON number, as text */
  ASSAY_STRING = 4,
  ASSAY_ROW = 5 /* columns with values */
} assay_value_kind;

struct assay_field;

typedef struct assay_value {
  assay_value_kind kind;
  int64_t integer;                  /* of an integer or a boolean */
  const char* text;                 /* of a string or a number; `size` bytes */
  const struct assay_field* fields; /* of a row; `size` of them */
  size_t size;
} assay_value;

typedef struct assay_field {
  const char* column; /* with a zero byte at its end */
  assay_value value;  /* no row */
} assay_field;

typedef struct assay_row {
  assay_value key, value;
} assay_row;

typedef enum assay_operation_kind ASSAY_INT {
  ASSAY_READ = 0,         /* key, value */
  ASSAY_WRITE = 1,        /* key, value */
  ASSAY_APPEND = 2,       /* key, value: the element */
  ASSAY_LIST_READ = 3,    /* key, values */
  ASSAY_ONE_OF = 4,       /* key, values: a read that returned one of these */
  ASSAY_INSERT = 5,       /* key, value */
  ASSAY_DELETE = 6,       /* key, met_row */
  ASSAY_SCAN = 7,         /* low, high, rows */
  ASSAY_SELECT = 8,       /* predicate, rows */
  ASSAY_UPDATE = 9,       /* predicate, rows: what each matching row became */
  ASSAY_UPDATE_MAYBE = 10 /* predicate, rows: what each became where it matched; changed */
} assay_operation_kind;

typedef enum assay_known ASSAY_INT { ASSAY_NOT_KNOWN = 0, ASSAY_YES = 1, ASSAY_NO = 2 } assay_known;

/* A predicate is its nodes in prefix order: `a = 1 and b is null` is
   {"and", 2} {"=", 1, "a"} {NULL, 0, NULL, 1} {"null", 0, "b"}. docs/formats.md has the operators. */
typedef struct assay_predicate_node {
  const char* operation; /* NULL: a constant */
  uint32_t operands;     /* nodes that follow: predicates below and, or, not; otherwise constants */
  const char* column;    /* unless it is and, or, not, or a constant */
  assay_value constant;
} assay_predicate_node;

typedef struct assay_operation {
  assay_operation_kind kind;
  assay_known met_row;
  assay_value key, value; /* keys are integers or strings */
  assay_value low, high;  /* inclusive */
  const assay_value* values;
  size_t value_count;
  const assay_row* rows;
  size_t row_count;
  const assay_predicate_node* predicate;
  size_t predicate_count;
  const uint64_t* changed; /* how many rows were; NULL: not known */
} assay_operation;

typedef enum assay_outcome ASSAY_INT {
  ASSAY_COMMITTED = 0,
  ASSAY_ABORTED = 1,
  ASSAY_UNKNOWN = 2
} assay_outcome;

typedef struct assay_transaction {
  assay_value session; /* an integer or a string; a session's transactions are given in their order */
  assay_value name;    /* an integer or a string, unique in the history; null: it has none */
  assay_outcome outcome;
  const int64_t *begin, *began, *committing, *end; /* nanoseconds of the client's clock; NULL: not known */
} assay_transaction;

typedef struct assay_builder assay_builder;

ASSAY_API assay_builder* assay_builder_new(void); /* NULL: no memory */
ASSAY_API void assay_builder_free(assay_builder* builder);
/* What a key starts with, `key` NULL: what every key does. Without it that is null: no version. */
ASSAY_API assay_status assay_builder_set_initial(assay_builder* builder, const assay_value* key,
                                                 const assay_value* value, assay_error** error);
/* The operation belongs to the transaction that assay_builder_finish() closes next. Where one of the two
   fails, the operations of that transaction are forgotten. */
ASSAY_API assay_status assay_builder_add(assay_builder* builder, const assay_operation* operation,
                                         assay_error** error);
ASSAY_API assay_status assay_builder_finish(assay_builder* builder, const assay_transaction* transaction,
                                            assay_error** error);

/* Many transactions at once, as arrays of numbers. Those before one that is wrong are kept. */
typedef struct assay_columns {
  size_t transactions, operations, elements;
  /* By transaction. */
  const int64_t* session;
  const uint64_t* operations_end; /* where its operations end, and the next one's begin */
  const uint8_t* outcome;         /* assay_outcome; NULL: all are committed */
  const int64_t *begin, *end;     /* nanoseconds; NULL: not known */
  /* By operation. */
  const uint8_t* kind; /* assay_operation_kind: read, write, append, list read, insert, delete */
  const int64_t* key;
  const int64_t* value;   /* of a list read: how many elements it returned */
  const uint8_t* is_null; /* not 0: a read returned null; NULL: none did */
  /* What list reads returned, one after the other. */
  const int64_t* element;
} assay_columns;

ASSAY_API assay_status assay_builder_add_columns(assay_builder* builder, const assay_columns* columns,
                                                 assay_error** error);
/* Makes a history of what was added; the builder is empty then. `name`: what messages and reports call it;
   may be NULL. */
ASSAY_API assay_status assay_builder_build(assay_builder* builder, const char* name, assay_history** history,
                                           assay_error** error);

/* --- judging ------------------------------------------------------------------------------------------- */

typedef struct assay_findings assay_findings;

/* `levels`: ids or names with commas between them, or "all", which leaves out the levels of real time where
   the history has no clocks. Limits do not make the call fail: a level is undecided then, and says why. */
ASSAY_API assay_status assay_judge(const assay_history* history, const char* levels,
                                   const assay_options* options, assay_findings** findings,
                                   assay_error** error);
ASSAY_API void assay_findings_free(assay_findings* findings);
ASSAY_API size_t assay_findings_count(const assay_findings* findings); /* in the order that was asked for */
ASSAY_API assay_status assay_findings_get(const assay_findings* findings, size_t index,
                                          assay_finding* finding);
/* Levels that this history cannot be judged at. */
ASSAY_API size_t assay_refused_count(const assay_findings* findings);
ASSAY_API const char* assay_refused_level(const assay_findings* findings, size_t index);
ASSAY_API const char* assay_refused_reason(const assay_findings* findings, size_t index);
/* What a reader of the verdicts should know: that the history tests nothing, for instance. */
ASSAY_API size_t assay_note_count(const assay_findings* findings);
ASSAY_API const char* assay_note(const assay_findings* findings, size_t index);

/* --- explaining and printing --------------------------------------------------------------------------- */

typedef struct assay_explanation {
  const char* levels;  /* that are violated by it, as "ser, si" */
  const char* anomaly; /* "lost-update" */
  const char* title;   /* "Lost update on x" */
  int32_t minimal;     /* nothing can be left out of the part; 0: time was up */
} assay_explanation;

ASSAY_API size_t assay_explanation_count(const assay_findings* findings);
ASSAY_API assay_status assay_explanation_get(const assay_findings* findings, size_t index,
                                             assay_explanation* explanation);
/* The few transactions of the history that still violate the levels. */
ASSAY_API assay_status assay_explanation_part(const assay_findings* findings, size_t index,
                                              assay_history** part, assay_error** error);

typedef enum assay_form ASSAY_INT {
  ASSAY_TEXT = 0,      /* as assay check prints it */
  ASSAY_FULL_TEXT = 1, /* as assay explain prints it */
  ASSAY_JSON = 2,      /* one line; docs/report.md */
  ASSAY_HTML = 3,      /* one page that needs nothing else */
  ASSAY_DOT = 4,       /* for Graphviz */
  ASSAY_JUNIT = 5      /* XML for continuous integration */
} assay_form;

#define ASSAY_EVERYTHING (-1)

/* All findings, or the explanation of that number (as text, JSON or DOT). */
ASSAY_API assay_status assay_print(const assay_findings* findings, assay_form form, int64_t explanation,
                                   assay_bytes* text, assay_error** error);

/* --- evidence ------------------------------------------------------------------------------------------ */

/* The evidence for all verdicts, as docs/certificates.md says. */
ASSAY_API assay_status assay_certificate(const assay_findings* findings, assay_bytes* text,
                                         assay_error** error);

typedef struct assay_claims assay_claims;

typedef struct assay_claim {
  const char* level;
  assay_verdict verdict; /* holds or violated */
  int64_t skew;
} assay_claim;

/* Checks a certificate with code that shares nothing with the search. ASSAY_OK: each claim is shown.
   It keeps no limits: time is linear in the history and the certificate for most levels. */
ASSAY_API assay_status assay_certify(const assay_history* history, const char* certificate, size_t size,
                                     assay_claims** claims, assay_error** error);
ASSAY_API void assay_claims_free(assay_claims* claims);
ASSAY_API size_t assay_claims_count(const assay_claims* claims);
ASSAY_API assay_status assay_claims_get(const assay_claims* claims, size_t index, assay_claim* claim);

/* --- what there is ------------------------------------------------------------------------------------- */

typedef struct assay_level {
  const char *id, *name, *definition;
  int32_t needs_clocks;
} assay_level;

ASSAY_API size_t assay_level_count(void);
ASSAY_API assay_status assay_level_get(size_t index, assay_level* level);

typedef struct assay_format {
  const char *id, *description;
  int32_t can_be_written;
} assay_format;

ASSAY_API size_t assay_format_count(void);
ASSAY_API assay_status assay_format_get(size_t index, assay_format* format);

#ifdef __cplusplus
}
#endif

#endif
