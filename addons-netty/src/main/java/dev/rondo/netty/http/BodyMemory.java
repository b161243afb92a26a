package dev.rondo.netty.http;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// How many bytes the bodies have together that handlers read as a whole. A request receives its
/// share before it reads, all of it at once, so that no two wait for each other; first come, first
/// served.
///
/// Confined to the scheduler's thread.
final class BodyMemory {

  private final Scheduler scheduler;
  private final long mostBytes;
  private final ArrayDeque<Share> waiting = new ArrayDeque<>();
  private long heldBytes;

  BodyMemory(Scheduler scheduler, long mostBytes) {
    this.scheduler = scheduler;
    this.mostBytes = mostBytes;
  }

  long mostBytes() {
    return mostBytes;
  }

  long heldBytes() {
    return heldBytes;
  }

  /// {@return what one request needs, to be awaited}
  ///
  /// @param bytes at most all
  Share share(long bytes) {
    return new Share(bytes);
  }

  private void giveOut() {
    for (Share each; (each = waiting.peek()) != null && each.fits(); ) {
      waiting.remove();
      each.give();
    }
  }

  /// The memory for one body. A wait for it results in the share itself.
  final class Share implements Waitable<Share> {

    private long bytes;
    private boolean held;
    private @Nullable Waiter<? super Share> waiter;

    private Share(long bytes) {
      this.bytes = bytes;
    }

    long bytes() {
      return bytes;
    }

    private boolean fits() {
      return bytes <= mostBytes - heldBytes;
    }

    @Override
    public boolean poll(Waiter<? super Share> polling) {
      return waiting.isEmpty() && fits() && give(polling);
    }

    @Override
    public void arm(Waiter<? super Share> armed) {
      waiter = armed;
      waiting.add(this);
    }

    @Override
    public void disarm(Waiter<? super Share> armed) {
      waiter = null;
      if (waiting.remove(this)) {
        giveOut();
      }
    }

    private void give() {
      Waiter<? super Share> own = waiter;
      waiter = null;
      if (own != null) {
        boolean _ = give(own);
      }
    }

    private boolean give(Waiter<? super Share> receiver) {
      boolean taken = receiver.fire(this);
      if (taken) {
        held = true;
        heldBytes += bytes;
      }
      return taken;
    }

    /// The body is shorter.
    void shrink(long needed) {
      heldBytes -= bytes - needed;
      bytes = needed;
      giveOut();
    }

    /// Gives it back, if it was received.
    void release() {
      if (held) {
        held = false;
        heldBytes -= bytes;
        giveOut();
      }
    }

    @Override
    public Scheduler scheduler() {
      return scheduler;
    }

    @Override
    public String toString() {
      return "memory for a body of %,d bytes".formatted(bytes);
    }
  }
}
