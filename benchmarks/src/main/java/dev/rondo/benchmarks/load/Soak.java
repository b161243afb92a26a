package dev.rondo.benchmarks.load;

import dev.rondo.application.Application;
import dev.rondo.benchmarks.SchedStat;
import dev.rondo.benchmarks.run.Sample;
import dev.rondo.benchmarks.servers.EchoServers;
import dev.rondo.condition.channel.Channel;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.internal.rooms.LoopView;
import dev.rondo.time.Timer;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// One loop with a mix of work for `-Dminutes`: connections that are opened and closed, echoes,
/// tasks, timers that fire or are cancelled, waits that time out, a channel. The resources of the
/// loop are measured all the time, and must be the same at the end as at the beginning: heap,
/// descriptors, tasks, timers, and processor time.
public final class Soak {

  private static final int SAMPLES = 40;

  /// The number of parts of the run. The second part and the last are compared, because the code is
  /// compiled in the first.
  private static final int PARTS = 4;

  private static final int CLIENTS = 20;
  private static final int MESSAGES_PER_CONNECTION = 50;
  private static final int MESSAGE_BYTES = 64;
  private static final int PER_TICK = 10;
  private static final int KEPT_TIMERS = 100;
  private static final Duration TICK = Duration.ofMillis(2);
  private static final Duration SOON = Duration.ofMillis(5);
  private static final Duration LATER = Duration.ofSeconds(1);
  private static final double BYTES_PER_KIB = 1024;

  /// The allowed growth from the second part to the last, as a factor and as an addition.
  private static final double HEAP_GROWTH = 1.05;

  private static final double CPU_GROWTH = 1.25;
  private static final double COUNT_GROWTH = 1.1;
  private static final double CPU_MORE = 1;
  private static final double COUNT_MORE = 5;
  private static final double HEAP_MORE_KIB = 256;

  /// The resources of the loop at one time.
  private record Kept(
      double heapKib, double descriptors, double tasks, double timers, double cpuPercent) {}

  private final Application app;
  private final List<Kept> kept = new ArrayList<>();
  private long done;

  private Soak(Application app) {
    this.app = app;
  }

  static void main() {
    Duration length = Duration.ofSeconds(Math.round(60 * Double.parseDouble(minutes())));
    var flat = new boolean[1];
    Application.run(app -> {
      var soak = new Soak(app);
      soak.begin();
      flat[0] = soak.watch(length);
      app.stop();
    });
    Runtime.getRuntime().halt(flat[0] ? 0 : 1);
  }

  private static String minutes() {
    String set = System.getProperty("soak.minutes", "");
    return set.isEmpty() ? "2" : set;
  }

  // The work.

  private void begin() throws IOException {
    TcpListener listener = app.listen(0);
    app.spawn("accept", () -> acceptAll(listener));
    for (int i = 0; i < CLIENTS; i++) {
      app.spawn("client", () -> connectAgainAndAgain(listener.port()));
    }
    var armed = new ArrayDeque<Timer>();
    app.periodic(TICK, () -> tick(armed));
    Channel<Integer> channel = Channel.<Integer>bounded(app.scheduler(), PER_TICK).named("numbers");
    app.spawn("producer", () -> produce(channel));
    app.spawn("consumer", () -> channel.forEach(_ -> done++));
    app.spawn("timing out", this::timeOut);
  }

  @SuppressWarnings("InfiniteLoopStatement")
  private void acceptAll(TcpListener listener) throws IOException {
    while (true) {
      TcpSocket socket = listener.accept();
      app.spawn(
          "echo",
          () -> {
            try (socket) {
              EchoServers.echo(socket);
            }
          });
    }
  }

