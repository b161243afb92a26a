package dev.rondo.io.internal.channel;

import dev.rondo.io.internal.Throwables;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.internal.rooms.Delay;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import dev.rondo.scheduler.internal.rooms.TaskControl;
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
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/// Connects to the address that answers first: RFC 8305, *Happy Eyeballs Version 2*, sections 4 and
/// 5. Each attempt is a task. The losers are cancelled, and have ended when the race ends. Without
/// a timer an address is tried when the earlier ones have failed.
///
/// Used once. Confined to the scheduler's thread.
///
/// @param <S> the kind of connection
public final class HappyEyeballs<S extends Closeable> {

  /// Tries one address.
  ///
  /// @param <S> the kind of connection
  @FunctionalInterface
  public interface Connector<S> {

    /// {@return the connection}
    ///
    /// @param address resolved
    /// @throws IOException if it failed
    S connect(InetSocketAddress address) throws IOException;
  }

  private final Scheduler scheduler;
  private final Duration attemptDelay;
  private final Connector<S> connector;

  /// Attempts that have not ended, or whose result was not taken.
  private final List<Task<@Nullable Exception>> running = new ArrayList<>();

  private @Nullable S winner;
  private boolean over;

  /// Tries nothing yet.
  ///
  /// @param scheduler whose tasks the attempts are
  /// @param attemptDelay how long after an attempt the next one begins beside it
  /// @param connector tries one address
  public HappyEyeballs(Scheduler scheduler, Duration attemptDelay, Connector<S> connector) {
    this.scheduler = scheduler;
    this.attemptDelay = attemptDelay;
    this.connector = connector;
  }

  /// {@return the same addresses, alternating between the families, the first one first}
  ///
  /// @param addresses at least one
  public static List<InetAddress> interleaved(List<InetAddress> addresses) {
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

  /// Tries the addresses. A *possible* suspension point.
  ///
  /// @param addresses at least one, in the order of the attempts
  /// @return the first connection
  /// @throws IOException if all failed: the last failure, the earlier ones suppressed
  public S race(List<InetSocketAddress> addresses) throws IOException {
    if (addresses.size() == 1) {
      return connector.connect(addresses.getFirst()); // there is nothing to race with
    }
    var left = new ArrayDeque<>(addresses);
    Exception failed = null;
    try {
      while (winner == null) {
        if (!left.isEmpty()) {
          start(left.removeFirst());
        } else if (running.isEmpty()) {
          throw Throwables.<RuntimeException>rethrow(
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

  /// Waits until an attempt ends, or for the delay if there is another address to try.
  ///
  /// @return its failure; null if it succeeded, or the delay is over
  private @Nullable Exception ended(boolean more) {
    var any = new ArrayList<Waitable<Optional<Task<@Nullable Exception>>>>();
    for (Task<@Nullable Exception> task : running) {
      any.add(task.map(ignored -> Optional.of(task)));
    }
    if (more && LoopControl.of(scheduler.host()).hasTimerService()) {
      any.add(Delay.of(attemptDelay).map(ignored -> Optional.empty()));
    }
    Optional<Task<@Nullable Exception>> first = scheduler.host().awaitEvent(Waitable.anyOf(any));
    if (first.isEmpty()) {
      return null;
    }
    running.remove(first.get());
    return first.get().join();
  }

  /// Cancels the attempts that still run and waits for their end, so that nothing is left of the
  /// race.
  private void callOff() throws IOException {
    over = true;
    for (Task<?> task : running) {
      task.cancel("another address was faster");
    }
    scheduler.shielded(() ->
        TaskControl.of(scheduler.host())
            .withoutScheduling(() -> running.forEach(HappyEyeballs::awaitEnd)));
    if (winner != null) {
      winner.close(); // no task takes it: the race was cancelled
    }
  }

  private static void awaitEnd(Task<?> task) {
    try {
      task.join();
    } catch (CancellationException asItShould) {
      // the attempt has closed its connection
    }
  }
}
