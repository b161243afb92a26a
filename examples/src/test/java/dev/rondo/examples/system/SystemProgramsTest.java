package dev.rondo.examples.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.application.Application;
import dev.rondo.examples.Story;
import dev.rondo.io.terminal.StandardStreams;
import dev.rondo.io.terminal.TaskTerminal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The programs of the operating system, with real files, processes and signals.
final class SystemProgramsTest {

  @TempDir Path folder;

  @Test
  void notebook_itsDay_leavesNothing() {
    List<String> story = Story.of(app -> Notebook.keep(app, folder.resolve("notes")));
    assertEquals(
        List.of(
            "first change: Created",
            "more changes: true",
            "head: Milk",
            "note: Milk",
            "note: bread",
            "size: 17",
            "sent: 17",
            "received: 17",
            "modified: 1970-01-01T00:00:00Z",
            "deleted: latest",
            "deleted: notes.old",
            "deleted: notes.txt"),
        story);
    assertEquals(false, Files.exists(folder.resolve("notes")));
  }

  @Test
  void foreman_allProcesses_endAsTold() {
    assertEquals(
        List.of(
            "complains: no paper, exited with 3",
            "ready",
            "ready again: true",
            "asked to end: exited with 0",
            "signalled: killed by KILL, 137",
            "several at once: true, killed by KILL, 137"),
        Story.of(Foreman::work));
  }

  @Test
  void prompt_typed_isAnswered() {
    assertEquals(List.of("ann from york, key x"), Story.of(app -> typed(app, "ann\nyork\nx")));
  }

  private static List<String> typed(Application app, String keys) throws Exception {
    try (var typing = new PipedOutputStream();
        InputStream input = new PipedInputStream(typing);
        TaskTerminal terminal =
            TaskTerminal.open(app.scheduler(), "dumb", input, new ByteArrayOutputStream())) {
      typing.write(keys.getBytes(StandardCharsets.UTF_8));
      typing.flush();
      return List.of(Prompt.ask(app, terminal));
    }
  }

  @Test
  void greetAll_linesOfStandardInput_areAnswered() {
    InputStream in = System.in;
    PrintStream out = System.out;
    var written = new ByteArrayOutputStream();
    System.setIn(new ByteArrayInputStream("ann\nbob\n".getBytes(StandardCharsets.UTF_8)));
    System.setOut(new PrintStream(written, true, StandardCharsets.UTF_8));
    try {
      Story.of(app -> {
        Prompt.greetAll(StandardStreams.on(app.scheduler()));
        return List.of();
      });
    } finally {
      System.setIn(in);
      System.setOut(out);
    }
    assertEquals("hello ann\nhello bob\n", written.toString(StandardCharsets.UTF_8));
  }

  @Test
  void operator_jobsAndLoops_areSeen() {
    var story = new ArrayList<String>();
    Operator.jobs(story::add);
    Operator.loops(story::add);
    assertEquals(
        List.of(
            "a job slept",
            "time is installed: true",
            "there are last events: true",
            "loop 'server-1' (restarted): broken",
            "it is there again: loop 1",
            "the other one: server-0 of loops 'server'",
            "both are in the dump: true",
            "exit code 3"),
        story);
  }
}
