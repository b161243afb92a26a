package dev.rondo.simulation.threads.internal.net;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.spi.AbstractInterruptibleChannel;
import org.jspecify.annotations.Nullable;

/// The interrupt of a thread during a wait, as an event. To the JDK it is a channel on which the
/// thread waits, because the JDK closes that.
public final class Interrupt extends AbstractInterruptibleChannel implements Waitable<Object> {

  private @Nullable Waiter<? super Object> waiter;

  /// A wait that has this among its events.
  public interface Wait {

    /// {@return whether something has come in time}
    boolean run() throws IOException;
  }

  /// Waits, unless the calling thread is interrupted already. Called once.
  ///
  /// @return what the wait returns
  /// @throws InterruptedIOException if the thread was interrupted, before or meanwhile
  public boolean ends(Wait wait) throws IOException {
    try {
      begin();
      try {
        return isOpen() && wait.run();
      } finally {
        end(true);
      }
    } catch (ClosedByInterruptException e) {
      throw new InterruptedIOException();
    }
  }

  @Override
  public void arm(Waiter<? super Object> armed) {
    waiter = armed;
  }

  @Override
  public void disarm(Waiter<? super Object> armed) {
    waiter = null;
  }

  @Override
  protected void implCloseChannel() {
    if (waiter != null) {
      var _ = waiter.fire(this);
    }
  }
}
