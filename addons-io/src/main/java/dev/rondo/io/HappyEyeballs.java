package dev.rondo.io;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.Waitable;
import java.io.Closeable;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/// Connecting to whichever address answers first: RFC 8305, *Happy Eyeballs Version 2*, sections 4
/// and 5. Each attempt is a task; those that lose are cancelled and have ended when the race has.
/// Without a timer an address is tried when those before it have failed.
///
/// Used once. Confined to the scheduler's thread.
///
/// @param <S> what a connection is
final class HappyEyeballs<S extends Closeable> {

  /// How one address is tried.
  @FunctionalInterface
  interface Connector<S> {
    S connect(InetSocketAddress address) throws IOException;
  }

  private final Scheduler scheduler;
  private final Duration attemptDelay;
  private final Connector<S> connector;

  /// Attempts that have not ended, or whose end was not looked at.
  private final List<Task<@Nullable Exception>> running = new ArrayList<>();

  private @Nullable S winner;
  private boolean over;

  HappyEyeballs(Scheduler scheduler, Duration attemptDelay, Connector<S> connector) {
    this.scheduler = scheduler;
    this.attemptDelay = attemptDelay;
    this.connector = connector;
  }

  /// The same addresses, alternating between the families, the first one first.
  static List<InetAddress> interleaved(List<InetAddress> addresses) {
    boolean sixFirst = addresses.getFirst() instanceof Inet6Address;
    Iterator<InetAddress> first =
        addresses.stream().filter(a -> a instanceof Inet6Address == sixFirst).iterator();
    Iterator<InetAddress> second =
        addresses.stream().filter(a -> a instanceof Inet6Address != sixFirst).iterator();
    var ordered = new ArrayList<InetAddress>(addresses.size());
    while (first.hasNext() || second.hasNext()) {
      if (first.hasNext()) {
        ordered.add(first.next());
      }
      if (second.hasNext()) {
        ordered.add(second.next());
      }
    }
    return ordered;
  }

  /// @param addresses at least one, in the order they are to be tried
  /// @return the first connection
  /// @throws IOException if all failed: the last failure, the earlier ones suppressed
  S race(List<InetSocketAddress> addresses) throws IOException {
    if (addresses.size() == 1) {
      return connector.connect(addresses.getFirst()); // nobody to race with
    }
    var left = new ArrayDeque<>(addresses);
    Exception failed = null;
    try {
      while (winner == null) {
        if (!left.isEmpty()) {
          start(left.removeFirst());
        } else if (running.isEmpty()) {
          throw Failures.<RuntimeException>rethrow(
              failed != null ? failed : new IllegalArgumentException("no addresses"));
        }
        Exception failure = ended(!left.isEmpty());
        if (failure != null) {
          if (failed != null) {
            failure.addSuppressed(failed);
          }
          failed = failure;
        }
      }
      S won = winner;
      winner = null;
      return won;
    } finally {
      callOff();
    }
  }

  private void start(InetSocketAddress address) {
    running.add(
        scheduler.spawn(
            "connect to " + Addresses.text(address),
            () -> {
              try {
                S connection = connector.connect(address);
                if (over || winner != null) {
                  connection.close();
                } else {
                  winner = connection;
                }
                return null;
              } catch (IOException | RuntimeException e) {
                return e;
              }
            }));
  }

  /// Waits until an attempt ends, or for the delay if there is one more to be made.
  ///
  /// @return what it failed with; null if it did not, or the delay is over
  private @Nullable Exception ended(boolean more) {
    Waitable<Task<@Nullable Exception>> any =
        Waitable.anyOf(running.stream().map(task -> task.map(ignored -> task)).toList());
    Task<@Nullable Exception> first;
    try {
      first =
          more && scheduler.hasTimerService()
              ? scheduler.await(any, attemptDelay)
              : scheduler.await(any);
    } catch (TimedOutException delayIsOver) {
      return null;
    }
    if (first == null) {
      return null; // scheduled directly
    }
    running.remove(first);
    return first.join();
  }

  /// Cancels what still runs and waits for its end, so that nothing is left of the race.
  private void callOff() throws IOException {
    over = true;
    for (Task<?> task : running) {
      task.cancel("another address was faster");
    }
    try {
      scheduler.<@Nullable Void>shielded(() -> {
        running.forEach(HappyEyeballs::awaitEnd);
        return null;
      });
    } catch (Exception e) {
      throw Failures.<RuntimeException>rethrow(e);
    }
    if (winner != null) {
      winner.close(); // nobody is there to take it: the race was cancelled
    }
  }

  private static void awaitEnd(Task<?> task) {
    try {
      task.join();
    } catch (CancellationException asItShould) {
      // it was closed by whoever connected
    }
  }
}
