package dev.rondo.simulation.threads.internal;

import static dev.rondo.simulation.threads.internal.HookMethod.border;
import static dev.rondo.simulation.threads.internal.HookMethod.chance;
import static dev.rondo.simulation.threads.internal.HookMethod.file;
import static dev.rondo.simulation.threads.internal.HookMethod.hook;
import static dev.rondo.simulation.threads.internal.HookMethod.process;
import static dev.rondo.simulation.threads.internal.HookMethod.stream;
import static java.lang.constant.ConstantDescs.CD_Class;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_double;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import dev.rondo.simulation.internal.agent.CallTable;
import dev.rondo.simulation.internal.agent.CalledMethod;
import java.lang.constant.ClassDesc;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The calls of the JDK that become calls of the [Hook].
///
/// Any thread.
final class HookCalls implements CallTable {

  private static final ClassDesc THREAD = ClassDesc.of("java.lang.Thread");
  private static final ClassDesc RUNTIME = ClassDesc.of("java.lang.Runtime");
  private static final ClassDesc FILES = ClassDesc.of("java.nio.file.FileSystem");
  private static final ClassDesc FILE = ClassDesc.of("java.io.File");
  private static final ClassDesc PATH = ClassDesc.of("java.nio.file.Path");
  private static final ClassDesc URI = ClassDesc.of("java.net.URI");
  private static final ClassDesc STRINGS = CD_String.arrayType();
  private static final ClassDesc ATTRIBUTES =
      ClassDesc.of("java.nio.file.attribute.FileAttribute").arrayType();

  private static final Map<String, Replacement> CLOCKS =
      Map.of(
          "java.lang.System.nanoTime()",
          by(hook("nanoTime", CD_long)),
          "java.lang.System.currentTimeMillis()",
          by(hook("currentTimeMillis", CD_long)),
          "jdk.internal.misc.VM.getNanoTimeAdjustment(long)",
          (code, called) -> {
            code.dup2();
            called.writeTo(code);
            hook("nanoTimeAdjustment", CD_long, CD_long, CD_long).call(code);
          });

  /// The running thread, as the program sees it.
  private static final Map<String, Replacement> THREADS =
      Map.of(
          "java.lang.Thread.currentThread()",
          by(hook("currentThread", THREAD)),
          "java.lang.Runtime.availableProcessors()",
          by(hook("availableProcessors", CD_int, RUNTIME)),
          "jdk.internal.misc.Unsafe.park(boolean,long)",
          by(hook("park", CD_void, CD_Object, CD_boolean, CD_long)),
          "jdk.internal.misc.Unsafe.unpark(java.lang.Object)",
          by(hook("unpark", CD_void, CD_Object, CD_Object)));

  /// Methods of the JDK that compare the running thread with threads made by a program.
  static final Set<String> SEE_THREADS =
      Set.of(
          "java.util.concurrent.CompletableFuture",
          "java.util.concurrent.CountedCompleter",
          "java.util.concurrent.DelayScheduler",
          "java.util.concurrent.ForkJoinPool",
          "java.util.concurrent.ForkJoinTask",
          "java.util.concurrent.ForkJoinWorkerThread",
          "java.util.concurrent.ThreadPerTaskExecutor",
          "java.util.concurrent.ThreadPoolExecutor",
          "java.lang.ThreadBuilders$BoundVirtualThread");

  private static final Map<String, Replacement> NOTIFICATIONS =
      Map.of(
          "java.lang.Object.notify()",
          by(border("notify", CD_void, CD_Object)),
          "java.lang.Object.notifyAll()",
          by(border("notifyAll", CD_void, CD_Object)));

  /// Readings of the JVM that may differ in another run.
  private static final Map<String, Replacement> READINGS =
      Map.of(
          "java.lang.Runtime.freeMemory()",
          after(process("memory", CD_long, CD_long)),
          "java.lang.Runtime.totalMemory()",
          after(process("memory", CD_long, CD_long)),
          "java.lang.System.getenv(java.lang.String)",
          after(process("variable", CD_String, CD_String)));

