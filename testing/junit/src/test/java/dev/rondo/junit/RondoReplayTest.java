package dev.rondo.junit;

import static dev.rondo.junit.InnerTests.failure;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.application.Application;
import dev.rondo.exploration.ChoiceSequence;
import dev.rondo.exploration.ReplayDivergedException;
import dev.rondo.exploration.internal.FailureFiles;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import dev.rondo.scheduler.testing.EveryBackend;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.opentest4j.AssertionFailedError;

/// A run of a test that is repeated as a program.
@EveryBackend
final class RondoReplayTest {

  private static final List<String> LOG = new ArrayList<>();

  @Parameter(0)
  CoroutineBackend backend;

  @TempDir private Path directory;

  private String propertyBefore;

  @BeforeEach
  void setProperties() {
    LOG.clear();
    drawsFirst = false;
    propertyBefore = System.getProperty(CoroutineBackends.PROPERTY);
    System.setProperty(CoroutineBackends.PROPERTY, backend.name());
    System.setProperty(FailureFiles.DIRECTORY_PROPERTY, directory.toString());
  }

  @AfterEach
  void clearProperties() {
    if (propertyBefore == null) {
      System.clearProperty(CoroutineBackends.PROPERTY);
    } else {
      System.setProperty(CoroutineBackends.PROPERTY, propertyBefore);
    }
    System.clearProperty(FailureFiles.DIRECTORY_PROPERTY);
  }

  /// Whether a deposit draws first. A test changes this between a run and its repetition.
  private static boolean drawsFirst;

  /// The tests below run these methods.
  static class Cases {

    private int balance;

    @BeforeEach
    void before(Application app) {
      LOG.add("before");
      balance = 10;
    }

    @AfterEach
    void after() {
      LOG.add("after");
    }

    private void deposit(Application app, RandomGenerator random) {
      if (drawsFirst) {
        int _ = random.nextInt(100);
      }
      int before = balance;
      if (random.nextBoolean()) {
        app.yield();
      }
      balance = before + 1;
    }

    @RondoTest(schedules = 1_000)
    void losesAnUpdate(Application app, RandomGenerator random) throws Exception {
      LOG.add("test");
      var group = app.<Void>newGroup("deposits");
      group.run(() -> {
        group.spawn("a", () -> deposit(app, random));
        group.spawn("b", () -> deposit(app, random));
      });
      assertEquals(12, balance);
    }

    @RondoTest(schedules = 10)
    void needsJUnit(TestLoop loop) {
      LOG.add("test");
    }

    @Test
    void ordinary() {}

    @Nested
    class Inner {

      @RondoTest(schedules = 10)
      void passes(Application app) {
        app.yield();
        LOG.add("inner " + balance);
      }
    }
  }

  private static String nameOf(String method) {
    return Cases.class.getName() + "#" + method;
  }

  private String replayOfTheLostUpdate() {
    Throwable found = failure(InnerTests.run(backend, Cases.class, "losesAnUpdate"));
    Matcher replay =
        Pattern.compile("rondo1-[A-Za-z0-9_-]+").matcher(InnerTests.noteOf(found).getMessage());
    assertTrue(replay.find());
    LOG.clear();
    return replay.group();
  }

  private static List<String> notes(Throwable failure) {
    return Stream.of(failure.getSuppressed()).map(Throwable::getMessage).toList();
  }

  @Test
  void replay_ofAText_failsAsTheRunDid_withItsLastEvents() {
    String replay = replayOfTheLostUpdate();
    var failed =
        assertThrows(
            AssertionFailedError.class,
            () -> RondoReplay.main(new String[] {nameOf("losesAnUpdate"), replay}));
    assertEquals("expected: <12> but was: <11>", failed.getMessage());
    assertEquals(List.of("before", "test", "after"), LOG);
    assertTrue(
        notes(failed).stream()
            .anyMatch(each -> each.contains("  a ") && each.contains("drawn in ")),
        () -> notes(failed).toString());
  }

