package dev.rondo.inspector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.application.Application;
import dev.rondo.application.Application.Main;
import dev.rondo.application.ApplicationBuilder;
import dev.rondo.condition.sync.Mutex;
import dev.rondo.io.TcpListener;
import dev.rondo.io.WaitForIO;
import dev.rondo.observe.internal.LoopMonitor;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.testing.BackendTest;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The inspector of a running application, as a browser sees it.
final class InspectorTest extends BackendTest {

  private static final Pattern NAME = Pattern.compile("\"name\":\"(session \\d+)\"");
  private static final Pattern SOCKET = Pattern.compile("\"name\":\"([^\"]+)\"");
  private static final Pattern NEXT = Pattern.compile("\"next\":(-?\\d+)");

  private static final Pattern SLEEPER = Pattern.compile("'(sleeper \\d+)'");
  private static final Pattern NEXT_TIMERS = Pattern.compile("\"next\":\"([^\"]*)\"");
  private static final Pattern WAITER =
      Pattern.compile("\"waiter\":\\{\"loop\":\\d+,\"id\":\\d+,\"name\":\"(session \\d+)\"");

  private ApplicationBuilder inspected() {
    return Application.builder().backend(backend).inspector(0);
  }

  /// Runs a program to its end; what it leaves is cancelled.
  private void run(Main main) {
    try (Application app = inspected().build()) {
      app.start(running -> {
        main.run(running);
        running.stop();
      });
    }
  }

  private static URI page(Application app) {
    return app.inspector().orElseThrow();
  }

  /// {@return the body of an answer} The loop goes on meanwhile.
  private static String ask(Application app, String target) throws IOException {
    return app.blocking(() -> PageClient.body(page(app), target));
  }

  private static String askLoop(Application app, String path) throws IOException {
    return ask(app, path + "loop=" + numberOf(app));
  }

  private static LoopMonitor monitorOf(Application app) {
    return LoopMonitor.all().stream()
        .filter(each -> each.scheduler() == app.scheduler())
        .findFirst()
        .orElseThrow();
  }

  private static long numberOf(Application app) {
    return monitorOf(app).number();
  }

  private static void hold(Application app, Mutex lock) {
    try (var _ = lock.lock()) {
      app.sleep(Duration.ofHours(1));
    }
  }

  private static void holdBoth(Application app, Mutex first, Mutex second) {
    try (var _ = first.lock()) {
      app.scheduler().yield();
      hold(app, second);
    }
  }

  // What there is to see.

  @Test
  void page_partsAndTheirTypes() {
    run(app -> {
      String head = app.blocking(() -> PageClient.get(page(app), "/"));
      assertTrue(head.contains("Content-Type: text/html; charset=utf-8\r\n"), head);
      assertTrue(head.contains("Content-Security-Policy: default-src 'none'; script-src 'self'"));
      assertTrue(head.contains("<title>Rondo inspector</title>"), head);
      assertTrue(ask(app, "/inspector.js").contains("'use strict'"));
      assertTrue(ask(app, "/inspector.css").contains("prefers-color-scheme: dark"));
    });
  }

  @Test
  void loops_haveLagTurnsAndCounts() {
    run(app -> {
      var _ = app.spawn("sleeper", () -> app.sleep(Duration.ofHours(1)));
      String loops = ask(app, "/api/loops");
      assertTrue(loops.contains("\"number\":" + numberOf(app) + ","), loops);
      assertTrue(loops.contains("\"backend\":\"" + backend.name() + "\""), loops);
      assertTrue(loops.contains("\"lag\":"), loops);
      assertTrue(loops.contains("\"turns\":"), loops);
    });
  }

  @Test
  void tasks_stateWaitTurnsAndTime() {
    run(app -> {
      Mutex lock = new Mutex(app.scheduler(), "the lock");
      var _ = app.spawn("holding", () -> hold(app, lock));
      var _ = app.spawn("waiting", () -> hold(app, lock));
      app.scheduler().yield();
      String tasks = askLoop(app, "/api/tasks?text=waiting&");
      assertTrue(tasks.contains("\"name\":\"waiting\",\"state\":\"WAITING\""), tasks);
      assertTrue(tasks.contains("the lock"), tasks);
      assertTrue(tasks.contains("\"holder\":"), tasks);
      assertTrue(tasks.contains("\"since\":"), tasks);
      assertTrue(tasks.contains("\"turns\":1,\"time\":"), tasks);
    });
  }