  @SuppressWarnings("InfiniteLoopStatement")
  private void connectAgainAndAgain(int port) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(MESSAGE_BYTES);
    while (true) {
      try (TcpSocket socket = app.connect("127.0.0.1", port)) {
        for (int i = 0; i < MESSAGES_PER_CONNECTION; i++) {
          socket.write(buffer.clear());
          socket.readFully(buffer.clear());
          done++;
          app.sleep(TICK);
        }
      }
    }
  }

  private void tick(ArrayDeque<Timer> armed) {
    for (int i = 0; i < PER_TICK; i++) {
      app.spawn(() -> done++);
      app.delay(SOON, () -> done++);
      app.delay(
          SOON,
          () -> {
            app.sleep(SOON);
            done++;
          });
      armed.add(app.delay(LATER, () -> done++));
    }
    while (armed.size() > KEPT_TIMERS) {
      armed.remove().cancel();
    }
  }

  @SuppressWarnings("InfiniteLoopStatement")
  private void produce(Channel<Integer> channel) {
    for (int i = 0; ; i++) {
      channel.send(i);
      if (i % PER_TICK == 0) {
        app.sleep(TICK);
      }
    }
  }

  @SuppressWarnings("InfiniteLoopStatement")
  private void timeOut() {
    while (true) {
      try {
        app.within(SOON, () -> app.sleep(LATER));
      } catch (TimedOutException e) {
        done++;
      }
    }
  }

  // The resources.

  private boolean watch(Duration length) throws IOException {
    Duration pause = length.dividedBy(SAMPLES);
    long cpu = cpuNanos();
    long then = System.nanoTime();
    for (int i = 0; i < SAMPLES; i++) {
      app.sleep(pause);
      long cpuNow = cpuNanos();
      long now = System.nanoTime();
      kept.add(look(100.0 * (cpuNow - cpu) / (now - then)));
      cpu = cpuNanos(); // without the time of the collection
      then = System.nanoTime();
    }
    double seconds = length.toMillis() / 1e3;
    Sample.print("soak", params(seconds), "rondo", "operations/s", done / seconds);
    boolean flat = isFlat(seconds, "heap, KiB", Kept::heapKib, HEAP_GROWTH, HEAP_MORE_KIB);
    flat &= isFlat(seconds, "descriptors", Kept::descriptors, COUNT_GROWTH, COUNT_MORE);
    flat &= isFlat(seconds, "tasks", Kept::tasks, COUNT_GROWTH, COUNT_MORE);
    flat &= isFlat(seconds, "timers", Kept::timers, COUNT_GROWTH, COUNT_MORE);
    flat &= isFlat(seconds, "% of a core", Kept::cpuPercent, CPU_GROWTH, CPU_MORE);
    return flat;
  }

  private static long cpuNanos() throws IOException {
    return SchedStat.of(ProcessHandle.current()).threads().values().stream()
        .mapToLong(SchedStat.Times::ranNanos)
        .sum();
  }

  private Kept look(double cpuPercent) {
    System.gc();
    Runtime jvm = Runtime.getRuntime();
    String[] descriptors = new File("/proc/self/fd").list();
    LoopView.State loop = LoopView.of(app.scheduler()).state();
    int tasks = loop.alive() - loop.ready();
    return new Kept(
        (jvm.totalMemory() - jvm.freeMemory()) / BYTES_PER_KIB,
        descriptors == null ? 0 : descriptors.length,
        tasks,
        app.time().waiterCount(),
        cpuPercent);
  }

  /// Compares the medians of the second and of the last part.
  private boolean isFlat(
      double seconds, String measure, ToDoubleFunction<Kept> of, double factor, double more) {
    double second = median(1, of);
    double last = median(PARTS - 1, of);
    Sample.print("soak", params(seconds), "rondo", measure + ", second quarter", second);
    Sample.print("soak", params(seconds), "rondo", measure + ", last quarter", last);
    boolean flat = last <= second * factor + more;
    if (!flat) {
      System.err.printf("%s has grown from %.1f to %.1f%n", measure, second, last);
    }
    return flat;
  }

  private double median(int part, ToDoubleFunction<Kept> of) {
    int size = SAMPLES / PARTS;
    double[] values =
        kept.subList(part * size, (part + 1) * size).stream().mapToDouble(of).sorted().toArray();
    return Arrays.stream(values).skip(size / 2).findFirst().orElseThrow();
  }

  private static String params(double seconds) {
    return "seconds=" + Math.round(seconds);
  }
}
