package dev.rondo.scheduler.engine.view;

import dev.rondo.scheduler.coroutine.Coroutine;
import dev.rondo.scheduler.engine.TaskCore;
import dev.rondo.scheduler.engine.util.StackFilter;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Reduces stacks to the frames of one task, and further to the frames that are useful to a reader.
public final class Stacks implements StackFilter {

  private static final String CORE = "dev.rondo.scheduler.";
  private static final String OBSERVERS = "dev.rondo.observe.";

  /// The methods of the engine that call the code of a task, by simple names.
  private static final Set<String> ENTRIES =
      Set.of(
          "StackfulTask.run",
          "LazyCoroutineBody.run",
          "StepTaskCore.takeTurn",
          "LazyCommands.turn");

  /// Classes of the engine, and of its observers, whose frames tell nothing about a task.
  private static final Set<String> MACHINERY =
      Set.of(
          "StackfulTask",
          "Succession",
          "LazyCoroutineBody",
          "TaskFactory",
          "Faces",
          "TaskInfos",
          "AllRooms",
          "ObservedLoop",
          "LoopView",
          "StackFilter",
          "Stacks",
          "TaskDump");

  /// The beginnings of the names of the classes that run the programs of a simulated world.
  private static final List<String> SIMULATION =
      List.of(
          "dev.rondo.simulation.internal.",
          "dev.rondo.simulation.threads.internal.",
          "dev.rondo.simulation.WorldHost");

  /// The beginnings of the names of the classes between the code that cancels and the stack of the
  /// request.
  private static final List<String> OWN =
      List.of(
          "dev.rondo.scheduler.engine.",
          "dev.rondo.scheduler.coroutine.",
          "dev.rondo.bound.",
          "jdk.internal.vm.",
          "java.lang.VirtualThread");

  /// For [StackFilter], which finds the class by its name.
  public Stacks() {}

  @Override
  public @Nullable StackTraceElement callerIn(Throwable site) {
    return Arrays.stream(site.getStackTrace())
        .filter(frame -> OWN.stream().noneMatch(frame.getClassName()::startsWith))
        .findFirst()
        .orElse(null);
  }

  /// {@return the stack of a parked task; empty if it has none}
  public static StackTraceElement[] ofParked(TaskCore<?> task) {
    Coroutine own = task.coroutine;
    return own == null ? new StackTraceElement[0] : own.stackTrace();
  }

  /// {@return the stack of the running task; to be called in its turn}
  public static StackTraceElement[] ofRunningTask() {
    return upToTask(Thread.currentThread().getStackTrace());
  }

  /// {@return the frames of the innermost task on a thread's stack; all frames if there is none}
  public static StackTraceElement[] upToTask(StackTraceElement[] all) {
    for (int i = 0; i < all.length; i++) {
      String type = all[i].getClassName();
      if (type.startsWith(CORE)
          && ENTRIES.contains(simpleName(type) + "." + all[i].getMethodName())) {
        return Arrays.copyOf(all, i);
      }
    }
    return all;
  }

  /// {@return whether a thread with this stack is in `System.exit` or the like, which does not
  /// return}
  public static boolean isExitOfTheJvm(StackTraceElement[] stack) {
    return Arrays.stream(stack).anyMatch(each -> each.getClassName().equals("java.lang.Shutdown"));
  }

  @Override
  public List<StackTraceElement> useful(List<StackTraceElement> stack) {
    return stack.stream().dropWhile(Stacks::isWayOut).filter(frame -> !isMachinery(frame)).toList();
  }

  /// {@return all frames except those of the engine, for a task that keeps the loop: its topmost
  /// frames matter most}
  public static Stream<StackTraceElement> held(List<StackTraceElement> stack) {
    return stack.stream().filter(frame -> !isMachinery(frame));
  }

  /// Whether a frame at the top of a stack only leads out of the task: into `park`, or into the
  /// `unpark` of the next thread, just before that.
  private static boolean isWayOut(StackTraceElement frame) {
    String type = frame.getClassName();
    return type.startsWith("java.") || type.startsWith("jdk.internal.") || isMachinery(frame);
  }

  private static boolean isMachinery(StackTraceElement frame) {
    String type = frame.getClassName();
    return type.startsWith("jdk.internal.vm.")
        || type.startsWith("java.lang.VirtualThread")
        || type.startsWith("dev.rondo.scheduler.coroutine.")
        || type.startsWith("dev.rondo.bound.")
        || SIMULATION.stream().anyMatch(type::startsWith)
        || ((type.startsWith(CORE) || type.startsWith(OBSERVERS))
            && MACHINERY.contains(simpleName(type)));
  }

  /// The name of the top-level class, without its package.
  private static String simpleName(String type) {
    String name = type.substring(type.lastIndexOf('.') + 1);
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }
}
