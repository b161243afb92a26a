package dev.rondo.cluster.internal.world;

import dev.rondo.io.WaitForIO;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import java.io.IOException;
import java.nio.channels.DatagramChannel;
import org.jspecify.annotations.Nullable;

/// Awaits datagrams of a simulated host for the engine of its cluster. As an add-on it goes on
/// while tasks that were cancelled clean up.
///
/// Confined to the scheduler's thread.
public final class WorldSocket implements AddOn {

  private final WaitForIO io;
  private StepTask<Void> task;

  /// Null while the node is alone.
  private @Nullable DatagramChannel channel;

  private Runnable receiver = () -> {};

  /// The last one that was closed; null if there was none.
  private @Nullable DatagramChannel closed;

  @SuppressWarnings("NullAway") // the task is set by on(), at once
  private WorldSocket(Scheduler scheduler) {
    this.io = WaitForIO.on(scheduler);
  }

  static WorldSocket on(Scheduler scheduler) {
    WorldSocket installed = scheduler.host().addOn(WorldSocket.class);
    if (installed != null) {
      return installed;
    }
    var made = new WorldSocket(scheduler);
    made.task = scheduler.host().install(made);
    return made;
  }

  DatagramChannel newChannel() throws IOException {
    DatagramChannel made = io.provider().openDatagramChannel();
    made.configureBlocking(false);
    return made;
  }

  /// {@return whether the address of an earlier stay is free} It is taken until the next round of
  /// IO.
  boolean isFree() {
    DatagramChannel last = closed;
    return last == null || !last.isRegistered();
  }

  /// Has something called when datagrams have come to a channel.
  void await(DatagramChannel opened, Runnable arrived) {
    channel = opened;
    receiver = arrived;
    boolean _ = task.wake();
  }

  void close(DatagramChannel opened) {
    if (channel == opened) {
      channel = null;
    }
    closed = opened;
    try {
      io.close(opened);
    } catch (IOException e) {
      // It counts as closed.
    }
  }

  @Override
  public StepResult turn(StepTask<Void> self) {
    if (channel != null) {
      receiver.run();
    }
    DatagramChannel open = channel;
    return open == null ? StepResult.SUSPEND : self.await(io.readable(open));
  }
}
