package dev.rondo.grpc;

import dev.rondo.scheduler.Scheduler;
import io.grpc.Attributes;
import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.grpc.ServerTransportFilter;
import java.io.IOException;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/// Starts and ends a gRPC server. gRPC blocks the calling thread until the sockets are ready.
///
/// Confined to the scheduler's thread.
abstract class ServerLife {

  final Server server;

  private ServerLife(Server server) {
    this.server = server;
  }

  /// {@return the way that suits the time of the scheduler} Never a suspension point.
  static ServerLife of(CallLoop loop, ServerBuilder<?> builder) {
    return loop.isVirtual()
        ? OnLoop.of(loop, builder)
        : new OnThread(loop.scheduler(), builder.build());
  }

  /// *Always* a suspension point.
  abstract void start() throws IOException;

  /// Ends a server whose start has failed or was given up. Never a suspension point.
  abstract void abandon();

  /// Waits until the server has ended. *Always* a suspension point.
  ///
  /// @param shutdown ends the server, in order or at once
  abstract void end(Runnable shutdown);

  /// A virtual thread waits, and the loop goes on.
  private static final class OnThread extends ServerLife {

    private final Scheduler scheduler;

    OnThread(Scheduler scheduler, Server server) {
      super(server);
      this.scheduler = scheduler;
    }

    @Override
    void start() throws IOException {
      scheduler.blocking(() -> {
        var _ = server.start();
      });
    }

    @Override
    void abandon() {
      Thread.startVirtualThread(server::shutdownNow); // the server may still be starting
    }

    @Override
    void end(Runnable shutdown) {
      scheduler.blocking(() -> {
        shutdown.run();
        awaitEnd();
      });
    }

    private void awaitEnd() {
      try {
        server.awaitTermination();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // the wait was given up
      }
    }
  }

  /// The loop itself calls gRPC, and does not wait. Under virtual time another thread must not do
  /// this: the simulated network stands still while that thread works, and its requests come to the
  /// loop at no certain turn.
  private static final class OnLoop extends ServerLife {

    private final CallLoop loop;

    /// Fires after a connection has ended.
    private final CallChange ends;

    private OnLoop(CallLoop loop, Server server, CallChange ends) {
      super(server);
      this.loop = loop;
      this.ends = ends;
    }

    static OnLoop of(CallLoop loop, ServerBuilder<?> builder) {
      var ends = new CallChange(loop);
      builder.addTransportFilter(
          new ServerTransportFilter() {
            @Override
            public void transportTerminated(@Nullable Attributes attributes) {
              loop.soon(ends::fire); // gRPC notes the end after this call
            }
          });
      return new OnLoop(loop, builder.build(), ends);
    }

    @Override
    void start() throws IOException {
      loop.netty().await(loop.directly(server::start));
    }

    @Override
    void abandon() {
      var _ = loop.directly(server::shutdownNow);
    }

    @Override
    void end(Runnable shutdown) {
      var _ = loop.await(loop.netty().waitable(loop.directly(Executors.callable(shutdown))));
      while (!server.isTerminated()) {
        var _ = loop.await(ends.unless(false));
      }
    }
  }
}
