package dev.rondo.exploration;

import dev.rondo.exploration.internal.Candidates;
import dev.rondo.scheduler.internal.ReportText;
import dev.rondo.scheduler.internal.rooms.LoopView;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Where a run has drawn a choice. Of the choice of a task it is where the task before it has given
/// way: the stack of the loop tells nothing.
///
/// @param candidates what was chosen, among what, and after what; empty if they have no names
/// @param frames those of the program, innermost first
record ChoiceSite(String candidates, List<StackTraceElement> frames) {

  /// A stack has no more frames.
  static final int MOST_FRAMES = 16;

  private static final int MOST_NAMES = 8;

  /// For [#here]: nothing is chosen.
  static final int NOTHING = -1;

  /// {@return where the caller draws a choice}
  ///
  /// @param code whose frames are of interest
  /// @param count of the candidates
  /// @param chosen its index, or [#NOTHING]
  /// @param ids what is chosen among; null if that is numbers
  static ChoiceSite here(
      ProgramCode code, long count, int chosen, @Nullable IntToLongFunction ids) {
    String names = ids instanceof Candidates named ? names(named, (int) count, chosen) : "";
    List<StackTraceElement> frames = List.of();
    if (ids instanceof ChoicePolicy.Ready ready && ready.last() != null) {
      List<StackTraceElement> stack =
          LoopView.of(ready.last()).describe(ready.last()).usefulStack();
      frames = some(stack.stream(), code::has);
    }
    if (frames.isEmpty()) {
      frames = here(code::has);
    }
    return new ChoiceSite(names, frames.isEmpty() ? here(ChoiceSite::isNoMachinery) : frames);
  }

  private static List<StackTraceElement> here(Predicate<StackTraceElement> wanted) {
    return StackWalker.getInstance()
        .walk(all -> some(all.map(StackWalker.StackFrame::toStackTraceElement), wanted));
  }

  private static boolean isNoMachinery(StackTraceElement frame) {
    String type = frame.getClassName();
    return !type.startsWith("java.")
        && !type.startsWith("jdk.")
        && !type.startsWith("dev.rondo.exploration.");
  }

  /// Without class loaders and modules: as they are read again.
  private static List<StackTraceElement> some(
      Stream<StackTraceElement> all, Predicate<StackTraceElement> wanted) {
    return all.filter(wanted)
        .limit(MOST_FRAMES)
        .map(each ->
            new StackTraceElement(
                each.getClassName(),
                each.getMethodName(),
                each.getFileName(),
                each.getLineNumber()))
        .toList();
  }

  private static String names(Candidates candidates, int count, int chosen) {
    String all =
        IntStream.range(0, Math.min(count, MOST_NAMES))
            .mapToObj(index -> quoted(candidates.name(index)))
            .collect(Collectors.joining(", "));
    String more = count > MOST_NAMES ? " and %,d more".formatted(count - MOST_NAMES) : "";
    String first = chosen == NOTHING ? "" : quoted(candidates.name(chosen)) + " ";
    String previous = candidates.previous();
    String after = previous.isEmpty() ? "" : ", after a turn of " + quoted(previous);
    return first + "among " + all + more + after;
  }

  private static String quoted(String name) {
    return "'" + ReportText.escaped(name) + "'";
  }

  /// {@return the first frames, a line each, in the form of a stack trace}
  String trace(int most) {
    String text =
        frames.stream().limit(most).map(each -> "\n    at " + each).collect(Collectors.joining());
    return frames.size() > most ? text + "\n    .." : text;
  }
}
