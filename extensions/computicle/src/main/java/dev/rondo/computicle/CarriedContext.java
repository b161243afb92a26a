package dev.rondo.computicle;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.TaskCall;
import dev.rondo.scheduler.TaskLocal;
import dev.rondo.scheduler.addon.ContextPropagation;
import java.util.ArrayList;
import java.util.List;
import kotlin.internal.LowPriorityInOverloadResolution;
import org.jspecify.annotations.Nullable;

/// The context of a task, for use by a task of another loop: its [TaskLocal]s, and the values that
/// libraries keep with the thread, above all SLF4J's MDC. Neither a message nor code for another
/// loop carries this context by itself:
///
/// ```java
/// requests.send(Envelope.of(request)); // an Endpoint<Envelope<Request>>
///
/// Envelope<Request> received = requests.receive();
/// received.context().run(() -> handle(received.message()));
///
/// CarriedContext context = CarriedContext.capture();
/// worker.exec(() -> context.run(() -> handle(request)));
/// ```
///
/// Both tasks share the values, so these must be safe for several threads. If the receiving code
/// suspends, its scheduler must keep the libraries' context with each task, see
/// [dev.rondo.scheduler.SchedulerBuilder#contextPropagation]. Otherwise other tasks of its thread
/// see the context meanwhile. `TaskLocal`s need no such setting.
///
/// Immutable, any thread.
public final class CarriedContext {

  /// The captured context of a library, and how to restore it.
  private record Captured<C>(ContextPropagation<C> propagation, @Nullable C snapshot) {

    static <C> Captured<C> of(ContextPropagation<C> propagation) {
      return new Captured<>(propagation, propagation.capture());
    }

    /// {@return the replaced context}
    Captured<C> exchange() {
      Captured<C> before = of(propagation);
      propagation.restore(snapshot);
      return before;
    }
  }

  private final TaskLocal.Carrier locals;
  private final List<Captured<?>> libraries;

  private CarriedContext(List<Captured<?>> libraries) {
    this.locals = TaskLocal.captured();
    this.libraries = libraries;
  }

  /// {@return the task locals, the MDC and the library contexts of the calling task; outside of a
  /// task, of the thread} Never a suspension point.
  ///
  /// @param libraries whose contexts are captured too
  public static CarriedContext capture(ContextPropagation<?>... libraries) {
    requireNonNull(libraries, "libraries is null");
    var captured = new ArrayList<Captured<?>>();
    captured.add(Captured.of(ContextPropagation.mdc()));
    for (ContextPropagation<?> each : libraries) {
      captured.add(Captured.of(requireNonNull(each, "one of the libraries is null")));
    }
    return new CarriedContext(captured);
  }

  /// Runs code in the current task with this context, and restores the own context of the task
  /// afterwards. Locals that only the task has stay as they are. A suspension point if the code is
  /// one.
  ///
  /// @param <R> the type of the result
  /// @param <X> the checked exceptions that the code throws
  /// @param code sees the context, and so do the tasks it makes
  /// @return the result of the code
  /// @throws IllegalStateException outside of a task
  /// @throws X any failure of the code
  public <R extends @Nullable Object, X extends Exception> R run(TaskCall<? extends R, X> code)
      throws X {
    requireNonNull(code, "code is null");
    return locals.<R, X>run(() -> {
      List<Captured<?>> before = new ArrayList<>();
      try {
        for (Captured<?> each : libraries) {
          before.addFirst(each.exchange());
        }
        return code.call();
      } finally {
        before.forEach(Captured::exchange);
      }
    });
  }

  /// [#run(TaskCall)] for code without a result. A suspension point if the code is one.
  ///
  /// @param <X> the checked exceptions that the code throws
  /// @param code sees the context, and so do the tasks it makes
  /// @throws IllegalStateException outside of a task
  /// @throws X any failure of the code
  @LowPriorityInOverloadResolution // of Kotlin: see TaskAction
  public <X extends Exception> void run(TaskAction<X> code) throws X {
    requireNonNull(code, "code is null");
    var _ =
        this.<@Nullable Object, X>run(() -> {
          code.run();
          return null;
        });
  }
}
