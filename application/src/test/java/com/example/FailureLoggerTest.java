package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.read.ListAppender;
import dev.rondo.application.Application;
import dev.rondo.application.ApplicationBuilder;
import dev.rondo.application.Rondo;
import dev.rondo.condition.sync.Mutex;
import dev.rondo.io.TcpSocket;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.TaskFailedException;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.testing.EveryBackend;
import dev.rondo.time.VirtualClock;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.slf4j.LoggerFactory;

/// The log of an unobserved failure shows the program's own calls, the same on every backend. Like
/// a program, this class is not in one of Rondo's packages.
@EveryBackend
final class FailureLoggerTest {

  @Parameter(0)
  CoroutineBackend backend;

  private final Logger logger = (Logger) LoggerFactory.getLogger(Application.class);
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();

  @BeforeEach
  void listen() {
    log.start();
    logger.addAppender(log);
    logger.setAdditive(false);
  }

  @AfterEach
  void listenNoLonger() {
    logger.detachAppender(log);
    logger.setAdditive(true);
    logger.setLevel(null);
  }

  private ILoggingEvent logged(Application.Main main) {
    ApplicationBuilder builder =
        Application.builder().backend(backend).clock(new VirtualClock()).bare();
    builder.run(main);
    assertEquals(1, log.list.size(), log.list::toString);
    return log.list.getFirst();
  }

  private static List<String> trace(IThrowableProxy failure) {
    return Arrays.stream(failure.getStackTraceElementProxyArray())
        .map(frame -> frame.getStackTraceElement())
        .map(frame -> simpleName(frame.getClassName()) + "." + frame.getMethodName())
        .map(frame -> frame.replaceAll("lambda\\$.*", "lambda"))
        .toList();
  }

  private static String simpleName(String className) {
    return className.substring(className.lastIndexOf('.') + 1);
  }

  private static void load() throws IOException {
    Rondo.sleep(Duration.ofMillis(1));
    throw new IOException("disk on fire");
  }

  @Test
  void failure_ofATaskWhoseNameHasControlCharacters_isLoggedOnOneLine() {
    ILoggingEvent event = logged(app -> app.spawn("user \u001b[2J\nERROR", () -> load()));
    assertEquals(
        "task 'user \\u001b[2J\\nERROR' failed, and no task was waiting for it",
        event.getFormattedMessage());
  }

  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /// docs/inside/semantics.md, rule 46.
  @Test
  void failure_thatIsReceivedLater_isNotLogged() {
    logsNothing(app -> {
      var first = app.spawn("first", () -> load());
      var second = app.spawn("second", () -> load());
      var slow = app.spawn("slow", () -> app.sleep(PATIENCE.minusMillis(2)));
      slow.join();
      assertThrows(TaskFailedException.class, first::join);
      assertThrows(ExecutionException.class, second::get);
    });
  }

  @Test
  void failure_thatAFutureReceivesLater_isNotLogged() {
    logsNothing(app -> {
      var task = app.spawn("worker", () -> load());
      app.waitFor(task::isDone);
      assertTrue(task.toCompletableFuture().isCompletedExceptionally());
    });
  }

  private void logsNothing(Application.Main main) {
    Application.builder().backend(backend).clock(new VirtualClock()).bare().run(main);
    assertEquals(List.of(), log.list);
  }

  @Test
  void failure_thatIsNotReceived_isLoggedWithinASecond() {
    logged(app -> {
      app.spawn("worker", () -> load());
      app.sleep(PATIENCE);
      assertEquals(List.of(), log.list);
      app.sleep(Duration.ofMillis(2));
      assertEquals(1, log.list.size());
    });
  }

  /// The loop has nothing else to wake for.
  @Test
  void failure_whileTheLoopRests_isLoggedWithinASecond() {
    var times = new ArrayList<Duration>();
    logged(app -> {
      long begin = app.scheduler().host().nowNanos();
      var clock =
          new ListAppender<ILoggingEvent>() {
            @Override
            protected void append(ILoggingEvent event) {
              times.add(Duration.ofNanos(app.scheduler().host().nowNanos() - begin));
            }
          };
      clock.start();
      logger.addAppender(clock);
      try {
        app.spawn("worker", () -> load());
        app.sleep(Duration.ofHours(1));
      } finally {
        logger.detachAppender(clock);
      }
    });
    assertEquals(List.of(PATIENCE.plusMillis(1)), times);
  }

  @Test
  void failure_thatIsReceivedTooLate_isLoggedOnce() {
    logged(app -> {
      var task = app.spawn("worker", () -> load());
      app.sleep(PATIENCE.plusMillis(1));
      assertThrows(TaskFailedException.class, task::join);
    });
  }

  @Test
  void failure_ofATask_isLoggedWithTheProgramsFrames() {
    ILoggingEvent event = logged(app -> app.spawn("worker", () -> load()));
    assertEquals(Level.ERROR, event.getLevel());
    assertEquals(
        "task 'worker' failed, and no task was waiting for it", event.getFormattedMessage());
    assertEquals(
        List.of("FailureLoggerTest.load", "FailureLoggerTest.lambda"),
        trace(event.getThrowableProxy()));
  }