  @Test
  void task_hasItsStack() {
    run(app -> {
      Task<Void> sleeper = app.spawn("sleeper", () -> app.sleep(Duration.ofHours(1)));
      app.scheduler().yield();
      String tasks = askLoop(app, "/api/tasks?text=sleeper&");
      String slot = tasks.replaceFirst(".*\"slot\":(\\d+).*", "$1");
      String task = askLoop(app, "/api/task?slot=" + slot + "&id=" + sleeper.id() + "&");
      assertTrue(task.contains("InspectorTest"), task);
      assertTrue(task.contains("\"found\":true"), task);
      String other = askLoop(app, "/api/task?slot=" + slot + "&id=999999999&");
      assertTrue(other.contains("\"found\":false"), other);
    });
  }

  @Test
  void tasks_nameOfAnyCharacters_isEscaped() {
    run(app -> {
      var _ = app.spawn("</script>\"\\\n\u2028\uD800", () -> app.sleep(Duration.ofHours(1)));
      app.scheduler().yield();
      String tasks = askLoop(app, "/api/tasks?text=script&");
      assertTrue(tasks.contains("\"</script>\\\"\\\\\\u000a\\u2028\\ud800\""), tasks);
    });
  }

  @Test
  void tasks_severalPages_haveEachTaskOnce() {
    int many = 1_000;
    run(app -> {
      IntStream.range(0, many)
          .forEach(i -> {
            var _ = app.spawn("session " + i, () -> app.sleep(Duration.ofHours(1)));
          });
      app.scheduler().yield();
      var seen = new TreeSet<String>();
      int rows = 0;
      for (String next = "0"; !next.equals("-1"); ) {
        String page = askLoop(app, "/api/tasks?text=session&most=70&from=" + next + "&");
        List<String> names = all(NAME, page);
        assertTrue(names.size() <= 70, page);
        rows += names.size();
        seen.addAll(names);
        next = all(NEXT, page).getFirst();
      }
      assertEquals(many, rows);
      assertEquals(many, seen.size());
    });
  }

  private static List<String> all(Pattern pattern, String text) {
    return pattern.matcher(text).results().map((MatchResult each) -> each.group(1)).toList();
  }

  @Test
  void waits_deadlock_isMarkedAndItsWaitersAreStuck() {
    run(app -> {
      Mutex left = new Mutex(app.scheduler(), "left");
      Mutex right = new Mutex(app.scheduler(), "right");
      var _ = app.spawn("one", () -> holdBoth(app, left, right));
      var _ = app.spawn("two", () -> holdBoth(app, right, left));
      var _ = app.spawn("behind", () -> hold(app, left));
      app.scheduler().yield();
      app.scheduler().yield();
      app.scheduler().yield();
      String waits = ask(app, "/api/waits");
      assertTrue(waits.contains("\"waits\":3,\"listed\":3,\"stuck\":3"), waits);
      assertTrue(waits.contains("\"cycleCount\":1"), waits);
      String cycle = waits.substring(waits.indexOf("\"cycles\""));
      assertTrue(cycle.contains("\"one\""), cycle);
      assertTrue(cycle.contains("\"two\""), cycle);
      assertFalse(cycle.contains("\"behind\""), cycle);
    });
  }

  /// Of the children that a task waits for, only the first 64 are known.
  @Test
  void waits_deadlockByTheLastOfManyChildren_mayBeMissing() {
    run(app -> {
      Mutex lock = new Mutex(app.scheduler(), "lock");
      var _ =
          app.spawn(
              "parent",
              () -> {
                try (var _ = lock.lock()) {
                  withChildren(app, 64, () -> hold(app, lock));
                }
              });
      app.scheduler().yield();
      app.scheduler().yield();
      String waits = ask(app, "/api/waits");
      assertTrue(waits.contains("\"waits\":2,\"listed\":2,\"stuck\":0"), waits);
      assertTrue(waits.contains("\"cyclesMayBeMissing\":true"), waits);
    });
  }

