package dev.rondo.examples;

import dev.rondo.application.Application;
import dev.rondo.condition.channel.Channel;
import dev.rondo.io.process.ChildProcess;
import dev.rondo.io.process.ExitStatus;
import dev.rondo.io.process.WaitForProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// A pipeline of tasks and processes: the words of a sentence pass through a channel and through
/// the system's `sort` and `uniq -c`, and return as a list. Each stage is a task. A slow stage
/// delays the stages before it, and no stage blocks the loop.
final class Pipeline {

  private static final String SENTENCE = "the cat and the dog and the mouse";

  private Pipeline() {}

  static void main() {
    Application.run(app -> count(app, SENTENCE).forEach(IO::println));
  }

  /// {@return the number of occurrences of each word, sorted by word}
  static List<String> count(Application app, String sentence) throws Exception {
    var processes = WaitForProcess.on(app.scheduler());
    Channel<String> words = Channel.<String>rendezvous(app.scheduler()).named("words");
    try (ChildProcess sort = processes.start(inC("sort"));
        ChildProcess uniq = processes.start(inC("uniq", "-c"))) {
      app.spawn(
          "split",
          () -> {
            try (words) {
              for (String word : sentence.split(" ", -1)) {
                words.send(word);
              }
            }
          });
      app.spawn(
          "to sort",
          () -> {
            try (OutputStream in = sort.input()) { // its end is the end of sort's input
              for (String word : words) {
                in.write((word.toUpperCase(Locale.ROOT) + "\n").getBytes(StandardCharsets.UTF_8));
              }
            }
          });
      app.spawn(
          "sort to uniq",
          () -> {
            try (OutputStream in = uniq.input()) {
              sort.output().transferTo(in);
            }
          });
      String text = new String(uniq.output().readAllBytes(), StandardCharsets.UTF_8);
      requireSuccess(sort);
      requireSuccess(uniq);
      var lines = new ArrayList<String>();
      text.lines().forEach(line -> lines.add(line.strip()));
      return lines;
    }
  }

  /// {@return a command that sorts the same way on every system}
  private static ProcessBuilder inC(String... command) {
    var program = new ProcessBuilder(command);
    program.environment().put("LC_ALL", "C");
    return program;
  }

  private static void requireSuccess(ChildProcess process) throws IOException {
    ExitStatus status = process.awaitExit();
    if (!status.isSuccess()) {
      throw new IOException(process + " ended with " + status);
    }
  }
}
