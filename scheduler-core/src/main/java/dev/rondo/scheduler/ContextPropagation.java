package dev.rondo.scheduler;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/// Keeps something that a library ties to the *thread* with the *task* instead: a logging context,
/// a tracing span. See [SchedulerBuilder#contextPropagation].
///
/// What is on the thread that makes a task is what the task begins with. On each of its turns that
/// is put onto the thread, and taken from it again after: what the task changed stays with it, and
/// nobody else sees it. A task with a thread of its own (on BOUND and HANDOFF) finds it there from
/// its start, and keeps it without any of this.
///
/// All methods run on the thread concerned, before and after every turn: they should be quick, and
/// must not suspend. What they throw goes to the [FailureHandler], and the turn goes on.
///
/// @param <C> a snapshot of the context; must not change with it
public interface ContextPropagation<C> {

  /// {@return what is on this thread now; null if there is nothing}
  @Nullable C capture();

  /// Puts a snapshot onto this thread, in place of what is there.
  ///
  /// @param snapshot from [#capture()]; null clears the context
  void restore(@Nullable C snapshot);

  /// {@return SLF4J's mapped diagnostic context ([MDC]) per task} Its snapshots are copies of a
  /// map, two for each turn.
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
