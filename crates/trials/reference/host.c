/* Runs the kernels of an OpenCL C source under whichever OpenCL implementation is installed, and writes what buffers hold
 * afterwards. The argument is a file that says what to do, one thing a line, words separated by spaces:
 *
 *   source FILE OPTIONS...        builds a program; once, first
 *   kernel NAME GX GY GZ BX BY BZ begins a launch: workgroups in each dimension, work-items of a workgroup in each
 *   buffer NAME INPUT OUTPUT      an argument that is a buffer, with the bytes of one file; at the end they go to another.
 *                                 Where the parameter points to local memory, only the size of the file counts
 *   scalar NAME NUMBER            an argument that is a number; the parameter's type decides how it is read
 *   run                           runs the launch and writes its buffers
 *
 * A NAME of an argument is that of the parameter, or its position from 0. Exit status: 0 when all went well; 3 when the
 * program does not build here, which says something about the implementation rather than the launch; 1 for anything else.
 */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ARGUMENTS = 64, MAX_LINE = 4096, CANNOT_BUILD = 3 };

static _Noreturn void fail(int status, const char *format, ...) {
  va_list values;
  va_start(values, format);
  vfprintf(stderr, format, values);
  va_end(values);
  fputc('\n', stderr);
  exit(status);
}

static void check(cl_int error, const char *what) {
  if (error != CL_SUCCESS)
    fail(1, "%s: OpenCL error %d", what, error);
}

static char *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file)
    fail(1, "%s: %s", path, strerror(errno));
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  char *bytes = malloc(*size + 1);
  if (!bytes || fread(bytes, 1, *size, file) != *size)
    fail(1, "%s: cannot read it", path);
  bytes[*size] = 0;
  fclose(file);
  return bytes;
}

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_kernel kernel;
static size_t global[3], local[3];
static struct {
  cl_mem buffer;
  size_t size;
  char output[MAX_LINE];
} buffers[MAX_ARGUMENTS];
static int buffer_count;

static void open_device(void) {
  cl_platform_id platform;
  cl_int error;
  check(clGetPlatformIDs(1, &platform, NULL), "no OpenCL platform");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "no OpenCL device");
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  check(error, "clCreateContext");
  queue = clCreateCommandQueue(context, device, 0, &error);
  check(error, "clCreateCommandQueue");
}

static void build(const char *path, const char *options) {
  size_t size;
  cl_int error;
  const char *text = read_file(path, &size);
  program = clCreateProgramWithSource(context, 1, &text, &size, &error);
  check(error, "clCreateProgramWithSource");
  error = clBuildProgram(program, 1, &device, options, NULL, NULL);
  if (error != CL_SUCCESS) {
    size_t length = 0;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &length);
    char *log = calloc(length + 1, 1);
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, length, log, NULL);
    fail(CANNOT_BUILD, "OpenCL error %d\n%s", error, log);
  }
}

/* The parameter that a name stands for. In PoCL the names of built-in functions are macros for others with a prefix, also where
 * they name a parameter. */
static cl_uint parameter(const char *name) {
  cl_uint count;
  check(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL), "clGetKernelInfo");
  if (isdigit((unsigned char)*name))
    return (cl_uint)atoi(name);
  for (cl_uint i = 0; i < count; ++i) {
    char found[MAX_LINE] = "";
    check(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_NAME, sizeof found, found, NULL), "clGetKernelArgInfo");
    const char *known = strncmp(found, "_cl_", 4) == 0 ? found + 4 : found;
    if (strcmp(known, name) == 0)
      return i;
  }
  fail(1, "the kernel has no parameter %s", name);
}

