package dev.rondo.simulation.threads.hook;

import java.io.File;
import java.io.PrintStream;
import java.lang.ref.Reference;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// What rewritten code calls for what a process has once and the JDK has for all of them, and what
/// a simulated process must not do.
public final class ProcessHook {

  /// Options of `java` with an argument.
  private static final List<String> PATHS =
      List.of("-cp", "-classpath", "--class-path", "-p", "--module-path", "-m", "--add-modules");

  private ProcessHook() {}

  /// {@return the common pool of a program}
  ///
  /// @param real that of the JDK
  public static ForkJoinPool pool(ForkJoinPool real) {
    Program own = Hook.current();
    return own == null ? real : own.pool();
  }

  /// {@return the common pool of a program}
  ///
  /// @param real that of the JDK
  public static Executor executor(Executor real) {
    Program own = Hook.current();
    return own == null ? real : own.pool();
  }

  /// {@return what numbers pools}
  ///
  /// @param real that of the JVM
  public static AtomicInteger pools(AtomicInteger real) {
    Program own = Hook.counting();
    return own == null ? real : own.pools();
  }

  /// {@return what numbers timers}
  ///
  /// @param real that of the JVM
  public static AtomicInteger timers(AtomicInteger real) {
    Program own = Hook.counting();
    return own == null ? real : own.timers();
  }

  /// {@return the number of a process}
  ///
  /// @param real that of the computer
  public static long pid(long real, ProcessHandle of) {
    Program own = Hook.current();
    return own == null || of != ProcessHandle.current() ? real : own.processId();
  }

  /// {@return the number of the running process}
  ///
  /// @param real that of the JVM
  public static int pid(int real) {
    Program own = Hook.current();
    return own == null ? real : own.processId();
  }

  /// {@return for how long the process runs, in milliseconds}
  ///
  /// @param real that of the JVM
  public static long upTime(long real) {
    Program own = Hook.current();
    return own == null ? real : own.upTime();
  }

  /// {@return when the process was started, in milliseconds}
  ///
  /// @param real that of the JVM
  public static long startTime(long real) {
    Program own = Hook.current();
    return own == null ? real : own.startTime();
  }

  /// {@return how many bytes of memory the JVM has or has left}
  ///
  /// @param real of the JVM
  public static long memory(long real) {
    Program own = Hook.current();
    if (own != null) {
      own.read("the memory of the JVM = ".concat(Long.toString(real)));
    }
    return real;
  }

  /// {@return a variable of the environment}
  ///
  /// @param real of the JVM
  public static @Nullable String variable(@Nullable String real) {
    Program own = Hook.current();
    if (own != null) {
      own.read("a variable of the environment = ".concat(String.valueOf(real)));
    }
    return real;
  }

  /// {@return a reference from a queue: one that the JVM has cleared, or that was enqueued}
  ///
  /// @param real null for none
  public static @Nullable Reference<?> polled(@Nullable Reference<?> real) {
    Program own = Hook.current();
    if (own != null && real != null) {
      // no concatenation that is linked: the JDK asks for references when it links
      own.read("a cleared reference = ".concat(real.getClass().getName()));
    }
    return real;
  }

  /// What `System.setOut` does.
  ///
  /// @return whether it is done; if not, the JDK does it
  public static boolean setOut(PrintStream now) {
    Program own = Hook.current();
    if (own != null) {
      own.out(now);
    }
    return own != null;
  }

  /// What `System.setErr` does.
  ///
  /// @return whether it is done; if not, the JDK does it
  public static boolean setErr(PrintStream now) {
    Program own = Hook.current();
    if (own != null) {
      own.err(now);
    }
    return own != null;
  }

  /// What `Runtime.addShutdownHook` does.
  ///
  /// @return whether it is done; if not, the JDK does it
  public static boolean addShutdownHook(Runtime runtime, Thread hook) {
    Program own = Hook.counting(); // a class that all runs share adds it for the JVM
    if (own != null) {
      own.addShutdownHook(hook);
    }
    return own != null || (Hook.isInitialising() && StaticHook.Logs.making);
  }

  /// {@return whether the caller is simulated}
  public static boolean isSimulated(Runtime runtime) {
    return Hook.current() != null;
  }

  /// {@return what `Runtime.removeShutdownHook` does in a process}
  public static boolean removeShutdownHook(Runtime runtime, Thread hook) {
    Program own = Hook.current();
    return own != null && own.removeShutdownHook(hook);
  }

  /// What `Runtime.exit` does in a process.
  public static void exit(Runtime runtime, int status) {
    Program own = Hook.current();
    if (own != null) {
      own.exit(status);
    }
  }

  /// What `Runtime.halt` does in a process.
  public static void halt(Runtime runtime, int status) {
    Program own = Hook.current();
    if (own != null) {
      own.halt(status);
    }
  }

  /// {@return the drivers of databases that a program has registered}
  ///
  /// @param real those of the JVM
  public static CopyOnWriteArrayList<?> drivers(CopyOnWriteArrayList<?> real) {
    Program own = Hook.current();
    return own == null ? real : own.drivers();
  }

  /// Loads drivers of databases.
  ///
  /// @return whether it is done; if not, the JDK does it
  public static boolean loadDrivers() {
    Program own = Hook.current();
    return own != null && own.loadDrivers();
  }

  /// Refuses a subprocess.
  ///
  /// @throws UnsupportedOperationException if the caller is simulated; its run fails
  public static void subprocess(ProcessBuilder builder) {
    Program own = Hook.current();
    if (own != null) {
      throw own.refused(
          "a subprocess (give it a host: world.host(\"child\", BlockingJava.main(%s)))"
              .formatted(mainOf(builder.command())));
    }
  }

  /// {@return the class that a command runs, and its arguments, as Java code}
  private static String mainOf(List<String> command) {
    int main = 1;
    while (main < command.size() && command.get(main).startsWith("-")) {
      main += PATHS.contains(command.get(main)) ? 2 : 1;
    }
    boolean isJava =
        !command.isEmpty() && new File(command.getFirst()).getName().startsWith("java");
    return isJava && main < command.size()
        ? "\"" + String.join("\", \"", command.subList(main, command.size())) + "\""
        : "..";
  }

  /// Refuses what a program must not do.
  ///
  /// @param what it asks for
  /// @throws UnsupportedOperationException if the caller is simulated; its run fails
  public static void refuse(String what) {
    Program own = Hook.current();
    if (own != null) {
      throw own.refused(what);
    }
  }
}
