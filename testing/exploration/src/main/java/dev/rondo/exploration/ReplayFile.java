package dev.rondo.exploration;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rondo.scheduler.internal.ReportText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A sequence of choices as a file: its text in the first line, and then, if that is known, where
/// its first choices were drawn. People can read that, too:
///
/// ```
/// rondo1-eNpj..
/// where its choices were drawn, version 1
/// TASK 1 of 3, id 3: 'b' among 'a', 'b', 'c', after a turn of 'a'
///   at com.acme.StoreTest.deposit(StoreTest.java:31)
///   at com.acme.StoreTest.lambda$losesAnUpdate$0(StoreTest.java:40)
/// RANDOM 0 of 2
///   as 1
/// ```
///
/// The last choice has the stack of the first.
final class ReplayFile {

  /// How many choices have their stacks at most.
  static final int MOST_SITES = 10_000;

  /// A longer file is no replay.
  private static final int MOST_BYTES = 100_000_000;

  private static final String HEADER = "where its choices were drawn, version 1";
  private static final String FRAME = "  at ";
  private static final String SAME = "  as ";
  private static final String SEPARATOR = ": ";

  /// As `StackTraceElement.toString()` has it without class loader and module.
  private static final Pattern FRAME_FORMAT =
      Pattern.compile("(.+)\\.([^.(]+)\\((?:([^:()]+):(\\d{1,9})|([^:()]+))\\)");

  private static final Pattern SAME_FORMAT = Pattern.compile("\\d{1,9}");

  private static final String NO_SOURCE = "Unknown Source";
  private static final String NATIVE = "Native Method";
  private static final int LINE_OF_NATIVE = -2; // of StackTraceElement
  private static final int NO_LINE = -1;

  private ReplayFile() {}

  // Writing.

  static void write(ChoiceSequence sequence, Path file) throws IOException {
    var text = new StringBuilder(sequence.print()).append('\n');
    if (sequence.site(0) != null) {
      text.append(HEADER).append('\n');
      append(sequence, text);
    }
    Files.write(file, text.toString().getBytes(UTF_8));
  }

  private static void append(ChoiceSequence sequence, StringBuilder text) {
    Map<List<StackTraceElement>, Integer> stacks = new HashMap<>();
    for (int i = 0; i < sequence.size(); i++) {
      ChoiceSite site = sequence.site(i);
      if (site == null) {
        return;
      }
      text.append(sequence.describe(i));
      if (!site.candidates().isEmpty()) {
        text.append(SEPARATOR).append(site.candidates());
      }
      text.append('\n');
      Integer same = site.frames().isEmpty() ? null : stacks.putIfAbsent(site.frames(), i + 1);
      if (same == null) {
        site.frames().forEach(each -> text.append(FRAME).append(each).append('\n'));
      } else {
        text.append(SAME).append(same).append('\n');
      }
    }
  }

  // Reading.

  /// {@return what a file has}
  ///
  /// @throws IllegalArgumentException if it cannot be read, or is no replay
  static ChoiceSequence read(String path) {
    List<String> lines = lines(path);
    ChoiceSequence sequence = ReplayText.parse(lines.isEmpty() ? "" : lines.getFirst().strip());
    if (lines.size() == 1) {
      return sequence;
    }
    if (!lines.get(1).equals(HEADER)) {
      throw damaged(path, 2, "need '" + HEADER + "'");
    }
    return sequence.withSites(sites(path, sequence, lines));
  }

  private static List<String> lines(String path) {
    try {
      Path file = Path.of(path);
      if (Files.size(file) > MOST_BYTES || !Files.isRegularFile(file)) {
        throw new IOException("no regular file of up to %,d bytes".formatted(MOST_BYTES));
      }
      return new String(Files.readAllBytes(file), UTF_8).strip().lines().toList();
    } catch (IOException | InvalidPathException e) {
      throw new IllegalArgumentException(
          "the replay cannot be read: @" + ReportText.escaped(path), e);
    }
  }

  private static List<ChoiceSite> sites(String path, ChoiceSequence sequence, List<String> lines) {
    var sites = new ArrayList<ChoiceSite>();
    int at = 2;
    while (at < lines.size()) {
      int index = sites.size();
      String choice = index < sequence.size() ? sequence.describe(index) : "no more choices";
      String line = lines.get(at++);
      boolean named = line.startsWith(choice + SEPARATOR);
      if (!named && !line.equals(choice)) {
        throw damaged(path, at, "need '" + choice + "'");
      }
      var frames = new ArrayList<StackTraceElement>();
      while (at < lines.size() && lines.get(at).startsWith(FRAME)) {
        frames.add(frame(path, at + 1, lines.get(at).substring(FRAME.length())));
        at++;
      }
      boolean same = frames.isEmpty() && at < lines.size() && lines.get(at).startsWith(SAME);
      sites.add(
          new ChoiceSite(
              named ? line.substring(choice.length() + SEPARATOR.length()) : "",
              same
                  ? same(path, at + 1, lines.get(at++).substring(SAME.length()), sites)
                  : List.copyOf(frames)));
    }
    return sites;
  }

  private static StackTraceElement frame(String path, int line, String text) {
    Matcher format = FRAME_FORMAT.matcher(text);
    if (!format.matches()) {
      throw damaged(path, line, "need the frame of a stack");
    }
    String place = format.group(5);
    if (place == null) {
      return new StackTraceElement(
          format.group(1), format.group(2), format.group(3), Integer.parseInt(format.group(4)));
    }
    boolean isFile = !place.equals(NO_SOURCE) && !place.equals(NATIVE);
    return new StackTraceElement(
        format.group(1),
        format.group(2),
        isFile ? place : null,
        place.equals(NATIVE) ? LINE_OF_NATIVE : NO_LINE);
  }

  private static List<StackTraceElement> same(
      String path, int line, String number, List<ChoiceSite> sites) {
    int index = SAME_FORMAT.matcher(number).matches() ? Integer.parseInt(number) : 0;
    if (index < 1 || index > sites.size()) {
      throw damaged(path, line, "need the number of an earlier choice");
    }
    return sites.get(index - 1).frames();
  }

  private static IllegalArgumentException damaged(String path, int line, String needed) {
    return new IllegalArgumentException(
        "a replay file that is damaged or of another version of Rondo, at line %d, %s: @%s"
            .formatted(line, needed, ReportText.escaped(path)));
  }
}
