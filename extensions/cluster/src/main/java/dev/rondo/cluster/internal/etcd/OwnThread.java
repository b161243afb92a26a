package dev.rondo.cluster.internal.etcd;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.time.WaitForTime;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A thread with a scheduler, so that leases can be given back while the scheduler of the program
/// closes.
public final class OwnThread implements EtcdSeat {

  /// Blocks.
  private final UnaryOperator<InetSocketAddress> resolver;

  private volatile @Nullable Thread thread;

  /// Makes one.
  public OwnThread() {
    this(server -> new InetSocketAddress(server.getHostString(), server.getPort()));
  }

  OwnThread(UnaryOperator<InetSocketAddress> resolver) {
    this.resolver = resolver;
  }

  @Override
  public boolean blocks() {
    return true;
  }

  @Override
  public String newId() {
    return UUID.randomUUID().toString();
  }

  @Override
  public long nowNanos() {
    return System.nanoTime();
  }

  /// In a thread that is left behind if the session ends meanwhile: the system may look for long.
  @Override
  public InetSocketAddress resolve(Scheduler own, InetSocketAddress server) throws IOException {
    var found = new CompletableFuture<InetSocketAddress>();
    var _ =
        Thread.startVirtualThread(() -> {
          try {
            found.complete(resolver.apply(server));
          } catch (RuntimeException e) {
            found.completeExceptionally(e);
          }
        });
    InetSocketAddress resolved = own.await(own.completion(found));
    if (resolved.isUnresolved()) {
      throw new IOException("no address is known of " + server.getHostString());
    }
    return resolved;
  }

  @Override
  public void start(String name, Consumer<Scheduler> code, Consumer<Throwable> failed) {
    thread = Thread.ofPlatform().daemon().name(name).start(() -> run(code, failed));
  }

  private static void run(Consumer<Scheduler> code, Consumer<Throwable> failed) {
    try (Scheduler own =
        Scheduler.builder().failureHandler((where, failure) -> failed.accept(failure)).build()) {
      var _ = WaitForTime.on(own);
      var _ = own.spawn("etcd", () -> code.accept(own));
      own.start();
    } catch (RuntimeException e) {
      failed.accept(e);
    }
  }

  @Override
  public void await(CompletableFuture<?> done, long nanos)
      throws TimeoutException, ExecutionException, InterruptedException {
    var _ = done.get(nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public boolean awaitEnd(Duration limit) {
    Thread running = thread;
    if (running == null || running == Thread.currentThread()) {
      return true;
    }
    boolean interrupted = Thread.interrupted();
    try {
      return running.join(limit);
    } catch (InterruptedException e) {
      interrupted = true;
      return true;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
