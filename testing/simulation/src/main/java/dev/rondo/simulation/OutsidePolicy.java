package dev.rondo.simulation;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;

/// What becomes of a call by a task of a [World] that leaves the simulation, and that an
/// [OutsideAgent] has seen.
///
/// Immutable. Any thread.
public final class OutsidePolicy {

  enum Reaction {
    FAIL,
    WARN,
    IGNORE
  }

  private static final OutsidePolicy FAILING = new OutsidePolicy(Reaction.FAIL, List.of());
  private static final OutsidePolicy WARNING = new OutsidePolicy(Reaction.WARN, List.of());
  private static final OutsidePolicy IGNORING = new OutsidePolicy(Reaction.IGNORE, List.of());

  private final Reaction reaction;
  private final List<AllowedCall> exceptions;

  private OutsidePolicy(Reaction reaction, List<AllowedCall> exceptions) {
    this.reaction = reaction;
    this.exceptions = exceptions;
  }

  /// {@return the policy that lets the run fail after the turn that has the call, with the stack of
  /// the call} The call itself is made.
  public static OutsidePolicy failing() {
    return FAILING;
  }

  /// {@return the policy that logs a warning with the stack, once for each place of a program}
  public static OutsidePolicy warning() {
    return WARNING;
  }

  /// {@return the policy that does nothing}
  public static OutsidePolicy ignoring() {
    return IGNORING;
  }

  /// {@return the same policy without calls that are known to be harmless, as in
  /// [OutsideCalls#except]}
  ///
  /// @param caller classes and methods that may have them; `*` stands for any text
  /// @param called what they may call, as in [OutsideCalls.Call#called()]; `*` stands for any text
  public OutsidePolicy except(String caller, String called) {
    requireNonNull(caller, "caller is null");
    requireNonNull(called, "called is null");
    var more = new ArrayList<>(exceptions);
    more.add(new AllowedCall(caller, called));
    return new OutsidePolicy(reaction, List.copyOf(more));
  }

  /// {@return what to do about a call}
  Reaction reactionTo(String caller, String called) {
    boolean allowed = exceptions.stream().anyMatch(each -> each.covers(caller, called));
    return allowed ? Reaction.IGNORE : reaction;
  }

  /// Whether it never does anything.
  boolean isIgnoring() {
    return reaction == Reaction.IGNORE;
  }
}
