package dev.rondo.benchmarks.calls;

import dev.rondo.condition.Signal;
import dev.rondo.condition.sync.Mutex;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.io.WaitForIO;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.time.WaitForTime;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;

/// A scenario: the counted operation, and the two points of the count.
enum Scenario {
  /// The shortest way through the loop.
  YIELD("yield", "a task yields, alone: from the call of yield() until it returns") {
    @Override
    void record(Recorder recorder) throws Exception {
      try (var scheduler = new SteppedClock().scheduler()) {
        recorder.repeat(scheduler, scheduler::yield);
      }
    }
  },

  /// A task is made, runs and is joined.
  SPAWN("spawn+join", "a task spawns one that returns at once, and joins it: both calls") {
    @Override
    void record(Recorder recorder) throws Exception {
      try (var scheduler = new SteppedClock().scheduler()) {
        recorder.repeat(scheduler, () -> scheduler.spawn(() -> 1).join());
      }
    }
  },

  /// A byte arrives on a connection, and nothing else happens.
  BYTE(
      "byte",
      "a task reads a byte that comes from a socket while the loop blocks in the selector: from the"
          + " call of read(..) until it returns, which are the calls from one wait to the next") {
    @Override
    void record(Recorder recorder) throws Exception {
      var clock = new SteppedClock();
      try (var scheduler = clock.timedScheduler()) {
        readBytes(scheduler, clock, recorder);
      }
    }
  },

  /// The same in a server with timeouts.
  BYTE_BESIDE_TIMER("byte, timer armed", "the same while another task sleeps, for hours") {
    @Override
    void record(Recorder recorder) throws Exception {
      var clock = new SteppedClock();
      try (var scheduler = clock.timedScheduler()) {
        sleepLong(scheduler);
        readBytes(scheduler, clock, recorder);
      }
    }
  },

  /// A sleep, and nothing else happens.
  SLEEP("sleep", "a task sleeps, alone: from the call of sleep(..) until it returns") {
    @Override
    void record(Recorder recorder) throws Exception {
      try (var scheduler = new SteppedClock().scheduler()) {
        var time = WaitForTime.on(scheduler);
        recorder.repeat(scheduler, () -> time.sleep(SHORT));
      }
    }
  },

  /// The same with later timers.
  SLEEP_BESIDE_TIMER("sleep, timer armed", "the same while another task sleeps, for hours") {
    @Override
    void record(Recorder recorder) throws Exception {
      try (var scheduler = new SteppedClock().scheduler()) {
        var time = WaitForTime.on(scheduler);
        sleepLong(scheduler);
        recorder.repeat(scheduler, () -> time.sleep(SHORT));
      }
    }
  },

  /// A cancellation that removes a timer which is not the next.
  CANCEL(
      "cancel",
      "a task cancels one that sleeps, and yields: from the call of cancel(..) until the other has"
          + " ended and yield() returns; a third task sleeps for less long") {
    @Override
    void record(Recorder recorder) throws Exception {
      try (var scheduler = new SteppedClock().scheduler()) {
        sleepLong(scheduler);
        cancel(scheduler, recorder);
      }
    }
  },

  /// A cancellation, and nothing else happens.
  CANCEL_LAST("cancel, no timer left", "the same without the third task") {
    @Override
    void record(Recorder recorder) throws Exception {
      try (var scheduler = new SteppedClock().scheduler()) {
        cancel(scheduler, recorder);
      }
    }
  },

  /// A signal with one waiter.
  SIGNAL_ALL(
      "signalAll to one",
      "a task signals one that waits, and yields: from the call of signalAll() until yield()"
          + " returns, in whose course the other waits again") {
    @Override
    void record(Recorder recorder) throws Exception {
      try (var scheduler = new SteppedClock().scheduler()) {
        var signal = new Signal<String>(scheduler, "signal");
        TaskAction<?> waits =
            () -> {
              while (true) {
                scheduler.await(signal);
              }
            };
        scheduler.scheduleTask(scheduler.newTask("waits", waits).daemon());
        recorder.repeatMarked(
            scheduler,
            () -> {
              scheduler.yield();
              recorder.begin();
              signal.signalAll("value");
              scheduler.yield();
              recorder.end();
            });
      }
    }
  },

  /// A group with one child.
  GROUP("group of one child", "a task runs a group whose block spawns one child: the whole group") {
    @Override
    void record(Recorder recorder) throws Exception {
      try (var scheduler = new SteppedClock().scheduler()) {
        recorder.repeat(
            scheduler,
            () -> {
              var group = scheduler.<Integer>newGroup("group");
              group.run(() -> {
                group.spawn(() -> 1);
              });
            });
      }
    }
  },

