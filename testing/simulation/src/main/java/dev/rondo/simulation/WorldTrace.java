package dev.rondo.simulation;

import dev.rondo.exploration.Choices;
import dev.rondo.exploration.internal.RunChoices;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.addon.TaskListener;
import dev.rondo.scheduler.internal.ReportText;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The events of a world as one number, and each by itself if they are recorded.
///
/// Confined to the world's thread.
final class WorldTrace {

  /// How much of what two runs have in common a message shows.
  private static final int COMMON_SHOWN = 10;

  /// How many of the last faults are kept.
  private static final int FAULTS_KEPT = 10_000;

  /// How many faults a message shows.
  private static final int FAULTS_SHOWN = 10;

  /// From Steele, Lea and Flood's SplitMix64.
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private static final long MIX = 0xbf58476d1ce4e5b9L;
  private static final int SHIFT = 29;

  private static final class Event {

    /// In virtual time.
    private final long nanos;

    /// Host and task, or a fault.
    private final String what;

    /// Of all that was before it.
    private final long digest;

    /// The last outside reading of the task in this turn; null if there is none.
    private @Nullable String read;

    Event(long nanos, String what, long digest) {
      this.nanos = nanos;
      this.what = what;
      this.digest = digest;
    }

    boolean isSame(Event other) {
      return digest == other.digest && isAlike(other);
    }

    boolean isAlike(Event other) {
      return nanos == other.nanos && what.equals(other.what);
    }

    @Override
    public String toString() {
      return "at %s: %s".formatted(ReportText.duration(Duration.ofNanos(nanos)), what);
    }
  }

  private final WorldTime time;
  private final Choices choices;
  private final @Nullable List<Event> events;
  private final Deque<Event> lastFaults = new ArrayDeque<>();
  private int faultCount;

  /// Null if the world has no recorder.
  private @Nullable WorldRecorder recorder;

  private long digest;

  /// The first of two runs; null if this is the first one, or the only one.
  private @Nullable WorldTrace first;

  /// Of the last turn; null before it, and where turns are not recorded.
  private @Nullable WorldHost lastHost;

  private @Nullable Task<?> lastTask;

  /// How many events there were, and the digest, when the run was over.
  private int endSize;

  private long endDigest;

  /// The task whose turn was followed by a difference; empty without one.
  private String culprit = "";

  /// @param recorded whether each event is kept
  WorldTrace(WorldTime time, Choices choices, boolean recorded) {
    this.time = time;
    this.choices = choices;
    this.events = recorded ? new ArrayList<>() : null;
  }

  /// Something has happened.
  void add(long what) {
    long mixed = (digest ^ time.nanos() + what) * MIX + GOLDEN;
    digest = mixed ^ mixed >>> SHIFT;
  }

  private void add(String what) {
    if (events != null) {
      events.add(new Event(time.nanos(), what, digest()));
    }
    add(what.hashCode());
  }

  /// The task that has the turn has read something from outside of the world.
  ///
  /// @param what and the value
  void read(String what) {
    if (events != null && !events.isEmpty()) {
      events.getLast().read = what;
    }
  }

  boolean isRecorded() {
    return events != null;
  }

  /// Records the turns of a host.
  TaskListener listenerOf(WorldHost host) {
    return new TaskListener() {
      @Override
      public void beforeTurn(Task<?> task) {
        add(turn(host, task));
        if (first != null) {
          compareLast(first);
        }
        lastHost = host;
        lastTask = task;
      }
    };
  }

  private static String turn(WorldHost host, Task<?> task) {
    return host + ", turn of task '" + task.name() + "'";
  }

  void recorder(WorldRecorder added) {
    recorder = added;
  }

  @Nullable WorldRecorder recorder() {
    return recorder;
  }

  /// A fault of a host, or its end.
  void addFault(WorldHost host, String what) {
    addFault(host.name(), what + " of " + host);
  }

  /// A fault, or its end.
  void addFault(String what) {
    addFault("", what);
  }

  private void addFault(String host, String what) {
    add(what);
    if (recorder != null) {
      recorder.fault(host, what);
    }
    faultCount++;
    lastFaults.add(new Event(time.nanos(), what, digest));
    if (lastFaults.size() > FAULTS_KEPT) {
      lastFaults.remove();
    }
  }

