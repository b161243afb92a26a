package dev.rondo.scheduler.addon;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/// Keeps the context of a library with the *task* and not with the *thread*: a logging context, a
/// tracing span. See [dev.rondo.scheduler.SchedulerBuilder#contextPropagation].
///
/// A task begins with the context of the thread that makes it. Before each turn of the task, its
/// context is restored on the thread. After the turn, the context is captured again. So changes
/// that the task makes stay with the task, and no other task sees them. A task with a thread of its
/// own (on BOUND and HANDOFF) has its context restored once, at its start.
///
/// The methods run on the thread concerned, before and after every turn: they should be quick, and
/// must not suspend. The [dev.rondo.scheduler.FailureHandler] receives their exceptions, and the
/// turn continues.
///
/// @param <C> the type of a snapshot of the context; later changes of the context do not affect it
public interface ContextPropagation<C> {

  /// {@return the context of this thread now; null if there is none}
  @Nullable C capture();

  /// Replaces the context of this thread by a snapshot.
  ///
  /// @param snapshot from [#capture()]; null clears the context
  void restore(@Nullable C snapshot);

  /// {@return SLF4J's mapped diagnostic context ([MDC]) per task} A snapshot is a copy of a map;
  /// each turn takes two.
  static ContextPropagation<Map<String, String>> mdc() {
    return new ContextPropagation<>() {
      @Override
      public @Nullable Map<String, String> capture() {
        Map<String, String> copy = MDC.getCopyOfContextMap();
        return copy == null || copy.isEmpty() ? null : copy;
      }

      @Override
      public void restore(@Nullable Map<String, String> snapshot) {
        if (snapshot == null) {
          MDC.clear();
        } else {
          MDC.setContextMap(snapshot);
        }
      }

      @Override
      public String toString() {
        return "MDC";
      }
    };
  }
}
