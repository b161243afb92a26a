package dev.rondo.io.internal.channel;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import java.io.IOException;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/// Closes sockets that the program has lost without closing them, and reports where they were
/// opened: all of them in debug mode, else a sample.
///
/// Only sockets of the system are watched. The garbage collector decides when a lost socket is
/// noticed. A simulation must not depend on that: there a lost socket stays open until its host
/// ends.
///
/// Confined to the scheduler's thread. One thread of the JVM notices unreachable sockets, see
/// [LostSockets].
public final class LeakWatch {

  /// One of this many sockets remembers where it was opened, because the stack trace is expensive.
  /// The number is Netty's.
  private static final int SAMPLING = 128;

  private final Scheduler scheduler;
  private final boolean watches;
  private final LostSockets lost;

  /// The queue of lost sockets; null before the first socket is watched, and after [#close()].
  private @Nullable ReferenceQueue<Object> queue;

  private boolean closed;

  /// @param provider opens the sockets
  LeakWatch(Scheduler scheduler, SelectorProvider provider) {
    this(scheduler, provider, LostSockets.SHARED);
  }

  LeakWatch(Scheduler scheduler, SelectorProvider provider, LostSockets lost) {
    this.scheduler = scheduler;
    this.lost = lost;
    this.watches = provider == SelectorProvider.provider();
  }

  /// Closes the resources of a socket.
  @FunctionalInterface
  public interface Closing {

    /// Closes it. Later calls do nothing.
    ///
    /// @throws IOException if closing fails; it counts as closed all the same
    void close() throws IOException;
  }

  /// Begins to watch a socket. The caller keeps the result as long as the socket is open, but not
  /// by means of the socket. Nothing else keeps the result, so that a scheduler that the program
  /// has lost is not kept.
  ///
  /// @param socket neither the name nor the closing may refer to it
  /// @param name its text is the name of the socket
  /// @param closing closes the socket; not by a [Direction], which refers to its socket
  Guard watch(Object socket, Object name, Closing closing) {
    return new Guard(socket, queue(), scheduler, name, closing);
  }

  /// {@return the queue of lost sockets; null if the socket is not watched}
  private @Nullable ReferenceQueue<Object> queue() {
    if (queue == null && watches && !closed) {
      try {
        queue = lost.join();
      } catch (OutOfMemoryError _) {
        return null; // there is no thread now; the next socket tries again
      }
    }
    return queue;
  }

  /// All sockets are closed, and there will be no more. Later calls do nothing.
  void close() {
    closed = true;
    if (queue != null) {
      queue = null;
      lost.leave();
    }
  }

  /// A socket that is open.
  public static final class Guard extends PhantomReference<Object> {

    private final Scheduler scheduler;
    private final Object name;
    private final Closing closing;

    private @Nullable Throwable opened;
    private @Nullable Runnable afterwards;

    /// Written on the scheduler's thread.
    private volatile boolean closed;

    private Guard(
        Object socket,
        @Nullable ReferenceQueue<Object> lost,
        Scheduler scheduler,
        Object name,
        Closing closing) {
      super(socket, lost);
      this.scheduler = scheduler;
      this.name = name;
      this.closing = closing;
    }

    /// The calling task has opened the socket.
    public void openedHere() {
      if (LoopControl.of(scheduler.host()).isDebug()
          || ThreadLocalRandom.current().nextInt(SAMPLING) == 0) {
        opened = new Throwable("opened here");
      }
    }

    /// The program closes the socket itself. Later calls do nothing.
    ///
    /// @throws IOException if closing fails; it counts as closed all the same
    public void close() throws IOException {
      if (!closed) {
        closed = true;
        clear();
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

    /// Nothing refers to the socket any more. Any thread.
    void lost() {
      if (!closed) {
        boolean _ = scheduler.post(this::closeLost); // refused: closing has closed it
      }
    }

    private void closeLost() {
      if (!closed) {
        closed = true;
        scheduler.host().report(name.toString(), report());
        try {
          end();
        } catch (IOException e) {
          scheduler.host().report("close " + name, e);
        }
      }
    }

    private IllegalStateException report() {
      Throwable place = opened;
      String lost = name + " was not closed, and nothing refers to it any more";
      return new IllegalStateException(
          place == null ? lost + "; debug mode shows where it was opened" : lost, place);
    }
  }
}
