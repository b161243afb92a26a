package dev.rondo.cluster.internal.etcd;

import dev.rondo.scheduler.Scheduler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/// The place where a session of etcd runs: on a scheduler and a thread of its own, or, on a host of
/// a world, on the scheduler of the program.
public interface EtcdSeat {

  /// {@return whether waiting blocks the calling thread} Otherwise it suspends the calling task.
  boolean blocks();

  /// {@return an id that is unique}
  String newId();

  long nowNanos();

  /// Looks the address of a server up, as its name has it now. *Possibly* a suspension point.
  ///
  /// @throws IOException if it is not known
  InetSocketAddress resolve(Scheduler own, InetSocketAddress server) throws IOException;

  /// Begins to run code as a task. Once.
  ///
  /// @param failed receives what it fails with
  void start(String name, Consumer<Scheduler> code, Consumer<Throwable> failed);

  /// Waits for something that the code completes.
  void await(CompletableFuture<?> done, long nanos)
      throws TimeoutException, ExecutionException, InterruptedException;

  /// Waits until the code has ended; not for the code itself.
  ///
  /// @return false if that takes longer
  boolean awaitEnd(Duration limit);
}
