package dev.rondo.io.internal.channel;

import dev.rondo.scheduler.Scheduler;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/// Closes sockets that the program has lost without closing them, and reports where they were
/// opened: all of them in debug mode, else a sample.
///
/// Only sockets of the system are watched. When a lost one is noticed is up to the collector, and a
/// simulation must not depend on that: there it stays open until its host ends.
///
/// Confined to the scheduler's thread. One thread of the JVM notices what has become unreachable.
public final class LeakWatch {

  /// Of how many sockets one remembers where it was opened, because the stack trace is expensive.
  /// Netty's number.
  private static final int SAMPLING = 128;

  private static final Cleaner CLEANER =
      Cleaner.create(Thread.ofPlatform().name("rondo-unclosed").daemon().factory());

  private final Scheduler scheduler;
  private final boolean watches;

  /// @param provider opens the sockets
  LeakWatch(Scheduler scheduler, SelectorProvider provider) {
    this.scheduler = scheduler;
    this.watches = provider == SelectorProvider.provider();
  }

  /// Closes what a socket is made of.
  @FunctionalInterface
  public interface Closing {

    /// Closes it. Later calls do nothing.
    ///
    /// @throws IOException if closing fails; it counts as closed all the same
    void close() throws IOException;
  }

  /// Begins to watch a socket. The caller keeps the result as long as the socket is open, without
  /// the socket: the cleaner does not, so that it does not keep a scheduler that the program has
  /// lost.
  ///
  /// @param socket neither the name nor the closing may refer to it
  /// @param name its text is the name of the socket
  /// @param closing closes it; not by a [Direction], which knows its socket
  Guard watch(Object socket, Object name, Closing closing) {
    var guard = new Guard(scheduler, name, closing);
    if (watches) {
      var known = new WeakReference<>(guard);
      guard.registered = CLEANER.register(socket, () -> lost(known.get()));
    }
    return guard;
  }

  /// On the thread of the cleaner, or that of the scheduler when the socket is closed.
  private static void lost(@Nullable Guard guard) {
    if (guard != null && !guard.closed) {
      boolean _ = guard.scheduler.post(guard::closeLost); // refused: closing has closed it
    }
  }

  /// A socket that is open.
  public static final class Guard {

    private final Scheduler scheduler;
    private final Object name;
    private final Closing closing;

    /// Set once; null if it is not watched.
    private Cleaner.@Nullable Cleanable registered;

    private @Nullable Throwable opened;
    private @Nullable Runnable afterwards;

    /// Written on the scheduler's thread.
    private volatile boolean closed;

    private Guard(Scheduler scheduler, Object name, Closing closing) {
      this.scheduler = scheduler;
      this.name = name;
      this.closing = closing;
    }

    /// The calling task has opened the socket.
    public void openedHere() {
      if (scheduler.host().isDebug() || ThreadLocalRandom.current().nextInt(SAMPLING) == 0) {
        opened = new Throwable("opened here");
      }
    }

    /// The program closes the socket itself. Later calls do nothing.
    ///
    /// @throws IOException if closing fails; it counts as closed all the same
    public void close() throws IOException {
      if (!closed) {
        closed = true;
        Cleaner.Cleanable known = registered;
        if (known != null) {
          known.clean();
        }
        end();
      }
    }

    private void end() throws IOException {
      try {
        closing.close();
      } finally {
        Runnable action = afterwards;
        if (action != null) {
          action.run();
        }
      }
    }

    /// Sets what runs once, when the socket is closed.
    ///
    /// @param action must not refer to the socket
    public void afterwards(Runnable action) {
      afterwards = action;
    }

    private void closeLost() {
      if (!closed) {
        closed = true;
        scheduler
            .host()
            .report(name + ", which nothing refers to any more and was not closed", report());
        try {
          end();
        } catch (IOException e) {
          scheduler.host().report("close " + name, e);
        }
      }
    }

    private IllegalStateException report() {
      Throwable place = opened;
      return new IllegalStateException(
          place == null
              ? name + " was not closed; debug mode shows where it was opened"
              : name + " was not closed",
          place);
    }
  }
}