  @Test
  void replay_ofAFile_failsAsTheRunDid() throws IOException {
    Path file = Files.writeString(directory.resolve("replay.txt"), replayOfTheLostUpdate());
    var failed =
        assertThrows(
            AssertionFailedError.class,
            () -> RondoReplay.main(new String[] {nameOf("losesAnUpdate"), "@" + file}));
    assertEquals("expected: <12> but was: <11>", failed.getMessage());
  }

  @Test
  void replay_ofTheFileOfAFailure_codeHasChanged_saysBothStacks() {
    String _ = replayOfTheLostUpdate();
    Path file = directory.resolve("Cases.losesAnUpdate.replay");
    drawsFirst = true;
    Throwable diverged =
        assertThrows(
            Throwable.class,
            () -> RondoReplay.main(new String[] {nameOf("losesAnUpdate"), "@" + file}));
    if (!(diverged instanceof ReplayDivergedException)) {
      diverged = diverged.getSuppressed()[diverged.getSuppressed().length - 1];
    }
    String message = diverged.getMessage();
    int here = message.indexOf("this run draws one:");
    assertTrue(message.contains("RANDOM 1 of 2, and the run asks for RANDOM, one of 100"), message);
    assertTrue(message.substring(0, here).contains("$Cases.deposit(RondoReplayTest.java:"));
    assertTrue(message.substring(here).contains("$Cases.deposit(RondoReplayTest.java:"), message);
    assertTrue(message.contains("the recorded run has drawn it:"), message);
    assertNotEquals(
        diverged.getCause().getStackTrace()[0], // the recorded call
        Stream.of(diverged.getStackTrace())
            .filter(each -> each.getMethodName().equals("deposit"))
            .findFirst()
            .orElseThrow());
  }

  /// {@return what a program prints}
  private static String printed(Executable program) {
    var bytes = new ByteArrayOutputStream();
    PrintStream before = System.out;
    System.setOut(new PrintStream(bytes, true, UTF_8));
    try {
      assertDoesNotThrow(program);
    } finally {
      System.setOut(before);
    }
    return bytes.toString(UTF_8);
  }

  @Test
  void replay_ofARunThatPasses_saysSo() {
    String usual = ChoiceSequence.empty().print();
    String printed = printed(() -> RondoReplay.main(new String[] {nameOf("losesAnUpdate"), usual}));
    assertTrue(printed.contains("Cases#losesAnUpdate passes"), printed);
    assertEquals(List.of("before", "test", "after"), LOG);
  }

  @Test
  void replay_ofANestedTest_hasItsOuterInstance() {
    String usual = ChoiceSequence.empty().print();
    String name = Cases.Inner.class.getName() + "#passes";
    assertTrue(printed(() -> RondoReplay.main(new String[] {name, usual})).contains("passes"));
    assertEquals(List.of("before", "inner 10", "after"), LOG);
  }

  @Test
  void replay_ofAnotherTest_says_whereItDiverges() {
    String replay = replayOfTheLostUpdate();
    String name = Cases.Inner.class.getName() + "#passes";
    assertThrows(
        ReplayDivergedException.class, () -> RondoReplay.main(new String[] {name, replay}));
  }

  @Test
  void wrongArguments_areRefused() {
    String usual = ChoiceSequence.empty().print();
    for (String[] each :
        List.of(
            new String[] {},
            new String[] {nameOf("losesAnUpdate")},
            new String[] {"no hash", usual},
            new String[] {"com.acme.NoClass#test", usual},
            new String[] {nameOf("noMethod"), usual},
            new String[] {nameOf("ordinary"), usual},
            new String[] {nameOf("losesAnUpdate"), "no replay"},
            new String[] {nameOf("losesAnUpdate"), "@" + directory.resolve("no file")},
            new String[] {nameOf("needsJUnit"), usual})) {
      assertThrows(IllegalArgumentException.class, () -> RondoReplay.main(each));
    }
  }
}
