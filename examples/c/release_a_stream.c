/* Releases a table that is in memory: eight people, made here as an Arrow stream of one batch, and shows what comes out.
 *   cc release_a_stream.c $(pkg-config --cflags --libs tada) */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tada/tada.h>

enum { kRows = 8 };
static const int32_t kAges[kRows] = {21, 23, 28, 29, 41, 44, 47, 49};
static const char* const kDiseases[kRows] = {"flu", "cold", "flu", "asthma", "flu", "cold", "asthma", "cold"};

/* What a schema or an array owns is on the heap, and goes with it. */
static void ReleaseSchema(struct ArrowSchema* schema) {
  for (int64_t i = 0; i < schema->n_children; ++i) {
    if (schema->children[i]->release != NULL) schema->children[i]->release(schema->children[i]);
    free(schema->children[i]);
  }
  free(schema->children);
  schema->release = NULL;
}

static void ReleaseArray(struct ArrowArray* array) {
  for (int64_t i = 0; i < array->n_children; ++i) {
    if (array->children[i]->release != NULL) array->children[i]->release(array->children[i]);
    free(array->children[i]);
  }
  for (int64_t i = 0; i < array->n_buffers; ++i) free((void*)array->buffers[i]);
  free(array->children);
  free(array->buffers);
  array->release = NULL;
}

static void FillSchema(struct ArrowSchema* schema, const char* format, const char* name, int64_t children) {
  memset(schema, 0, sizeof *schema);
  schema->format = format;
  schema->name = name;
  schema->n_children = children;
  schema->children = calloc((size_t)children, sizeof *schema->children);
  for (int64_t i = 0; i < children; ++i) schema->children[i] = calloc(1, sizeof **schema->children);
  schema->release = &ReleaseSchema;
}

static void FillArray(struct ArrowArray* array, int64_t rows, int64_t buffers, int64_t children) {
  memset(array, 0, sizeof *array);
  array->length = rows;
  array->n_buffers = buffers;
  array->buffers = calloc((size_t)buffers, sizeof *array->buffers);
  array->n_children = children;
  array->children = calloc((size_t)children, sizeof *array->children);
  for (int64_t i = 0; i < children; ++i) array->children[i] = calloc(1, sizeof **array->children);
  array->release = &ReleaseArray;
}

static int GetSchema(struct ArrowArrayStream* stream, struct ArrowSchema* out) {
  (void)stream;
  FillSchema(out, "+s", "", 2);
  FillSchema(out->children[0], "i", "age", 0);
  FillSchema(out->children[1], "u", "disease", 0);
  return 0;
}

static int GetNext(struct ArrowArrayStream* stream, struct ArrowArray* out) {
  memset(out, 0, sizeof *out);
  if (stream->private_data == NULL) return 0; /* an array that is released already ends the stream */
  stream->private_data = NULL;
  FillArray(out, kRows, 1, 2);
  FillArray(out->children[0], kRows, 2, 0);
  int32_t* ages = malloc(sizeof kAges);
  memcpy(ages, kAges, sizeof kAges);
  out->children[0]->buffers[1] = ages;
  FillArray(out->children[1], kRows, 3, 0);
  int32_t* offsets = calloc(kRows + 1, sizeof *offsets);
  char* texts = calloc(kRows, 16);
  for (int i = 0; i < kRows; ++i) {
    memcpy(texts + offsets[i], kDiseases[i], strlen(kDiseases[i]));
    offsets[i + 1] = offsets[i] + (int32_t)strlen(kDiseases[i]);
  }
  out->children[1]->buffers[1] = offsets;
  out->children[1]->buffers[2] = texts;
  return 0;
}

static const char* GetLastError(struct ArrowArrayStream* stream) {
  (void)stream;
  return NULL;
}

static void ReleaseStream(struct ArrowArrayStream* stream) { stream->release = NULL; }

int main(void) {
  struct ArrowArrayStream people = {&GetSchema, &GetNext, &GetLastError, &ReleaseStream, "rows are left"};
  struct ArrowArrayStream released = {0};
  const tada_table table = {&people, NULL, "people"};
  const tada_output output = {&released, NULL, 0};
  const char* plan = "quasi = [\"age\"]\nsensitive = [\"disease\"]\nk = 2\nl = 2\ncells = \"text\"\n";
  tada_error error = {0};
  char* report = NULL;
  if (tada_anonymize(&table, plan, &output, NULL, &report, &error) != TADA_OK) {
    fprintf(stderr, "error: %s\nhint: %s\n", error.message, error.hint);
    tada_error_clear(&error);
    return 1;
  }
  struct ArrowSchema schema;
  struct ArrowArray batch;
  if (released.get_schema(&released, &schema) != 0 || released.get_next(&released, &batch) != 0) return 1;
  const char* ages = batch.children[0]->buffers[2];
  const int32_t* offsets = batch.children[0]->buffers[1];
  printf("%s\n", schema.children[0]->name);
  for (int64_t i = 0; i < batch.length; ++i) printf("%.*s\n", (int)(offsets[i + 1] - offsets[i]), ages + offsets[i]);
  batch.release(&batch);
  schema.release(&schema);
  released.release(&released);
  tada_free(report);
  return 0;
}