  /// No task waits for the parent.
  @Test
  void waits_manyChildrenWithoutADeadlock_noneIsMissing() {
    run(app -> {
      var _ =
          app.spawn("parent", () -> withChildren(app, 64, () -> app.sleep(Duration.ofHours(1))));
      app.scheduler().yield();
      app.scheduler().yield();
      String waits = ask(app, "/api/waits");
      assertTrue(waits.contains("\"waits\":1,\"listed\":1,\"stuck\":0"), waits);
      assertTrue(waits.contains("\"cyclesMayBeMissing\":false"), waits);
    });
  }

  /// Runs a group of tasks that sleep, and a last one.
  private static void withChildren(Application app, int sleepers, Runnable last) {
    var group = app.<Void>newGroup("children");
    group.run(() -> {
      for (int i = 0; i < sleepers; i++) {
        group.spawn("sleeper " + i, () -> app.sleep(Duration.ofHours(1)));
      }
      group.spawn("last", last::run);
    });
  }

  @Test
  void waits_noDeadlock_isNotMarked() {
    run(app -> {
      Mutex lock = new Mutex(app.scheduler(), "lock");
      var _ = app.spawn("holding", () -> hold(app, lock));
      var _ = app.spawn("waiting", () -> hold(app, lock));
      app.scheduler().yield();
      String waits = ask(app, "/api/waits");
      assertTrue(waits.contains("\"waits\":1,\"listed\":1,\"stuck\":0"), waits);
      assertTrue(waits.contains("\"cycleCount\":0"), waits);
    });
  }

  @Test
  void timers_nextFirst() {
    run(app -> {
      var _ = app.spawn("late", () -> app.sleep(Duration.ofHours(2)));
      var _ = app.spawn("early", () -> app.sleep(Duration.ofHours(1)));
      app.scheduler().yield();
      String timers = askLoop(app, "/api/timers?");
      assertTrue(timers.contains("\"armed\":2"), timers);
      assertTrue(timers.indexOf("'early'") < timers.indexOf("'late'"), timers);
      assertTrue(timers.contains("'early'"), timers);
    });
  }

  @Test
  void timers_severalPages_haveEachTimerOnce_theNextFirst() {
    int many = 25;
    run(app -> {
      for (int i = 0; i < many; i++) {
        var _ = app.spawn("sleeper " + i, () -> app.sleep(Duration.ofHours(1)));
      }
      app.scheduler().yield();
      var seen = new ArrayList<String>();
      String next = "";
      do {
        String page = askLoop(app, "/api/timers?most=10&after=" + next + "&");
        assertTrue(page.contains("\"armed\":25"), page);
        seen.addAll(all(SLEEPER, page));
        next = all(NEXT_TIMERS, page).getFirst();
      } while (!next.isEmpty());
      assertEquals(IntStream.range(0, many).mapToObj(i -> "sleeper " + i).toList(), seen);
      assertTrue(
          app.blocking(() -> PageClient.get(page(app), "/api/timers?after=x&loop=" + numberOf(app)))
              .startsWith("HTTP/1.1 400"));
    });
  }

  @Test
  void waits_severalPages_haveEachWaitOnce_deadlocksFirst() {
    int many = 25;
    run(app -> {
      Mutex free = new Mutex(app.scheduler(), "free");
      var _ = app.spawn("holding", () -> hold(app, free));
      for (int i = 0; i < many; i++) {
        var _ = app.spawn("session " + i, () -> hold(app, free));
      }
      Mutex left = new Mutex(app.scheduler(), "left");
      Mutex right = new Mutex(app.scheduler(), "right");
      var _ = app.spawn("session 100", () -> holdBoth(app, left, right));
      var _ = app.spawn("session 101", () -> holdBoth(app, right, left));
      app.scheduler().yield();
      app.scheduler().yield();
      var seen = new ArrayList<String>();
      for (String next = "0"; !next.equals("-1"); ) {
        String page = ask(app, "/api/waits?most=10&from=" + next);
        assertTrue(page.contains("\"waits\":27,\"listed\":27,\"stuck\":2"), page);
        List<String> rows = all(WAITER, page);
        assertTrue(rows.size() <= 10, page);
        seen.addAll(rows);
        next = all(NEXT, page).getFirst();
      }
      assertEquals(many + 2, seen.size());
      assertEquals(many + 2, new TreeSet<>(seen).size());
      assertEquals(
          List.of("session 100", "session 101"), seen.subList(0, 2).stream().sorted().toList());
      assertTrue(ask(app, "/api/waits?from=1000").contains("\"shown\":[]"));
    });
  }

