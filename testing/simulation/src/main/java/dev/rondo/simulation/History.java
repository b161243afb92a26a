package dev.rondo.simulation;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.TaskCall;
import dev.rondo.simulation.internal.linear.Finding;
import dev.rondo.simulation.internal.linear.Search;
import dev.rondo.simulation.model.Model;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What clients asked of a system and what it answered, for a check of the answers against a
/// [Model].
///
/// ```
/// History<Register<Integer>, @Nullable Object> history = History.timedBy(clock::elapsed);
/// ..
/// history.record("client 1", new Register.Write<>(7), () -> store.write(7));
/// int value = history.record("client 2", new Register.Read<>(), store::read);
/// ..
/// history.requireLinearizable(Register.model(0));
/// ```
///
/// A history is *linearizable* if each operation can be thought to take effect at one moment
/// between its call and its return, such that the answers are those of the model (M. Herlihy and J.
/// M. Wing, "Linearizability: A Correctness Condition for Concurrent Objects", 1990). What happened
/// before what is decided by the order in which it was recorded; the instants are for readers.
///
/// Only methods that run the caller's code are suspension points.
///
/// Confined to one thread.
///
/// @param <I> what is asked of the system
/// @param <O> what it answers
public final class History<I, O extends @Nullable Object> {

  private static final int DEFAULT_LIMIT = 1_000_000;

  private final Supplier<Duration> elapsed;
  private final List<Invocation<I, O>> invocations = new ArrayList<>();
  private int events;

  /// Whose hosts are asked; null if that is no world.
  private final @Nullable World world;

  private History(Supplier<Duration> elapsed, @Nullable World world) {
    this.elapsed = elapsed;
    this.world = world;
  }

  /// {@return a history without operations, of clients of a world} A check that fails says where
  /// the choices of the world come from, and which faults happened while the operations that it
  /// shows were under way.
  ///
  /// @param <I> what is asked of the system
  /// @param <O> what it answers
  /// @param world whose time it shows; may be closed when the history is checked
  public static <I, O extends @Nullable Object> History<I, O> of(World world) {
    return new History<>(requireNonNull(world, "world is null")::elapsed, world);
  }

  /// {@return a history without operations}
  ///
  /// @param <I> what is asked of the system
  /// @param <O> what it answers
  /// @param elapsed the time since the beginning of the run, such as `clock::elapsed`
  public static <I, O extends @Nullable Object> History<I, O> timedBy(Supplier<Duration> elapsed) {
    return new History<>(requireNonNull(elapsed, "elapsed is null"), null);
  }

  // Recording.

  /// Records a call.
  ///
  /// @param process the client, for reports
  /// @param input what it asks
  /// @return takes the outcome
  public Invocation<I, O> invoke(String process, I input) {
    requireNonNull(process, "process is null");
    requireNonNull(input, "input is null");
    var invocation = new Invocation<>(this, process, input, nextEvent(), now());
    invocations.add(invocation);
    return invocation;
  }

  /// Records an operation from call to return. If it throws, its outcome is unknown: the operation
  /// may have taken effect. Suspends as the operation does.
  ///
  /// @param <R> what it returns
  /// @param <X> the checked exceptions that it throws
  /// @param process the client, for reports
  /// @param input what it asks
  /// @param operation asks the system
  /// @return what the operation returned
  /// @throws X what the operation throws
  public <R extends O, X extends Exception> R record(
      String process, I input, TaskCall<R, X> operation) throws X {
    requireNonNull(operation, "operation is null");
    Invocation<I, O> invocation = invoke(process, input);
    try {
      R answer = operation.call();
      invocation.returned(answer);
      return answer;
    } catch (Throwable failure) {
      invocation.unknown(failure.toString());
      throw failure;
    }
  }

  /// Records an operation without an answer, see [#record(String, Object, TaskCall)].
  ///
  /// @param <X> the checked exceptions that it throws
  /// @param process the client, for reports
  /// @param input what it asks
  /// @param operation asks the system
  /// @throws X what the operation throws
  public <X extends Exception> void record(String process, I input, TaskAction<X> operation)
      throws X {
    requireNonNull(operation, "operation is null");
    Invocation<I, O> invocation = invoke(process, input);
    try {
      operation.run();
      invocation.returned();
    } catch (Throwable failure) {
      invocation.unknown(failure.toString());
      throw failure;
    }
  }

  /// {@return the operations in the order of their calls}
  public List<Invocation<I, O>> invocations() {
    return List.copyOf(invocations);
  }

  int nextEvent() {
    return events++;
  }

  Duration now() {
    return elapsed.get();
  }

  // Checking.

  /// Fails if the answers cannot be explained, or if that was not decided after a million
  /// configurations. [#check(Model, int)] has another limit.
  ///
  /// @param <S> the states of the model
  /// @param model what the system should do
  /// @throws AssertionError if the history is not linearizable, with a report, or if the search was
  ///   given up
  public <S extends @Nullable Object> void requireLinearizable(Model<S, I, O> model) {
    switch (check(model, DEFAULT_LIMIT)) {
      case Verdict.Linearizable() -> {}
      case Verdict.NotLinearizable(String report) -> throw new AssertionError(report);
      case Verdict.Undecided(String report) -> throw new AssertionError(report);
    }
  }

  /// {@return whether the answers can be explained by an order of the operations} If one part of
  /// the history cannot, that is the verdict, even if the search was given up for others.
  ///
  /// @param <S> the states of the model
  /// @param model what the system should do
  /// @param limit how many configurations - the operations that took effect and the state - to look
  ///   at for each part before the search is given up; at least 1. One takes about 300 bytes.
  /// @throws IllegalArgumentException if the limit is less than 1
  public <S extends @Nullable Object> Verdict check(Model<S, I, O> model, int limit) {
    requireNonNull(model, "model is null");
    if (limit < 1) {
      throw new IllegalArgumentException("limit must be at least 1: limit=" + limit);
    }
    Verdict verdict = new Verdict.Linearizable();
    for (PartOfHistory<S, I, O> part : parts(model)) {
      switch (Search.of(part, part.spans(), limit)) {
        case Finding.Found _ -> {}
        case Finding.Refuted refuted -> {
          return new Verdict.NotLinearizable(report(part, refuted));
        }
        case Finding.Undecided undecided -> verdict = new Verdict.Undecided(part.report(undecided));
      }
    }
    return verdict;
  }

  private String report(PartOfHistory<?, I, O> part, Finding.Refuted refuted) {
    String report = part.report(refuted);
    return world == null
        ? report
        : world.report(report, part.shownSince(refuted), part.shownUntil(refuted));
  }

  private <S extends @Nullable Object> List<PartOfHistory<S, I, O>> parts(Model<S, I, O> model) {
    Map<@Nullable Object, List<Invocation<I, O>>> byPart = new LinkedHashMap<>();
    for (Invocation<I, O> invocation : invocations) {
      if (!invocation.hasFailed()) {
        byPart
            .computeIfAbsent(model.part(invocation.input()), _ -> new ArrayList<>())
            .add(invocation);
      }
    }
    var parts = new ArrayList<PartOfHistory<S, I, O>>();
    byPart.forEach((key, operations) -> parts.add(new PartOfHistory<>(key, model, operations)));
    return parts;
  }

  /// {@return the operations in the order of their calls, a line each}
  @Override
  public String toString() {
    return invocations.stream().map(Invocation::toString).collect(Collectors.joining("\n"));
  }
}