static void set_scalar(const char *name, const char *text) {
  cl_uint at = parameter(name);
  char type[MAX_LINE] = "";
  check(clGetKernelArgInfo(kernel, at, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, NULL), "clGetKernelArgInfo");
  static const struct {
    const char *name;
    size_t size;
  } integers[] = {{"char", 1}, {"uchar", 1},  {"short", 2}, {"ushort", 2}, {"int", 4},
                  {"uint", 4}, {"long", 8}, {"ulong", 8}};
  if (strcmp(type, "float") == 0) {
    float value = strtof(text, NULL);
    check(clSetKernelArg(kernel, at, sizeof value, &value), name);
    return;
  }
  if (strcmp(type, "double") == 0) {
    double value = strtod(text, NULL);
    check(clSetKernelArg(kernel, at, sizeof value, &value), name);
    return;
  }
  for (size_t i = 0; i < sizeof integers / sizeof *integers; ++i)
    if (strcmp(type, integers[i].name) == 0) {
      cl_ulong value = *text == '-' ? (cl_ulong)strtoll(text, NULL, 0) : strtoull(text, NULL, 0);
      check(clSetKernelArg(kernel, at, integers[i].size, &value), name);
      return;
    }
  fail(1, "parameter %s: no numbers of type %s", name, type);
}

static void set_buffer(const char *name, const char *input, const char *output) {
  size_t size;
  cl_int error;
  cl_uint at = parameter(name);
  cl_kernel_arg_address_qualifier space;
  char *bytes = read_file(input, &size);
  check(clGetKernelArgInfo(kernel, at, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL), name);
  if (space == CL_KERNEL_ARG_ADDRESS_LOCAL) {
    free(bytes);
    check(clSetKernelArg(kernel, at, size, NULL), name);
    return;
  }
  if (buffer_count == MAX_ARGUMENTS)
    fail(1, "too many buffers");
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, size, bytes, &error);
  check(error, "clCreateBuffer");
  free(bytes);
  check(clSetKernelArg(kernel, at, sizeof buffer, &buffer), name);
  buffers[buffer_count].buffer = buffer;
  buffers[buffer_count].size = size;
  strcpy(buffers[buffer_count++].output, output);
}

static void run(void) {
  check(clEnqueueNDRangeKernel(queue, kernel, 3, NULL, global, local, 0, NULL, NULL), "clEnqueueNDRangeKernel");
  check(clFinish(queue), "clFinish");
  for (int i = 0; i < buffer_count; ++i) {
    size_t size = buffers[i].size;
    char *bytes = malloc(size);
    check(clEnqueueReadBuffer(queue, buffers[i].buffer, CL_TRUE, 0, size, bytes, 0, NULL, NULL), "clEnqueueReadBuffer");
    FILE *file = fopen(buffers[i].output, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
      fail(1, "%s: %s", buffers[i].output, strerror(errno));
    free(bytes);
    clReleaseMemObject(buffers[i].buffer);
  }
  buffer_count = 0;
  clReleaseKernel(kernel);
}

int main(int count, char **arguments) {
  if (count != 2)
    fail(1, "usage: host FILE");
  FILE *script = fopen(arguments[1], "r");
  if (!script)
    fail(1, "%s: %s", arguments[1], strerror(errno));
  open_device();
  char line[MAX_LINE], first[MAX_LINE], second[MAX_LINE], third[MAX_LINE];
  while (fgets(line, sizeof line, script)) {
    int options = 0;
    line[strcspn(line, "\n")] = 0;
    if (sscanf(line, "source %s %n", first, &options) == 1) {
      build(first, line + options);
    } else if (sscanf(line, "kernel %s %zu %zu %zu %zu %zu %zu", first, &global[0], &global[1], &global[2], &local[0],
                      &local[1], &local[2]) == 7) {
      cl_int error;
      for (int i = 0; i < 3; ++i)
        global[i] *= local[i];
      kernel = clCreateKernel(program, first, &error);
      check(error, first);
    } else if (sscanf(line, "buffer %s %s %s", first, second, third) == 3) {
      set_buffer(first, second, third);
    } else if (sscanf(line, "scalar %s %s", first, second) == 2) {
      set_scalar(first, second);
    } else if (strcmp(line, "run") == 0) {
      run();
    } else {
      fail(1, "not understood: %s", line);
    }
  }
  return 0;
}