  @Test
  void failure_ofAnAction_saysNothingOfTasks() {
    ILoggingEvent event =
        logged(app -> {
          assertTrue(
              app.post(() -> {
                throw new IllegalStateException("no");
              }));
          app.yield();
        });
    assertTrue(event.getFormattedMessage().startsWith("posted "), event.getFormattedMessage());
    assertTrue(event.getFormattedMessage().endsWith(" failed"), event.getFormattedMessage());
  }

  @Test
  void cycle_ofTasksWhileOthersGoOn_isLoggedAsSuch() {
    ILoggingEvent event =
        logged(app -> {
          Mutex a = new Mutex(app.scheduler(), "a");
          Mutex b = new Mutex(app.scheduler(), "b");
          for (List<Mutex> order : List.of(List.of(a, b), List.of(b, a))) {
            var _ =
                app.spawn(() -> {
                  try (var _ = order.getFirst().lock()) {
                    app.yield();
                    try (var _ = order.getLast().lock()) {
                      app.yield();
                    }
                  }
                });
          }
          app.sleep(Duration.ofSeconds(3));
          app.stop();
        });
    assertEquals("tasks that wait for each other will wait for ever", event.getFormattedMessage());
  }

  @Test
  void failure_ofAPeriodic_isLoggedWithTheProgramsFrames() {
    ILoggingEvent event = logged(app -> app.periodic(Duration.ofMillis(1), () -> load()));
    assertEquals(
        List.of("FailureLoggerTest.load", "FailureLoggerTest.lambda"),
        trace(event.getThrowableProxy()));
  }

  @Test
  void failure_ofAStepThatWasPosted_isLoggedWithTheProgramsFrames() {
    ILoggingEvent event =
        logged(app ->
            app.execute(() -> {
              throw new IllegalStateException("posted");
            }));
    assertEquals(List.of("FailureLoggerTest.lambda"), trace(event.getThrowableProxy()));
  }

  @Test
  void failure_ofACallOfOurs_namesTheCallThatWasMade() {
    ILoggingEvent event = logged(app -> app.spawn(() -> app.sleep(Duration.ofSeconds(-1))));
    assertEquals(
        List.of("Application.sleep", "FailureLoggerTest.lambda"), trace(event.getThrowableProxy()));
  }

  @Test
  void aTask_thatIgnoresItsCancellation_isAWarning() {
    ILoggingEvent event =
        logged(app -> {
          var deaf = app.spawn("deaf", () -> ignore(app));
          app.yield();
          deaf.cancel("enough");
        });
    assertEquals(Level.WARN, event.getLevel());
    assertTrue(event.getFormattedMessage().startsWith("task 'deaf'"), event.getFormattedMessage());
    assertTrue(trace(event.getThrowableProxy()).contains("FailureLoggerTest.ignore"));
  }

  private static void ignore(Application app) {
    for (int times = 0; times < 1_000; times++) {
      try {
        app.yield();
      } catch (TaskCancelled _) {
        app.scheduler(); // continues
      }
    }
  }

  /// Logback without a configuration is at DEBUG.
  @Test
  void failure_withTheLoggerAtDebug_hasTheProgramsFrames() {
    logger.setLevel(Level.DEBUG);
    ILoggingEvent event = logged(app -> app.spawn("worker", () -> load()));
    assertEquals(
        List.of("FailureLoggerTest.load", "FailureLoggerTest.lambda"),
        trace(event.getThrowableProxy()));
  }

  @Test
  void peerHangsUp_isOneLine() {
    for (Level each : new Level[] {Level.INFO, Level.DEBUG}) {
      logger.setLevel(each);
      log.list.clear();
      ILoggingEvent event = logged(FailureLoggerTest::serveAPeerThatResets);
      assertEquals(Level.ERROR, event.getLevel());
      assertNull(event.getThrowableProxy());
      assertTrue(
          event
              .getFormattedMessage()
              .matches("task 'server' failed, and no task was waiting for it: read from .*"),
          event.getFormattedMessage());
    }
    logger.setLevel(Level.TRACE);
    log.list.clear();
    assertNotNull(logged(FailureLoggerTest::serveAPeerThatResets).getThrowableProxy());
  }

  private static void serveAPeerThatResets(Application app) throws Exception {
    try (var listener = app.listen(0)) {
      var accepting = app.spawn(listener::accept);
      TcpSocket client = app.connect("127.0.0.1", listener.port());
      TcpSocket server = accepting.join();
      client.setOption(StandardSocketOptions.SO_LINGER, 0).close();
      var serving =
          app.spawn(
              "server",
              () -> {
                try (server) {
                  server.read(ByteBuffer.allocate(1));
                }
              });
      app.waitFor(serving::isDone);
    }
  }

  @Test
  void failure_withTheLoggerAtTrace_hasEveryFrame() {
    logger.setLevel(Level.TRACE);
    ILoggingEvent event = logged(app -> app.spawn("worker", () -> load()));
    assertTrue(trace(event.getThrowableProxy()).contains("StackfulTask.run"));
  }
}
