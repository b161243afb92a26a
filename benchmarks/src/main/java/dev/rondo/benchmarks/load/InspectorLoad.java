package dev.rondo.benchmarks.load;

import dev.rondo.application.Application;
import dev.rondo.benchmarks.run.Sample;
import dev.rondo.condition.channel.Channel;
import dev.rondo.condition.sync.Mutex;
import dev.rondo.io.UdpSocket;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The cost of the inspector in an application of a million tasks. Half of the tasks sleep, a
/// quarter waits to receive, and a quarter waits for a lock whose holder is deadlocked with another
/// task.
///
/// One task takes turn after turn, so the time between two of its turns is time that the loop spent
/// elsewhere. For each page the program measures the longest such time, their sum, and the time of
/// the answer. `-Dbench.flags="-Xms10g -Xmx10g -Xmn6g"` avoids garbage collections; the remaining
/// ones are reported.
public final class InspectorLoad {

  private static final int TASKS = 1_000_000;
  private static final int SOCKETS = 1_000;
  private static final int ROUNDS = 5;
  private static final Duration AN_HOUR = Duration.ofHours(1);

  /// Turns and passes by themselves take less time.
  private static final long KEPT_NANOS = 20_000;

  private static final double NANOS_PER_MILLI = 1e6;
  private static final Pattern NEXT = Pattern.compile("\"next\":\"?([-:0-9]+)");

  private final Application app;
  private final int tasks;
  private final HttpClient client = HttpClient.newHttpClient();
  private final URI page;

  // The longest time since the last report. On the loop only.
  private long longestNanos;
  private long allNanos;

  /// @param longestNanos the longest time between two turns
  /// @param allNanos the sum of the times that were longer than usual
  private record Kept(long longestNanos, long allNanos) {}

  private InspectorLoad(Application app, int tasks) {
    this.app = app;
    this.tasks = tasks;
    this.page = app.inspector().orElseThrow();
  }

  /// @param arguments the number of tasks, if not a million
  static void main(String[] arguments) {
    int tasks = arguments.length == 0 ? TASKS : Integer.parseInt(arguments[0]);
    try (Application app =
        Application.builder()
            .observers(o -> o.watchdog(Duration.ofHours(1)))
            .inspector(0)
            .build()) {
      app.start(running -> new InspectorLoad(running, tasks).run());
    }
  }

  private void run() throws Exception {
    populate();
    var ended = new CompletableFuture<Void>();
    Thread.ofPlatform()
        .name("browser")
        .start(() -> {
          try {
            measureAll();
            ended.complete(null);
          } catch (Throwable e) {
            ended.completeExceptionally(e);
          }
        });
    takeTurns(ended);
    ended.get();
    Runtime.getRuntime().halt(0); // to cancel a million tasks would take a while
  }

  // The application.

  private void populate() throws IOException {
    Mutex left = new Mutex(app.scheduler(), "left");
    Mutex right = new Mutex(app.scheduler(), "right");
    var _ = app.spawn("holds left", () -> holdBoth(left, right));
    var _ = app.spawn("holds right", () -> holdBoth(right, left));
    app.scheduler().yield();
    Channel<Integer> channel = Channel.<Integer>bounded(app.scheduler(), 1).named("numbers");
    for (int i = 0; i < tasks; i++) {
      Duration duration = AN_HOUR.plus(Duration.ofMillis(i % tasks));
      switch (i % 4) {
        case 0, 1 -> app.spawn("session " + i, () -> app.sleep(duration));
        case 2 -> app.spawn("consumer " + i, channel::receive);
        default -> app.spawn("writer " + i, () -> hold(left));
      }
    }
    var socket = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    for (int i = 0; i < SOCKETS; i++) {
      UdpSocket open = UdpSocket.open(app.io(), socket);
      app.spawn("receiver " + i, () -> open.receive(ByteBuffer.allocate(1)));
    }
    for (int i = 0; i < 4; i++) {
      app.scheduler().yield();
    }
  }

  private void hold(Mutex lock) {
    try (var _ = lock.lock()) {
      app.sleep(AN_HOUR);
    }
  }

  private void holdBoth(Mutex first, Mutex second) {
    try (var _ = first.lock()) {
      app.scheduler().yield();
      hold(second);
    }
  }

  private void takeTurns(CompletableFuture<?> until) {
    long then = System.nanoTime();
    while (!until.isDone()) {
      app.scheduler().yield();
      long now = System.nanoTime();
      long kept = now - then;
      longestNanos = Math.max(longestNanos, kept);
      if (kept > KEPT_NANOS) {
        allNanos += kept;
      }
      then = now;
    }
  }

  // The browser.

  private Kept takeKept() {
    var kept = new CompletableFuture<Kept>();
    app.post(() -> {
      kept.complete(new Kept(longestNanos, allNanos));
      longestNanos = 0;
      allNanos = 0;
    });
    return kept.join();
  }

  private String get(String path) throws IOException, InterruptedException {
    var response =
        client.send(HttpRequest.newBuilder(page.resolve(path)).build(), BodyHandlers.ofString());
    if (response.statusCode() != 200) {
      throw new IOException(path + ": " + response);
    }
    return response.body();
  }

  private void measureAll() throws IOException, InterruptedException {
    String loops = get("/api/loops");
    String loop = "?loop=" + first(Pattern.compile("\"number\":(\\d+)"), loops);
    String middle = "&from=" + tasks / 2;
    for (int warmUp = 0; warmUp < 3; warmUp++) {
      get("/api/tasks" + loop);
      get("/api/tasks" + loop + "&text=none");
      get("/api/waits");
      get("/api/timers" + loop);
      get("/api/sockets" + loop);
    }
    measure("nothing", "/inspector.css");
    measure("loops", "/api/loops");
    measure("tasks", "/api/tasks" + loop);
    measure("tasks in the middle", "/api/tasks" + loop + middle);
    measure("search without result", "/api/tasks" + loop + "&text=none");
    measure("waits", "/api/waits");
    measure("timers", "/api/timers" + loop);
    measure("sockets", "/api/sockets" + loop);
    String next = first(NEXT, get("/api/timers" + loop));
    if (!next.isEmpty()) {
      measure("more timers", "/api/timers" + loop + "&after=" + next);
    }
  }

  private static String first(Pattern pattern, String text) {
    Matcher found = pattern.matcher(text);
    return found.find() ? found.group(1) : "";
  }

  private void measure(String what, String path) throws IOException, InterruptedException {
    System.gc();
    takeKept();
    List<Long> collections = collections();
    var answered = new ArrayList<Double>();
    int length = 0;
    for (int i = 0; i < ROUNDS; i++) {
      long asked = System.nanoTime();
      length = get(path).length();
      answered.add((System.nanoTime() - asked) / NANOS_PER_MILLI);
      Kept kept = takeKept();
      print(what, "longest stall, ms", kept.longestNanos / NANOS_PER_MILLI);
      print(what, "of the loop's time, ms", kept.allNanos / NANOS_PER_MILLI);
    }
    answered.forEach(millis -> print(what, "answered after, ms", millis));
    if (!collections.equals(collections())) {
      System.out.println("# garbage was collected meanwhile");
    }
    System.out.printf("# %s: %d characters%n", what, length);
  }

  private void print(String what, String measure, double value) {
    Sample.print("inspector", "tasks=" + tasks + ", " + what, "rondo", measure, value);
  }

  private static List<Long> collections() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .map(GarbageCollectorMXBean::getCollectionCount)
        .toList();
  }
}
