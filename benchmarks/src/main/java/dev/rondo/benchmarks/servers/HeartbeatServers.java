package dev.rondo.benchmarks.servers;

import dev.rondo.application.Application;
import dev.rondo.io.Transport;
import dev.rondo.time.TickPolicy;
import dev.rondo.time.Timer;
import io.netty.channel.EventLoop;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// The servers that `HeartbeatLoad` compares, one to a process. One loop does all the work: it
/// echoes, beats every 10 ms, and every millisecond starts [#JOBS] jobs that compute for
/// [#JOB_NANOS] each, arms as many timers of a second, and cancels earlier timers. No tick is
/// skipped when the loop is late, so that all servers do the same work.
public enum HeartbeatServers {
  RONDO {
    @Override
    void serve() {
      serveRondo(Transport.NIO);
    }
  },

  RONDO_EPOLL {
    @Override
    void serve() {
      serveRondo(Transport.EPOLL);
    }
  },

  NETTY_NIO {
    @Override
    void serve() throws Exception {
      NettyServer.serveOnNio(EchoServers::echo, this::work);
    }
  },

  NETTY_EPOLL {
    @Override
    void serve() throws Exception {
      NettyServer.serveOnEpoll(EchoServers::echo, this::work);
    }
  },

  VERTX {
    @Override
    void serve() {
      VertxServer.echo(HeartbeatServers::work);
    }
  },

  /// kotlinx.coroutines on one thread, with the sockets of ktor-network, whose selector has another
  /// thread on the same core. Its beats may be late by the millisecond to which it rounds delays.
  KOTLINX {
    @Override
    void serve() {
      CoroutineServer.echo(
          new CoroutineServer.Work(
              BEAT.toNanos(),
              BEATS::beat,
              TICK.toNanos(),
              JOBS,
              HeartbeatServers::compute,
              TIMEOUT.toNanos(),
              TIMERS,
              HeartbeatServers::expire),
          ServerProcess::tell);
    }
  },

  /// On one carrier, with the timers of the JDK's own scheduled executor.
  VIRTUAL_THREADS {
    @Override
    void serve() throws Exception {
      work();
      EchoServers.VIRTUAL_THREADS.serve();
    }

    private static void work() {
      Thread.startVirtualThread(() -> every(BEAT, BEATS::beat));
      var timers = Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().factory());
      var armed = new ArrayDeque<Future<?>>();
      Thread.startVirtualThread(() ->
          every(
              TICK,
              () -> {
                for (int i = 0; i < JOBS; i++) {
                  Thread.startVirtualThread(HeartbeatServers::compute);
                  armed.add(
                      timers.schedule(HeartbeatServers::expire, TIMEOUT.toNanos(), NANOSECONDS));
                }
                while (armed.size() > TIMERS) {
                  armed.remove().cancel(false);
                }
              }));
    }

    @SuppressWarnings("InfiniteLoopStatement")
    private static void every(Duration period, Runnable action) {
      long due = System.nanoTime();
      while (true) {
        due += period.toNanos();
        for (long left; (left = due - System.nanoTime()) > 0; ) {
          LockSupport.parkNanos(left);
        }
        action.run();
      }
    }
  };

  static final Duration BEAT = Duration.ofMillis(10);

  private static final Duration TICK = Duration.ofMillis(1);
  private static final Duration TIMEOUT = Duration.ofSeconds(1);
  private static final TimeUnit NANOSECONDS = TimeUnit.NANOSECONDS;

  /// The jobs that each tick starts, and the timers that it arms.
  private static final int JOBS = 10;

  private static final long JOB_NANOS = 20_000;

  /// The timers that are armed at a time.
  private static final int TIMERS = 100;

  private static final Heartbeats BEATS = new Heartbeats(BEAT);

  abstract void serve() throws Exception;

  private static void compute() {
    long end = System.nanoTime() + JOB_NANOS;
    while (System.nanoTime() - end < 0) {
      Thread.onSpinWait(); // the work of a program
    }
  }

  private static void expire() {
    throw new IllegalStateException("a timer that is cancelled in time has fired");
  }

  private static void serveRondo(Transport transport) {
    RondoServer.serve(transport, Application.builder(), HeartbeatServers::work, EchoServers::echo);
  }

  private static void work(Application app) {
    app.time().periodic(BEAT, BEAT, TickPolicy.BURST, BEATS::beat);
    var armed = new ArrayDeque<Timer>();
    app.time()
        .periodic(
            TICK,
            TICK,
            TickPolicy.BURST,
            () -> {
              for (int i = 0; i < JOBS; i++) {
                app.spawn(HeartbeatServers::compute);
                armed.add(app.delay(TIMEOUT, HeartbeatServers::expire));
              }
              while (armed.size() > TIMERS) {
                armed.remove().cancel();
              }
            });
  }

  void work(EventLoop loop) {
    loop.scheduleAtFixedRate(BEATS::beat, BEAT.toNanos(), BEAT.toNanos(), NANOSECONDS);
    var armed = new ArrayDeque<Future<?>>();
    loop.scheduleAtFixedRate(
        () -> {
          for (int i = 0; i < JOBS; i++) {
            loop.execute(HeartbeatServers::compute);
            armed.add(loop.schedule(HeartbeatServers::expire, TIMEOUT.toNanos(), NANOSECONDS));
          }
          while (armed.size() > TIMERS) {
            armed.remove().cancel(false);
          }
        },
        TICK.toNanos(),
        TICK.toNanos(),
        NANOSECONDS);
  }

  private static void work(Vertx vertx) {
    vertx.setPeriodic(BEAT.toMillis(), _ -> BEATS.beat());
    var context = vertx.getOrCreateContext();
    var armed = new ArrayDeque<Long>();
    vertx.setPeriodic(
        TICK.toMillis(),
        _ -> {
          for (int i = 0; i < JOBS; i++) {
            context.runOnContext(_ -> compute());
            armed.add(vertx.setTimer(TIMEOUT.toMillis(), _ -> expire()));
          }
          while (armed.size() > TIMERS) {
            vertx.cancelTimer(armed.remove());
          }
        });
  }

  static void main(String[] args) throws Exception {
    ServerProcess.answerQuestions(BEATS::takeReport);
    valueOf(args[0]).serve();
  }
}
