package dev.rondo.application;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Around a wait of Rondo, which throws [dev.rondo.scheduler.TimedOutException], a `catch` clause
/// for the JDK's `TimeoutException` would never be taken. The compiler has to report it.
final class JdkTimeoutExceptionTest {

  /// Waits that can end with a timeout, as a program writes them.
  private static final List<String> WAITS =
      List.of(
          "app.sleep(d)",
          "app.await(task)",
          "app.await(task, d)",
          "app.select(task, app.time().after(d))",
          "app.within(d, () -> app.await(task))",
          "app.within(d, () -> 7)",
          "app.waitFor(() -> true)",
          "app.waitForSignal(\"go\")",
          "app.scheduler().within(d, () -> app.await(task))",
          "task.join()",
          "promise.claim()",
          "channel.receive(d)",
          "channel.send(\"text\", d)",
          "app.await(semaphore.permits(1), d)");

  @SuppressWarnings("InlineFormatString") // long, and read before the code that fills it
  private static final String PROGRAM =
      """
      import dev.rondo.application.*;
      import dev.rondo.condition.channel.*;
      import dev.rondo.condition.sync.*;
      import dev.rondo.scheduler.*;
      import java.time.Duration;

      abstract class Program {
        Application app;
        Duration d;
        Task<String> task;
        Promise<String> promise;
        Channel<String> channel;
        Semaphore semaphore;
      %s
      }
      """;

  /// A folder of its own, because the compiler would read a `module-info.class` that it finds
  /// there.
  @TempDir private Path directory;

  /// Compiles each wait in a method of its own, in a line of its own.
  private List<String> errors(String caught) {
    String methods =
        IntStream.range(0, WAITS.size())
            .mapToObj(i ->
                "void wait%d() { try { %s; } catch (%s e) { } }".formatted(i, WAITS.get(i), caught))
            .collect(Collectors.joining("\n"));
    String source = PROGRAM.formatted(methods);
    var file =
        new SimpleJavaFileObject(URI.create("string:///Program.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
          }
        };
    var found = new DiagnosticCollector<JavaFileObject>();
    ToolProvider.getSystemJavaCompiler()
        .getTask(
            null,
            null,
            found,
            List.of("-proc:none", "-Xmaxerrs", "1000", "-d", directory.toString()),
            null,
            List.of(file))
        .call();
    List<String> lines = source.lines().toList();
    return found.getDiagnostics().stream()
        .map(each -> {
          String line = lines.get((int) each.getLineNumber() - 1);
          return each.getCode() + ": " + line.replaceAll(".*try \\{ (.*); \\} catch.*", "$1");
        })
        .toList();
  }

  @Test
  void catch_theJdksTimeoutException_isAnErrorAroundEachWait() {
    assertEquals(
        WAITS.stream().map(wait -> "compiler.err.except.never.thrown.in.try: " + wait).toList(),
        errors("java.util.concurrent.TimeoutException"));
  }

  @Test
  void catch_rondosTimedOutException_compiles() {
    assertEquals(List.of(), errors("TimedOutException"));
  }
}
