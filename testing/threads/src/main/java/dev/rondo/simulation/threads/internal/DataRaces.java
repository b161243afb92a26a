package dev.rondo.simulation.threads.internal;

import dev.rondo.simulation.threads.internal.race.HappensBefore;
import java.util.Arrays;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Finds data races of one program: two threads access the same memory, one of them writes, and no
/// happens-before orders the two. A run has at most one, which fails it.
///
/// Confined to the world's thread and the threads that it carries.
final class DataRaces {

  /// Collections that are not for several threads: a call of one accesses all of it.
  private static final Set<String> UNSAFE =
      Set.of(
          "java.util.ArrayDeque",
          "java.util.ArrayList",
          "java.util.HashMap",
          "java.util.HashSet",
          "java.util.LinkedHashMap",
          "java.util.LinkedHashSet",
          "java.util.LinkedList",
          "java.util.PriorityQueue",
          "java.util.TreeMap",
          "java.util.TreeSet");

  private static final Pattern READING =
      Pattern.compile(
          ".*\\.(get\\w*|contains\\w*|size|isEmpty|(list|spl)?[iI]terator|(last)?[iI]ndexOf|peek\\w*"
              + "|element|first\\w*|last\\w*|floor\\w*|ceiling\\w*|higher\\w*|lower\\w*|\\w+Set|values"
              + "|stream|parallelStream|forEach|toArray|equals|hashCode|toString|clone|comparator|reversed"
              + "|(sub|head|tail)(List|Map)|descending\\w+|sequenced\\w+)");

  private final HappensBefore<RaceReport.Access> order = new HappensBefore<>();
  private boolean found;

  HappensBefore<RaceReport.Access> order() {
    return order;
  }

  /// A thread accesses memory.
  ///
  /// @return the race of that access; null if it has none, or is not the first one that has
  @Nullable IllegalStateException accesses(RaceReport.Access access) {
    Object of = access.of();
    Thread by = access.thread().shown();
    switch (access.does()) {
      case "reads volatile" -> order.acquires(by, of == null ? access.what() : of);
      case "writes volatile" -> order.releases(by, of == null ? access.what() : of);
      default -> {}
    }
    boolean isPlain = access.does().equals("reads") || access.does().equals("writes");
    boolean isCall =
        access.does().equals("calls") && of != null && UNSAFE.contains(of.getClass().getName());
    if (found || (!isPlain && !isCall)) {
      return null;
    }
    boolean writes =
        isCall ? !READING.matcher(access.what()).matches() : access.does().equals("writes");
    Object part = isCall ? "" : access.index() >= 0 ? (Object) access.index() : access.what();
    RaceReport.Access earlier = order.accesses(by, of, part, writes, access);
    if (earlier == null) {
      return null;
    }
    found = true;
    var race = new IllegalStateException(text(earlier, access));
    race.setStackTrace(ofProgram(race.getStackTrace()));
    return race;
  }

  private static String text(RaceReport.Access earlier, RaceReport.Access later) {
    return "data race, which no happens-before orders:\n  thread '%s' %s%s\n  thread '%s' %s%s"
        .formatted(
            earlier.thread().name(),
            earlier.describe(),
            earlier.where(),
            later.thread().name(),
            later.describe(),
            later.where());
  }

  private static StackTraceElement[] ofProgram(StackTraceElement[] all) {
    return Arrays.stream(all)
        .filter(each -> RaceReport.isOfProgram(each.getClassName()))
        .toArray(StackTraceElement[]::new);
  }
}