  /// Most tasks that wait hold nothing, and so are on no cycle.
  @Test
  void waits_deadlockBehindManyOthers_isFound() {
    int most = 10;
    run(app -> {
      Mutex free = new Mutex(app.scheduler(), "free");
      var _ = app.spawn("holding", () -> hold(app, free));
      for (int i = 0; i < 5 * most; i++) {
        var _ = app.spawn("session " + i, () -> hold(app, free));
      }
      Mutex left = new Mutex(app.scheduler(), "left");
      Mutex right = new Mutex(app.scheduler(), "right");
      var _ = app.spawn("session 100", () -> holdBoth(app, left, right));
      var _ = app.spawn("session 101", () -> holdBoth(app, right, left));
      app.scheduler().yield();
      app.scheduler().yield();
      List<LoopMonitor> loops = List.of(monitorOf(app));
      String waits =
          app.blocking(() -> new WaitReport(loops, Duration.ofSeconds(50), most).write(0, 1));
      assertTrue(waits.contains("\"waits\":52,\"listed\":12,\"stuck\":2"), waits);
      assertTrue(waits.contains("\"cyclesMayBeMissing\":false"), waits);
      assertTrue(waits.contains("\"cycleCount\":1"), waits);
    });
  }

  /// Each of them waits for the one before it, so that all may be on a cycle.
  @Test
  void waits_veryManyThatMayBeOnACycle_someAreLeftOutAndItSaysSo() {
    run(app -> {
      Task<?> before = app.spawn("first", () -> app.sleep(Duration.ofHours(1)));
      for (int i = 0; i < 50; i++) {
        Task<?> awaited = before;
        before = app.spawn("next " + i, () -> awaited.join());
      }
      app.scheduler().yield();
      List<LoopMonitor> loops = List.of(monitorOf(app));
      String waits =
          app.blocking(() -> new WaitReport(loops, Duration.ofSeconds(50), 10).write(0, 1));
      assertTrue(waits.contains("\"waits\":50,\"listed\":19,\"stuck\":0"), waits);
      assertTrue(waits.contains("\"cyclesMayBeMissing\":true"), waits);
    });
  }

  /// Never ends, and counts how often it is described between two turns of a task.
  private static final class DescribedWait implements Waitable<Void> {

    private int sinceTurn;
    private int most;
    private int all;

    @Override
    public void arm(Waiter<? super Void> waiter) {}

    @Override
    public void disarm(Waiter<? super Void> waiter) {}

    @Override
    public String toString() {
      all++;
      sinceTurn++;
      most = Math.max(most, sinceTurn);
      return "something";
    }
  }

  /// What the loop does for a page of a large application, in between of which tasks have turns.
  @Test
  void tasks_aPageOfVeryMany_isAskedForInParts() {
    int many = 5_000;
    run(app -> {
      var described = new DescribedWait();
      for (int i = 0; i < many; i++) {
        var _ = app.spawn("waiting " + i, () -> app.await(described));
      }
      var _ =
          app.spawn(
              "turns",
              () -> {
                while (true) {
                  app.scheduler().yield();
                  described.sinceTurn = 0;
                }
              });
      app.scheduler().yield();
      String page = askLoop(app, "/api/tasks?text=not+there&");
      assertTrue(page.contains("\"rows\":[]"), page);
      assertTrue(described.all >= many, () -> "all=" + described.all);
      assertTrue(described.most <= 256, () -> "most=" + described.most);
    });
  }

