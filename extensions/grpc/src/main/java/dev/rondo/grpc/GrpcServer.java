package dev.rondo.grpc;

import dev.rondo.scheduler.KeepAlive;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TimedOutException;
import io.grpc.Server;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/// A gRPC server that has been started. It keeps the scheduler running until it is closed.
///
/// gRPC blocks the thread that starts or ends a server until the sockets are ready. So a virtual
/// thread starts and ends this server, and the loop goes on. Under virtual time the loop itself
/// does it.
///
/// Confined to the scheduler's thread. Made by [GrpcCalls#start].
public final class GrpcServer implements AutoCloseable {

  private final Scheduler scheduler;
  private final ServerLife life;
  private final KeepAlive alive;

  /// A server that has ended does not tell them.
  private final List<SocketAddress> addresses;

  private GrpcServer(Scheduler scheduler, ServerLife life, KeepAlive alive) {
    this.scheduler = scheduler;
    this.life = life;
    this.alive = alive;
    this.addresses = List.copyOf(life.server.getListenSockets());
  }

  static GrpcServer start(Scheduler scheduler, ServerLife life) throws IOException {
    KeepAlive alive = scheduler.keepAlive();
    boolean started = false;
    try {
      life.start();
      started = true;
    } finally {
      if (!started) {
        alive.close();
        life.abandon();
      }
    }
    return new GrpcServer(scheduler, life, alive);
  }

  /// {@return the addresses of the listening sockets, with the ports that the system has chosen}
  /// Never a suspension point.
  public List<SocketAddress> localAddresses() {
    return addresses;
  }

  /// {@return gRPC's server}
  Server server() {
    return life.server;
  }

  /// Ends the server in order: it accepts no more calls, and this waits until all calls have ended.
  /// When the grace is over the server closes. *Always* a suspension point; must not be called by
  /// the task of a call, which would wait for itself.
  ///
  /// @param grace at least zero
  /// @return whether all calls ended in time
  /// @throws IllegalArgumentException if it is negative; the server goes on
  public boolean shutdown(Duration grace) {
    if (Objects.requireNonNull(grace, "grace is null").isNegative()) {
      throw new IllegalArgumentException("grace=%s; required >= 0".formatted(grace));
    }
    try {
      scheduler.within(grace, () -> life.end(life.server::shutdown));
      return true;
    } catch (TimedOutException e) {
      return false;
    } finally {
      close();
    }
  }

  /// Ends the server at once: cancels all calls, and waits until the connections are closed.
  /// *Always* a suspension point, also in a task that was cancelled.
  @Override
  public void close() {
    scheduler.shielded(() -> life.end(life.server::shutdownNow));
    alive.close();
  }

  @Override
  public String toString() {
    return "grpc server " + addresses;
  }
}
