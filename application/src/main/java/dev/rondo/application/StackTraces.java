package dev.rondo.application;

import dev.rondo.scheduler.SchedulerBuilder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Shortens stack traces so that they read as if tasks were plain calls. A trace keeps the frames
/// from the throw to the start of the task's code; if the failure ended the application, the frames
/// of the caller of `run` follow.
///
/// In a sequence of Rondo's own frames only the outermost is kept: the method that the program
/// called. With [SchedulerBuilder#DEBUG_PROPERTY] every frame stays.
final class StackTraces {

  /// The methods of the engine that call the code of a task.
  private static final Set<String> ENTRIES =
      Set.of(
          "dev.rondo.scheduler.engine.StackfulTask.run",
          "dev.rondo.scheduler.engine.lazy.LazyCoroutineBody.run",
          "dev.rondo.scheduler.engine.StepTaskCore.takeTurn",
          "dev.rondo.scheduler.engine.lazy.LazyCommands.turn");

  private static final List<String> OURS =
      List.of(
          "dev.rondo.scheduler.",
          "dev.rondo.observe.",
          "dev.rondo.bound.",
          "dev.rondo.time.",
          "dev.rondo.condition.",
          "dev.rondo.io.",
          "dev.rondo.application.",
          "dev.rondo.junit.",
          "dev.rondo.ui.");

  private StackTraces() {}

  /// Shortens the traces of a failure that the application survives.
  ///
  /// @param failure changed, as are its causes and suppressed exceptions
  static void makeReadable(Throwable failure) {
    makeReadable(failure, new StackTraceElement[0]);
  }

  /// Shortens the traces of a failure that ends the application.
  ///
  /// @param failure changed, as are its causes and suppressed exceptions
  /// @param callers the frames of the caller of `run`, innermost first
  static void makeReadable(Throwable failure, StackTraceElement[] callers) {
    if (!Boolean.getBoolean(SchedulerBuilder.DEBUG_PROPERTY)) {
      shortenAll(failure, callers);
    }
  }

  /// Not recursive: a failure that went through a long chain of joins has a chain of causes as
  /// long.
  private static void shortenAll(Throwable failure, StackTraceElement[] callers) {
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    var left = new ArrayDeque<Throwable>(List.of(failure));
    for (Throwable each; (each = left.poll()) != null; ) {
      if (seen.add(each)) {
        shorten(each, callers);
        if (each.getCause() != null) {
          left.add(each.getCause());
        }
        Collections.addAll(left, each.getSuppressed());
      }
    }
  }

  private static void shorten(Throwable failure, StackTraceElement[] callers) {
    List<StackTraceElement> ofTask = ofTask(failure.getStackTrace());
    if (ofTask != null) {
      var frames = new ArrayList<>(ofTask);
      Collections.addAll(frames, callers);
      List<StackTraceElement> kept = outermostOfOurs(frames);
      if (!kept.isEmpty()) {
        failure.setStackTrace(kept.toArray(StackTraceElement[]::new));
      }
    }
  }

  /// {@return the frames of the innermost task; none if Rondo threw the failure outside of a task;
  /// null if other code threw it, on any thread: that trace stays as it is}
  private static @Nullable List<StackTraceElement> ofTask(StackTraceElement[] all) {
    for (int i = 0; i < all.length; i++) {
      if (ENTRIES.contains(all[i].getClassName() + "." + all[i].getMethodName())) {
        return List.of(all).subList(0, i);
      }
    }
    return all.length > 0 && isOurs(all[0]) ? List.of() : null;
  }

  private static List<StackTraceElement> outermostOfOurs(List<StackTraceElement> frames) {
    var kept = new ArrayList<StackTraceElement>();
    for (int i = 0; i < frames.size(); i++) {
      boolean followed = i + 1 == frames.size() || isOurs(frames.get(i + 1));
      if (!isOurs(frames.get(i)) || !followed) {
        kept.add(frames.get(i));
      }
    }
    return kept;
  }

  private static boolean isOurs(StackTraceElement frame) {
    return OURS.stream().anyMatch(frame.getClassName()::startsWith);
  }
}
