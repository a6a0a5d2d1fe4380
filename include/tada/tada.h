/* tada: target-aware data anonymization, for C and for whatever can call C.
 *
 * Tables come and go as Arrow C streams, or as the paths of files. What is asked for is a text: a plan in TOML, as docs/formats.md
 * shows it, or the same in JSON; the options of a command stand in it beside those of the plan. Results are JSON texts.
 *
 * Every function returns 0, or the number of what went wrong (tada_code), and then fills `error` unless it is NULL. Texts that a
 * function hands out belong to the caller, who gives them back to tada_free. Nothing is printed, and no exception leaves the library.
 * Functions may be called from several threads at once.
 */
#ifndef TADA_TADA_H_
#define TADA_TADA_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The Arrow C data and stream interfaces, exactly as Arrow defines them. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};
struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};
#endif
#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE
struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};
#endif

#if defined(__GNUC__)
#define TADA_EXPORT __attribute__((visibility("default")))
#else
#define TADA_EXPORT
#endif

/* What went wrong: the exit codes of the program. */
typedef enum tada_code {
  TADA_OK = 0,
  TADA_AUDIT_FAILED = 1,  /* of tada_anonymize: a bug in tada; nothing was released */
  TADA_USAGE = 2,         /* wrong plan, option, column or method */
  TADA_DATA = 3,          /* the input cannot be read or is damaged */
  TADA_INFEASIBLE = 4,    /* the data cannot meet the requirement */
  TADA_OUTPUT = 5,        /* the output cannot be written */
  TADA_INTERNAL = 70,     /* a bug in tada */
  TADA_INTERRUPTED = 130  /* stopped on request */
} tada_code;

/* Begin with {0}. tada_error_clear gives its texts back; a function that fails clears it first. */
typedef struct tada_error {
  int32_t code;
  char* message; /* what is wrong, and where */
  char* hint;    /* what to do; may be "" */
} tada_error;

/* A table to read: a stream, which is taken over and released, or else the path of a file (.csv, .csv.gz; .parquet, .arrow and
 * .feather where the library was built with Arrow). `name` is what messages call a stream; NULL: "the table". */
typedef struct tada_table {
  struct ArrowArrayStream* stream;
  const char* path;
  const char* name;
} tada_table;

/* Where a table goes: a stream to be filled in, or else a file, which appears whole or not at all. An existing file needs `force`. */
typedef struct tada_output {
  struct ArrowArrayStream* stream;
  const char* path;
  int force;
} tada_output;

/* Stops work on request, from any thread or a signal handler. */
typedef struct tada_cancel tada_cancel;
TADA_EXPORT tada_cancel* tada_cancel_new(void);
TADA_EXPORT void tada_cancel_request(tada_cancel* cancel);
TADA_EXPORT void tada_cancel_free(tada_cancel* cancel);

/* Who waits for the work; NULL for nobody. `progress` may be called from several threads, though never from two at once; `total` is
 * 0 where it is not known. */
typedef struct tada_context {
  void (*progress)(void* data, const char* stage, uint64_t done, uint64_t total);
  void* data;
  tada_cancel* cancel;
} tada_context;

/* "0.2.0" */
TADA_EXPORT const char* tada_version(void);
TADA_EXPORT void tada_free(char* text);
TADA_EXPORT void tada_error_clear(tada_error* error);

/* Releases a table, audited before anything is handed out. `report` (may be NULL) gets the report. */
TADA_EXPORT int tada_anonymize(const tada_table* table, const char* plan, const tada_output* output,
                               const tada_context* context, char** report, tada_error* error);

/* Releases other rows by the cuts of an earlier release: `cuts` is the JSON text that `save-cuts = "file"` of a plan wrote. `plan` says what the
   options of 'tada apply' say, as TOML: misfits, append, people. */
TADA_EXPORT int tada_apply(const char* cuts, const tada_table* table, const char* plan, const tada_output* output,
                           const tada_context* context, char** report, tada_error* error);

/* Verifies a release, against its original if that is not NULL. A failed audit is an answer: the verdict says "passed": false. */
TADA_EXPORT int tada_audit(const tada_table* release, const tada_table* original, const char* plan,
                           const tada_context* context, char** verdict, tada_error* error);

/* Profiles a table and proposes roles. `draft` (may be NULL) gets a plan in TOML. */
TADA_EXPORT int tada_inspect(const tada_table* table, const char* plan, const tada_context* context, char** profile,
                             char** draft, tada_error* error);

/* Simulates an attacker on a release. `population` may be NULL. */
TADA_EXPORT int tada_attack(const tada_table* release, const tada_table* original, const tada_table* population,
                            const char* plan, const tada_context* context, char** result, tada_error* error);

/* What several releases give away together. */
TADA_EXPORT int tada_compose(const tada_table* releases, size_t count, const char* plan, const tada_context* context,
                             char** result, tada_error* error);

/* Several releases of one table side by side. The result shows figures of the original: it is confidential. */
TADA_EXPORT int tada_compare(const tada_table* releases, size_t count, const tada_table* original, const char* plan,
                             const tada_context* context, char** result, tada_error* error);

/* A plain table to train models on. `learn_from` (may be NULL) is another release that shares are estimated from. */
TADA_EXPORT int tada_decode(const tada_table* release, const tada_table* learn_from, const char* plan,
                            const tada_output* output, const tada_context* context, char** result, tada_error* error);

/* What models still learn from releases, over a grid of methods, k and l. */
TADA_EXPORT int tada_evaluate(const tada_table* table, const char* plan, const tada_context* context, char** result,
                              tada_error* error);

/* Every sensible way to recode whole columns, with how anonymous and how useful each is. */
TADA_EXPORT int tada_advise(const tada_table* table, const char* plan, const tada_context* context, char** advice,
                            tada_error* error);

/* Writes a new secret key, for pseudonyms and manifests, to a file that its owner alone may read. Never overwrites one. `public_key`
 * (may be NULL) gets its public half. */
TADA_EXPORT int tada_key(const char* path, char** public_key, tada_error* error);

#ifdef __cplusplus
}
#endif

#endif /* TADA_TADA_H_ */
