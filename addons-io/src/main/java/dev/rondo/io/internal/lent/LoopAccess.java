package dev.rondo.io.internal.lent;

import dev.rondo.io.internal.channel.Reactor;
import dev.rondo.scheduler.Scheduler;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Lets the add-on for IO give access to its channels without a public method.
public final class LoopAccess {

  private static volatile @Nullable Function<Scheduler, @Nullable Reactor> reactors;

  private LoopAccess() {}

  /// Called once, by the class of the add-on.
  ///
  /// @param access finds the channels of a scheduler; null if it has no add-on for IO
  public static void is(Function<Scheduler, @Nullable Reactor> access) {
    reactors = access;
  }

  static @Nullable Reactor of(Scheduler scheduler) {
    Function<Scheduler, @Nullable Reactor> access = reactors;
    return access == null ? null : access.apply(scheduler);
  }
}
