/* LLVM's reader and verifier for one module after the other, as `llvm-as` has them.
 *
 * A request is the length of a text, four bytes, and the text. The answer is the length of what is wrong with it, four
 * bytes, and that: nothing where LLVM accepts it. Each text is read in a process of its own, since some errors end it. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Of LLVM's C interface, whose headers need not be installed. */
extern void *LLVMContextCreate(void);
extern void *LLVMCreateMemoryBufferWithMemoryRangeCopy(const char *text, size_t length, const char *name);
extern int LLVMParseIRInContext(void *context, void *buffer, void **module, char **message);
extern int LLVMVerifyModule(void *module, int action, char **message);
enum { RETURN_STATUS = 2 };

/* Says what is wrong with a text. What LLVM says itself before it ends the process is part of that. */
static void look(const char *text, size_t length, FILE *out) {
    dup2(fileno(out), STDERR_FILENO);
    void *module = NULL;
    char *message = NULL;
    void *buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text, length, "input.ll");
    if (LLVMParseIRInContext(LLVMContextCreate(), buffer, &module, &message) ||
        LLVMVerifyModule(module, RETURN_STATUS, &message))
        fputs(message && *message ? message : "refused", out);
    fclose(out);
}

int main(void) {
    uint32_t length;
    while (fread(&length, sizeof length, 1, stdin) == 1) {
        char *text = malloc(length + 1);
        FILE *answer = tmpfile();
        if (!text || !answer || fread(text, 1, length, stdin) != length)
            return 1;
        text[length] = 0;
        pid_t child = fork();
        if (child < 0)
            return 1;
        if (child == 0) {
            look(text, length, answer);
            _exit(0);
        }
        int status;
        if (waitpid(child, &status, 0) != child)
            return 1;
        fseek(answer, 0, SEEK_END);
        if ((!WIFEXITED(status) || WEXITSTATUS(status) != 0) && ftell(answer) == 0)
            fputs("LLVM itself failed", answer);
        uint32_t said = (uint32_t)ftell(answer);
        rewind(answer);
        fwrite(&said, sizeof said, 1, stdout);
        for (int byte; (byte = fgetc(answer)) != EOF;)
            putchar(byte);
        fflush(stdout);
        fclose(answer);
        free(text);
    }
    return 0;
}