  @Test
  void sockets_haveTheirWaits() {
    run(app -> {
      try (TcpListener listener =
          WaitForIO.on(app.scheduler())
              .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
        Task<?> accepting = app.spawn("accepting", listener::accept);
        app.scheduler().yield();
        String sockets = askLoop(app, "/api/sockets?");
        assertTrue(sockets.contains("task 'accepting': "), sockets);
        assertTrue(sockets.contains("\"open\":1,\"next\":-1"), sockets);
        accepting.cancel("the test is over");
        app.scheduler().yield();
      }
    });
  }

  @Test
  void sockets_severalPages_haveEachSocketOnce() {
    int many = 25;
    run(app -> {
      var open = new ArrayList<TcpListener>();
      try {
        for (int i = 0; i < many; i++) {
          open.add(
              WaitForIO.on(app.scheduler())
                  .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
        }
        var seen = new TreeSet<String>();
        int rows = 0;
        for (String next = "0"; !next.equals("-1"); ) {
          String page = askLoop(app, "/api/sockets?most=10&from=" + next + "&");
          assertTrue(page.contains("\"open\":25"), page);
          List<String> names = all(SOCKET, page);
          assertTrue(names.size() <= 10, page);
          rows += names.size();
          seen.addAll(names);
          next = all(NEXT, page).getFirst();
        }
        assertEquals(many, rows);
        assertEquals(many, seen.size());
        String beyond = askLoop(app, "/api/sockets?from=1000&");
        assertTrue(beyond.contains("\"shown\":[]"), beyond);
        String loops = ask(app, "/api/loops");
        assertTrue(loops.contains("\"sockets\":25,"), loops);
      } finally {
        for (TcpListener each : open) {
          each.close();
        }
      }
    });
  }

  @Test
  void loops_oneIsKept_saysByWhat() throws Exception {
    try (Application app = inspected().build()) {
      var answer = new CompletableFuture<String>();
      app.start(running -> {
        Thread.ofPlatform()
            .start(() -> {
              try {
                answer.complete(PageClient.body(page(app), "/api/loops"));
              } catch (Throwable e) {
                answer.completeExceptionally(e);
              }
            });
        while (!answer.isDone()) {
          Thread.onSpinWait(); // what the test is about: a task that computes
        }
        running.stop();
      });
      String loops = answer.get();
      assertTrue(loops.contains("\"noAnswer\":\""), loops);
      assertTrue(loops.contains("'main'"), loops);
      assertTrue(loops.contains("InspectorTest"), loops);
    }
  }

  // What it refuses.

  private static String status(Application app, String request) throws IOException {
    String answer = app.blocking(() -> PageClient.send(page(app), request));
    return answer.substring("HTTP/1.1 ".length(), "HTTP/1.1 200".length());
  }

  @Test
  void request_ofAnotherSite_isRefused() {
    run(app -> {
      int port = page(app).getPort();
      for (String host :
          List.of("127.0.0.1:" + port, "localhost:" + port, "[::1]:" + port, "localhost")) {
        assertEquals("200", status(app, "GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n"), host);
      }
      for (String host :
          List.of("evil.example:" + port, "localhost.evil.example", "127.0.0.1.evil.example")) {
        assertEquals("403", status(app, "GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n"), host);
      }
      assertEquals("400", status(app, "GET / HTTP/1.1\r\n\r\n"));
      assertEquals(
          "400", status(app, "GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n"));
      String api = "GET /api/loops HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: %s\r\n\r\n";
      assertEquals("403", status(app, api.formatted("cross-site")));
      assertEquals("200", status(app, api.formatted("same-origin")));
    });
  }

  @Test
  void request_thatIsMalformedOrChangesSomething_isRefused() {
    run(app -> {
      String host = "\r\nHost: localhost\r\n";
      assertEquals("405", status(app, "POST / HTTP/1.1" + host + "Content-Length: 1\r\n\r\nx"));
      assertEquals("405", status(app, "DELETE /api/tasks HTTP/1.1" + host + "\r\n"));
      assertEquals("404", status(app, "GET /../secret HTTP/1.1" + host + "\r\n"));
      assertEquals("404", status(app, "GET /api/tasks?loop=999999 HTTP/1.1" + host + "\r\n"));
      assertEquals("400", status(app, "GET /api/tasks?loop=x HTTP/1.1" + host + "\r\n"));
      assertEquals("400", status(app, "GET /api/tasks?loop=%zz HTTP/1.1" + host + "\r\n"));
      assertEquals("400", status(app, "GET http://localhost/ HTTP/1.1" + host + "\r\n"));
      assertEquals("400", status(app, "GET / HTTP/2.0" + host + "\r\n"));
      assertEquals("400", status(app, "GET / HTTP/1.1" + host + " folded: x\r\n\r\n"));
      assertEquals("400", status(app, "GET / HTTP/1.1" + host + "Spaced : x\r\n\r\n"));
      assertEquals("431", status(app, "GET / HTTP/1.1" + host + "X: " + "x".repeat(8_192)));
    });
  }

  @Test
  void request_head_hasNoBody() {
    run(app -> {
      String answer =
          app.blocking(
              () -> PageClient.send(page(app), "HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n"));
      assertTrue(answer.endsWith("\r\n\r\n"), answer);
      assertFalse(answer.contains("Content-Length: 0"), answer);
    });
  }

  @Test
  void clients_thatAreSilent_keepNoOtherWaiting() {
    run(app -> {
      var silent = new ArrayList<Socket>();
      try {
        for (int i = 0; i < 200; i++) {
          Socket each = app.blocking(() -> PageClient.connect(page(app)));
          silent.add(each);
          each.getOutputStream().write("GET / HTTP/1.1\r\n".getBytes(StandardCharsets.UTF_8));
        }
        assertTrue(ask(app, "/").contains("Rondo inspector"));
      } finally {
        for (Socket each : silent) {
          each.close();
        }
      }
    });
  }

  // Its beginning and its end.

  @Test
  void port_taken_isAnErrorThatNamesIt() throws IOException {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      ApplicationBuilder builder = Application.builder().backend(backend).inspector(port);
      var failure = assertThrows(IllegalStateException.class, builder::build);
      assertTrue(
          failure.getMessage().startsWith("the inspector cannot listen on")
              && failure.getMessage().contains(":" + port),
          failure::getMessage);
    }
  }

