package dev.rondo.junit;

import static dev.rondo.junit.InnerTests.failure;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.application.Application;
import dev.rondo.exploration.internal.FailureFiles;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.testing.EveryBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/// The picture that a failed test shows of its run.
@EveryBackend
final class RunPictureTest {

  @Parameter(0)
  CoroutineBackend backend;

  @TempDir private Path pictures;

  @BeforeEach
  void setDirectory() {
    System.setProperty(FailureFiles.DIRECTORY_PROPERTY, pictures.toString());
  }

  @AfterEach
  void clearDirectory() {
    System.clearProperty(FailureFiles.DIRECTORY_PROPERTY);
  }

  static class Cases {

    private int balance;

    private void deposit(Application app) {
      int before = balance;
      app.yield();
      balance = before + 1;
    }

    @RondoTest(schedules = 1_000, shrinkSeconds = 3_600)
    void losesAnUpdate(Application app) throws Exception {
      var group = app.<Void>newGroup("deposits");
      group.run(() -> {
        group.spawn("a", () -> deposit(app));
        group.spawn("b", () -> deposit(app));
      });
      assertEquals(2, balance);
    }

    @RondoTest
    void waitsForever(Application app) {
      app.await(app.spawn("never ends", () -> app.scheduler().suspend()));
    }
  }

  private static String noteOf(Throwable failure) {
    List<String> found =
        Stream.of(failure.getSuppressed())
            .map(Throwable::getMessage)
            .filter(each -> each != null && each.contains("drawn in "))
            .toList();
    assertEquals(1, found.size(), failure::toString);
    return found.getFirst();
  }

  private static String pageOf(String note) throws IOException {
    return Files.readString(
        Path.of(note.substring(note.indexOf("drawn in ") + "drawn in ".length())));
  }

  @Test
  void schedules_anOrderFails_theShrunkRunIsDrawn() throws IOException {
    Throwable failure = failure(InnerTests.run(backend, Cases.class, "losesAnUpdate"));
    String note = noteOf(failure);
    assertTrue(note.contains("  a              runs"), note);
    assertTrue(note.contains("expected: <2> but was: <1>\ndrawn in "), note);
    String page = pageOf(note);
    assertTrue(page.contains("<h1>Cases.losesAnUpdate</h1>"));
    assertTrue(page.contains("expected: &lt;2&gt; but was: &lt;1&gt;"));
  }

  @Test
  void oneRun_itHangs_theWaitsAreShown() throws IOException {
    Throwable failure = failure(InnerTests.run(backend, Cases.class, "waitsForever"));
    String note = noteOf(failure);
    assertTrue(note.startsWith("waiting at the end:\n  waitsForever waits for "), note);
    assertTrue(note.contains("never ends    is suspended"), note);
    assertFalse(pageOf(note).isEmpty());
  }
}
