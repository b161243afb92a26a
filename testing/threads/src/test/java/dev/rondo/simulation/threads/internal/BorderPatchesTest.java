package dev.rondo.simulation.threads.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.instruction.InvokeInstruction;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Which classes of this JDK have threads wait, and whether each of them is known.
final class BorderPatchesTest {

  private static final Path CONCURRENT =
      FileSystems.getFileSystem(URI.create("jrt:/"))
          .getPath("/modules/java.base/java/util/concurrent");

  /// What follows the name of the outermost class.
  private static final Pattern REST = Pattern.compile("[$.].*");

  private static final Set<String> WAITS =
      Set.of("park", "parkNanos", "parkUntil", "managedBlock", "wait");

  /// Those that have threads wait, but for no other thread with a limit.
  private static final Set<String> OTHERS =
      Set.of(
          // for the initialisation of a bin and for a short change of one, without a limit
          "ConcurrentHashMap",
          // of a pool, for work
          "DelayScheduler",
          // for work; pools are refused where work is given to them
          "ForkJoinPool",
          // what others wait by
          "LockSupport",
          // for the threads that the caller has started itself
          "ThreadPerTaskExecutor",
          // on a monitor, which programs notify
          "TimeUnit");

  @Test
  void table_hasAllClassesOfThisJdkThatHaveThreadsWait() throws IOException {
    Set<String> waiting = new TreeSet<>();
    try (Stream<Path> files = Files.walk(CONCURRENT)) {
      files
          .filter(each -> each.toString().endsWith(".class"))
          .filter(BorderPatchesTest::waits)
          .map(each -> outermost(each.getFileName().toString()))
          .forEach(waiting::add);
    }
    Set<String> known =
        BorderPatches.ALL.stream()
            .map(each -> outermost(each.type().substring(each.type().lastIndexOf('.') + 1)))
            .collect(Collectors.toCollection(TreeSet::new));
    known.addAll(OTHERS);
    waiting.removeAll(known);
    assertEquals(Set.of(), waiting);
  }

  private static String outermost(String name) {
    return REST.matcher(name).replaceFirst("");
  }

  private static boolean waits(Path file) {
    try {
      ClassModel model = ClassFile.of().parse(Files.readAllBytes(file));
      return model.methods().stream()
          .flatMap(each -> each.code().stream())
          .flatMap(code -> code.elementList().stream())
          .anyMatch(BorderPatchesTest::isWait);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isWait(CodeElement element) {
    return element instanceof InvokeInstruction call && WAITS.contains(call.name().stringValue());
  }
}
