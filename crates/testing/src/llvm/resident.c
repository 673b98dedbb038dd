/* A program that stays. Loaded into a tool before its `main` (LD_PRELOAD), this runs that `main` once for each request, in a
 * process of its own. What it takes to load the tool (a library of 130 megabytes, and its static objects) is paid once.
 *
 * A request on standard input is a length, four bytes, and so many bytes of texts that each end with a zero: the folder to
 * work in, and the arguments, the name of the tool first. The answer on standard output is the status as `wait` gives it,
 * and what came on standard output and on standard error, each with its length; all numbers have four bytes. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int entry(int, char **, char **);
static entry *tool;

static int run(const char *folder, char **arguments, int count, const int outputs[2]) {
    if (chdir(folder) != 0 || !freopen("/dev/null", "r", stdin))
        _exit(127);
    dup2(outputs[0], STDOUT_FILENO);
    dup2(outputs[1], STDERR_FILENO);
    return tool(count, arguments, environ);
}

static void number(uint32_t number) { fwrite(&number, sizeof number, 1, stdout); }

static void content(int file) {
    char part[1 << 16];
    number((uint32_t)lseek(file, 0, SEEK_END));
    lseek(file, 0, SEEK_SET);
    for (ssize_t length; (length = read(file, part, sizeof part)) > 0;)
        fwrite(part, 1, (size_t)length, stdout);
    close(file);
}

static int stay(int own_count, char **own_arguments, char **environment) {
    unsetenv("LD_PRELOAD");
    uint32_t length;
    while (fread(&length, sizeof length, 1, stdin) == 1) {
        char *texts = malloc(length), **arguments = calloc(length + 1, sizeof *arguments);
        if (!texts || !arguments || fread(texts, 1, length, stdin) != length)
            return 1;
        int count = 0;
        for (char *text = texts; text < texts + length; text += strlen(text) + 1)
            arguments[count++] = text;
        int outputs[2] = {memfd_create("output", MFD_CLOEXEC), memfd_create("errors", MFD_CLOEXEC)};
        pid_t child = fork();
        if (child == 0)
            return run(arguments[0], arguments + 1, count - 1, outputs);
        int status;
        if (child < 0 || waitpid(child, &status, 0) != child)
            return 1;
        number((uint32_t)status);
        content(outputs[0]);
        content(outputs[1]);
        fflush(stdout);
        free(arguments);
        free(texts);
    }
    return 0;
}

int __libc_start_main(entry *main, int count, char **arguments, entry *init, void (*fini)(void), void (*end)(void), void *stack) {
    int (*start)(entry *, int, char **, entry *, void (*)(void), void (*)(void), void *) = dlsym(RTLD_NEXT, "__libc_start_main");
    tool = main;
    return start(stay, count, arguments, init, fini, end, stack);
}