  /// The JDK's own calls stay.
  private static final Map<String, Replacement> OF_PROGRAMS =
      Map.of(
          "java.lang.Thread.onSpinWait()",
          by(hook("spin", CD_void)),
          "java.lang.Math.random()",
          by(chance("random", CD_double)),
          "java.nio.file.FileSystems.getDefault()",
          by(file("files", FILES)),
          "java.nio.file.Path.of(java.lang.String,String[])",
          by(file("path", PATH, CD_String, STRINGS)),
          "java.nio.file.Paths.get(java.lang.String,String[])",
          by(file("path", PATH, CD_String, STRINGS)),
          "java.io.File.toPath()",
          by(file("path", PATH, FILE)),
          "java.nio.file.Path.toFile()",
          by(file("file", FILE, PATH)),
          "java.nio.file.Files.createTempFile(java.lang.String,java.lang.String,FileAttribute[])",
          by(file("temporaryFile", PATH, CD_String, CD_String, ATTRIBUTES)),
          "java.nio.file.Files.createTempDirectory(java.lang.String,FileAttribute[])",
          by(file("temporaryFolder", PATH, CD_String, ATTRIBUTES)));

  /// Conversions between URIs and paths, which are paths of the program's own file system.
  private static final Map<String, Replacement> URIS =
      Map.of(
          "java.nio.file.Path.of(java.net.URI)",
          by(file("path", PATH, URI)),
          "java.nio.file.Paths.get(java.net.URI)",
          by(file("path", PATH, URI)),
          "java.nio.file.Path.toUri()",
          by(file("uri", URI, PATH)));

  private static final ClassDesc RANDOM_ACCESS = ClassDesc.of("java.io.RandomAccessFile");

  /// A native method, which has no code to change.
  private static final Map<String, Replacement> POSITION =
      Map.of(
          "java.io.RandomAccessFile.getFilePointer()",
          (code, called) -> {
            code.dup();
            stream("isOnDisk", CD_boolean, RANDOM_ACCESS).call(code);
            code.ifThenElse(
                disk -> stream("position", CD_long, RANDOM_ACCESS).call(disk), called::writeTo);
          });

  /// Of the file that a `ZipFile` reads.
  private static final Map<String, Replacement> ZIP_ATTRIBUTES =
      Map.of(
          "java.nio.file.Files.readAttributes(java.nio.file.Path,java.lang.Class,LinkOption[])",
          by(
              file(
                  "attributes",
                  ClassDesc.of("java.nio.file.attribute.BasicFileAttributes"),
                  PATH,
                  CD_Class,
                  ClassDesc.of("java.nio.file.LinkOption").arrayType())));

  private final List<Map<String, Replacement>> tables;

  private HookCalls(List<Map<String, Replacement>> tables) {
    this.tables = tables;
  }

  /// {@return the calls in classes of programs and their libraries}
  static HookCalls ofPrograms() {
    return new HookCalls(
        List.of(CLOCKS, THREADS, NOTIFICATIONS, READINGS, OF_PROGRAMS, URIS, POSITION));
  }

  /// {@return the calls in a class of the JDK}
  ///
  /// @param name of the class, with dots
  static HookCalls ofJdk(String name) {
    int nested = name.indexOf('$');
    boolean sees =
        SEE_THREADS.contains(name)
            || (nested > 0 && SEE_THREADS.contains(name.substring(0, nested)));
    if (sees) {
      return new HookCalls(List.of(CLOCKS, THREADS, NOTIFICATIONS));
    }
    return new HookCalls(
        switch (name) {
          // the thread that notifies there is one with which the JDK collects garbage
          case "java.lang.ref.ReferenceQueue" -> List.of(CLOCKS);
          case "java.util.zip.ZipFile$Source" -> List.of(CLOCKS, NOTIFICATIONS, ZIP_ATTRIBUTES);
          // with a lock file
          case "java.util.logging.FileHandler" -> List.of(CLOCKS, NOTIFICATIONS, OF_PROGRAMS);
          default -> List.of(CLOCKS, NOTIFICATIONS, POSITION);
        });
  }

  /// The hook receives the result.
  private static Replacement after(HookMethod method) {
    return (code, called) -> {
      called.writeTo(code);
      method.call(code);
    };
  }

  private static Replacement by(HookMethod method) {
    return (code, called) -> method.call(code);
  }

  /// {@return the calls that the JDK itself has to make}
  static Set<String> madeByJdk() {
    return Stream.of(CLOCKS, THREADS)
        .flatMap(each -> each.keySet().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public @Nullable Replacement replacementOf(CalledMethod called) {
    String name = called.toString();
    for (Map<String, Replacement> each : tables) {
      Replacement found = each.get(name);
      if (found != null) {
        return found;
      }
    }
    return null;
  }
}