  /// A time limit that does not pass.
  WITHIN("within", "code that returns at once runs within a limit: the call of within(..)") {
    @Override
    void record(Recorder recorder) throws Exception {
      try (var scheduler = new SteppedClock().scheduler()) {
        var _ = WaitForTime.on(scheduler);
        recorder.repeat(scheduler, () -> scheduler.within(LONG, () -> {}));
      }
    }
  },

  /// A lock that is free.
  LOCK("free lock+unlock", "a task locks a free mutex and unlocks it: both calls") {
    @Override
    void record(Recorder recorder) throws Exception {
      try (var scheduler = new SteppedClock().scheduler()) {
        var mutex = new Mutex(scheduler, "mutex");
        recorder.repeat(
            scheduler,
            () -> {
              mutex.lock();
              mutex.unlock();
            });
      }
    }
  },

  /// An HTTP/1.1 request on a connection that stays open.
  HTTP_GET("HTTP GET", "from one call of a handler to the next, for a client with one connection") {
    @Override
    void record(Recorder recorder) throws Exception {
      try (var scheduler = new SteppedClock().timedScheduler()) {
        HttpRequests.GET.serve(scheduler, recorder);
      }
    }
  },

  /// The same with a body.
  HTTP_POST("HTTP POST", "the same for requests with a body of 12 bytes, which the handler reads") {
    @Override
    void record(Recorder recorder) throws Exception {
      try (var scheduler = new SteppedClock().timedScheduler()) {
        HttpRequests.POST.serve(scheduler, recorder);
      }
    }
  },

  /// An HTTP/2 request on a connection that stays open.
  HTTP_2_GET("HTTP/2 GET", "the same for requests of HTTP/2, one stream after the other") {
    @Override
    void record(Recorder recorder) throws Exception {
      try (var scheduler = new SteppedClock().timedScheduler()) {
        HttpRequests.HTTP_2_GET.serve(scheduler, recorder);
      }
    }
  };

  private static final Duration SHORT = Duration.ofMillis(1);
  private static final Duration LONG = Duration.ofHours(1);
  private static final Duration LONGER = Duration.ofHours(2);

  /// The number of yields after which each ready task has had a turn, and also each add-on that was
  /// woken by then.
  private static final int YIELDS_UNTIL_QUIET = 3;

  private final String label;
  private final String window;

  Scenario(String label, String window) {
    this.label = label;
    this.window = window;
  }

  /// {@return its name in the results}
  String label() {
    return label;
  }

  /// {@return its description, with the two points}
  String window() {
    return window;
  }

  /// Runs until the recorder has enough.
  abstract void record(Recorder recorder) throws Exception;

  /// {@return the recordings}
  ///
  /// @param withDepth whether to record the depth of each call
  List<Recording> record(boolean withDepth) throws Exception {
    var recorder = new Recorder(withDepth);
    record(recorder);
    return recorder.recordings();
  }

  private static void readBytes(Scheduler scheduler, SteppedClock clock, Recorder recorder)
      throws Exception {
    WaitForIO io = WaitForIO.on(scheduler);
    TcpListener listener = io.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    try (listener;
        var peer = new Socket(InetAddress.getLoopbackAddress(), listener.port());
        var bytes = new BytesToBlockedLoop(Thread.currentThread(), clock, peer)) {
      var accepted = scheduler.spawn(listener::accept);
      scheduler.start();
      try (TcpSocket socket = accepted.join()) {
        ByteBuffer buffer = ByteBuffer.allocate(16);
        bytes.begin();
        recorder.repeat(scheduler, () -> socket.read(buffer.clear()));
      }
    }
  }

  private static void cancel(Scheduler scheduler, Recorder recorder) {
    var time = WaitForTime.on(scheduler);
    recorder.repeatMarked(
        scheduler,
        () -> {
          Task<Void> victim = scheduler.spawn(() -> time.sleep(LONGER));
          for (int i = 0; i < YIELDS_UNTIL_QUIET; i++) {
            scheduler.yield();
          }
          recorder.begin();
          victim.cancel("enough");
          scheduler.yield();
          recorder.end();
          if (!victim.isDone()) {
            throw new AssertionError("not ended: " + victim);
          }
        });
  }

  /// Starts a daemon that sleeps beyond the end of all scenarios.
  private static void sleepLong(Scheduler scheduler) {
    var time = WaitForTime.on(scheduler);
    TaskAction<?> code = () -> time.sleep(LONG);
    scheduler.scheduleTask(scheduler.newTask("sleeps long", code).daemon());
  }
}