  @Test
  void inspector_withoutAccessFromOutside_isRefused() {
    ApplicationBuilder builder = inspected().bare();
    var failure = assertThrows(IllegalStateException.class, builder::build);
    assertTrue(failure.getMessage().contains("bare"), failure::getMessage);
  }

  @Test
  void inspector_ofPortOutOfRange_isRefused() {
    assertThrows(IllegalArgumentException.class, () -> Application.builder().inspector(65_536));
    assertThrows(IllegalArgumentException.class, () -> Application.builder().inspector(-1));
  }

  @Test
  void close_endsIt_alsoForSilentClients() throws IOException {
    URI page;
    Socket silent;
    try (Application app = inspected().build()) {
      page = page(app);
      assertTrue(InetAddress.getByName(page.getHost()).isLoopbackAddress());
      silent = PageClient.connect(page);
      assertTrue(PageClient.body(page, "/").contains("Rondo inspector"));
    }
    try (silent) {
      assertThrows(ConnectException.class, () -> PageClient.connect(page).close());
      assertTrue(endOf(silent) < 0);
    }
  }

  private static int endOf(Socket socket) {
    try {
      return socket.getInputStream().read();
    } catch (IOException reset) {
      return -1;
    }
  }

  @Test
  void inspector_ofAGroup_isOneForAllItsLoops() throws Exception {
    try (var group = inspected().loops("inspected", 2)) {
      group.start(loop -> {
        URI page = loop.app().inspector().orElseThrow();
        String loops = loop.app().blocking(() -> PageClient.body(page, "/api/loops"));
        assertTrue(loops.contains("\"inspected-" + loop.index() + "\""), loops);
      });
    }
  }

  @Test
  void inspector_notAskedFor_isNotThere() {
    try (Application app = Application.builder().backend(backend).build()) {
      assertTrue(app.inspector().isEmpty());
    }
  }
}