  /// {@return the last faults, for messages; empty without faults}
  String faults() {
    return faultCount == 0 ? "" : lastOf("faults so far", faultCount, List.copyOf(lastFaults));
  }

  /// {@return the faults between two instants, for messages; empty without faults} Ends of faults
  /// are among them.
  String faults(Duration from, Duration to) {
    List<Event> some =
        lastFaults.stream()
            .filter(each -> from.toNanos() <= each.nanos && each.nanos <= to.toNanos())
            .toList();
    return some.isEmpty() ? "" : lastOf("faults meanwhile", some.size(), some);
  }

  /// @param count how many there were; the last of them are kept
  private static String lastOf(String title, int count, List<Event> kept) {
    int hidden = Math.max(0, kept.size() - FAULTS_SHOWN);
    var text = new StringBuilder("\n").append(title).append(": ").append(count);
    text.append(count > kept.size() - hidden ? ", the last ones:" : ":");
    kept.stream().skip(hidden).forEach(each -> text.append("\n  ").append(each));
    return text.toString();
  }

  long digest() {
    return digest ^ RunChoices.of(choices).digest();
  }

  // Two runs.

  private List<Event> events() {
    return events == null ? List.of() : events;
  }

  /// This is the second of two runs.
  void isSecondAfter(WorldTrace other) {
    first = other;
  }

  /// The run is over, and its tasks are where they are, to be ended by the world.
  void end() {
    endSize = events().size();
    endDigest = digest();
    if (first != null
        && culprit.isEmpty()
        && (first.endSize != endSize || first.endDigest != endDigest)) {
      culprit = culprit(first, endSize);
    }
  }

  /// {@return the task whose turn was followed by the first difference; empty without one}
  String culprit() {
    return culprit;
  }

  /// Looks whether this run differs from the first one, at the turn that begins.
  private void compareLast(WorldTrace other) {
    int last = events().size() - 1;
    boolean isSame =
        last < other.events().size() && events().get(last).isSame(other.events().get(last));
    if (!isSame && culprit.isEmpty()) {
      culprit = culprit(other, last);
    }
  }

  /// {@return a description of the task of the last turn}
  ///
  /// @param end how many events there were with it
  private String culprit(WorldTrace other, int end) {
    WorldHost host = lastHost;
    Task<?> task = lastTask;
    if (host == null || task == null) {
      return "";
    }
    String turn = turn(host, task);
    return "\nthe turn before was that of task '%s' of %s; from outside it has read last %s, and in the first run %s; it is here:\n  %s"
        .formatted(
            task.name(),
            host,
            lastRead(events(), end, turn),
            lastRead(other.events(), end, turn),
            host.describe(task));
  }

  /// {@return the last outside reading of a task in some turns}
  private static String lastRead(List<Event> events, int end, String turn) {
    return events.subList(0, Math.min(end, events.size())).reversed().stream()
        .filter(each -> each.read != null && each.what.equals(turn))
        .map(each -> String.valueOf(each.read))
        .findFirst()
        .orElse("nothing");
  }

  /// {@return where two recorded runs differ first; null if they do not}
  @Nullable String differenceTo(WorldTrace other) {
    List<Event> first = events();
    List<Event> second = other.events();
    int i = 0;
    while (i < first.size() && i < second.size() && first.get(i).isSame(second.get(i))) {
      i++;
    }
    if (i == first.size() && i == second.size()) {
      return digest() == other.digest()
          ? null
          : "the same turns of tasks at the same times, but what the last ones drew or left ready"
              + " differs";
    }
    if (i < first.size() && i < second.size() && first.get(i).isAlike(second.get(i))) {
      return "the runs have the same turns of tasks up to event %d, but what the one before it drew or left ready differs:%s\n  %s"
          .formatted(i, lastOf(first, i), first.get(i));
    }
    var text = new StringBuilder("the runs differ from event " + i + " on; before it");
    return text.append(lastOf(first, i))
        .append("\nthen first run:\n  ")
        .append(i < first.size() ? first.get(i) : "the end")
        .append("\nand second run:\n  ")
        .append(i < second.size() ? second.get(i) : "the end")
        .toString();
  }

  private static String lastOf(List<Event> events, int end) {
    return events.subList(Math.max(0, end - COMMON_SHOWN), end).stream()
        .map(each -> "\n  " + each)
        .collect(Collectors.joining());
  }
}
