package dev.rondo.observe.internal;

import static java.util.Objects.requireNonNull;

import dev.rondo.observe.RecordedEvent;
import dev.rondo.observe.Recorder;
import dev.rondo.observe.Recording;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.Instrument;
import dev.rondo.scheduler.internal.rooms.LoopView;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The implementation of [Recorder].
public final class RecorderCore extends Recorder {

  /// The content of an event that does not belong to a task.
  ///
  /// @param lane where
  /// @param peer of a message: the other host
  /// @param text in a few words
  /// @param detail further text
  /// @param failure null if there is none
  record Said(String lane, String peer, String text, String detail, @Nullable Throwable failure) {}

  static final int MOST_EVENTS = 10_000_000;

  private static final long PATIENCE_NANOS = 2_000_000_000;

  // An event's head: kind, source, and the number of the task, from the lowest bits.
  private static final int KIND_BITS = 4;
  private static final int SOURCE_BITS = 20;
  private static final long KIND_MASK = (1L << KIND_BITS) - 1;
  private static final int SOURCES = 1 << SOURCE_BITS;
  private static final RecordedEvent.Kind[] KINDS = RecordedEvent.Kind.values();

  private final EventRing ring;

  /// The schedulers that are recorded, or whose events may be in the ring, by their numbers. The
  /// scheduler's thread uses the map; another thread reads it if the loop does not answer.
  private volatile Map<Integer, LoopRecorder> sources = Map.of();

  private int lastSource;
  private boolean details;
  private @Nullable LongSupplier clock;

  /// @param capacity the number of events that it keeps
  public RecorderCore(int capacity) {
    if (capacity < 1 || capacity > MOST_EVENTS) {
      throw new IllegalArgumentException(
          "capacity must be from 1 to %d: capacity=%d".formatted(MOST_EVENTS, capacity));
    }
    this.ring = new EventRing(capacity);
  }

  /// {@return the recorder of a scheduler}
  ///
  /// @throws IllegalStateException if it was built without one
  public static Recorder of(Scheduler scheduler) {
    LoopRecorder own = LoopView.of(scheduler).listener(LoopRecorder.class);
    if (own == null) {
      throw new IllegalStateException(
          "the scheduler has no recorder: build it with"
              + " Scheduler.builder().instrument(new Observers().recorder(..))");
    }
    return own.recorder();
  }

  // Settings.

  @Override
  public RecorderCore withDetails() {
    requireUnused();
    details = true;
    return this;
  }

  /// Takes the time of all events from one clock, not from their scheduler's clock. For a
  /// simulation of several schedulers.
  ///
  /// @param nanos returns the present time in nanoseconds; called on the thread of the event
  /// @return this recorder
  /// @throws IllegalStateException if a scheduler has it already
  public RecorderCore timedBy(LongSupplier nanos) {
    requireNonNull(nanos, "nanos is null");
    requireUnused();
    clock = nanos;
    return this;
  }

  private void requireUnused() {
    if (lastSource > 0) {
      throw new IllegalStateException(
          "a scheduler has this recorder already: set it up before the scheduler is built");
    }
  }

  /// {@return an instrument that records one of several schedulers}
  ///
  /// @param lane the name of this scheduler in the recording, for instance the name of a host
  public Instrument instrument(String lane) {
    requireNonNull(lane, "lane is null");
    return scheduler -> {
      LoopView loop = LoopView.of(scheduler);
      loop.add(open(lane, loop));
    };
  }

  boolean hasDetails() {
    return details;
  }

  /// Begins to record a scheduler.
  ///
  /// @param lane the host that it is on
  /// @throws IllegalStateException if the recorder is another thread's
  LoopRecorder open(String lane, LoopView loop) {
    for (LoopRecorder each : sources.values()) {
      LoopView other = each.loop();
      if (other != null && other.thread() != loop.thread()) {
        throw new IllegalStateException(
            "a recorder is for the schedulers of one thread: this one is used on '%s', and the"
                    .formatted(other.thread().getName())
                + " scheduler is on '%s'".formatted(loop.thread().getName()));
      }
    }
    lastSource = lastSource % (SOURCES - 1) + 1;
    var opened = new LoopRecorder(this, ring, lastSource, lane, loop);
    var all = new LinkedHashMap<>(sources);
    long oldest = ring.count() - ring.capacity();
    all.values().removeIf(each -> each.loop() == null && each.closedAt() <= oldest);
    all.put(lastSource, opened);
    sources = all;
    return opened;
  }

  // Events.

  @SuppressWarnings("EnumOrdinal") // within a run only: a file has the names
  static long head(RecordedEvent.Kind kind, int source, long id) {
    return bitsOf(id) | (long) source << KIND_BITS | kind.ordinal();
  }

  /// {@return the number of a task, in the position that it has in a head}
  static long bitsOf(long id) {
    return id << (KIND_BITS + SOURCE_BITS);
  }

  static RecordedEvent.Kind kindOf(long head) {
    return KINDS[(int) (head & KIND_MASK)];
  }

  /// {@return the source and the number of a task, in one long}
  static long keyOf(long head) {
    return head >>> KIND_BITS;
  }

  static long keyOf(int source, long id) {
    return id << SOURCE_BITS | source;
  }

  static int sourceOf(long key) {
    return (int) (key & (SOURCES - 1));
  }

  static long idOf(long key) {
    return key >>> SOURCE_BITS;
  }

  long nanos(long ofLoop) {
    LongSupplier own = clock;
    return own == null ? ofLoop : own.getAsLong();
  }

  void add(long nanos, long head, long other, @Nullable Object subject) {
    long _ = ring.add(nanos, head, other, subject);
  }

  long count() {
    return ring.count();
  }

  /// The recorder of the scheduler that runs on this thread. If that one is not recorded, it may
  /// run within a task of one that is. Null if there is none.
  private @Nullable LoopRecorder current() {
    Scheduler current = Scheduler.currentOrNull();
    if (current == null) {
      return null;
    }
    LoopRecorder own = LoopView.of(current).listener(LoopRecorder.class);
    return own != null && own.recorder() == this
        ? own
        : sources.values().stream().filter(each -> each.running() != 0).findFirst().orElse(null);
  }

  private long say(RecordedEvent.Kind kind, long cause, Said said) {
    LoopRecorder own = current();
    long id = own == null ? 0 : own.running();
    if (own == null || id == 0) {
      return ring.add(nanos(lastNanos()), head(kind, 0, 0), cause, said);
    }
    return ring.add(nanos(own.nanos()), head(kind, own.source(), id), cause, said);
  }

  /// The time between turns.
  private long lastNanos() {
    return clock != null
        ? 0
        : sources.values().stream().mapToLong(LoopRecorder::nanos).max().orElse(0);
  }

  @Override
  public void note(String lane, String what, String detail) {
    note(RecordedEvent.Kind.NOTE, lane, "", RecordedEvent.NO_CAUSE, what, detail);
  }

  /// Records a message, a fault, or a note, for tools such as a simulation.
  ///
  /// @param kind [RecordedEvent.Kind#NOTE], `SENT`, `ARRIVED`, `LOST` or `FAULT`
  /// @param lane the host; empty if there is none
  /// @param peer of a message: the other host; otherwise empty
  /// @param cause of `ARRIVED` and `LOST`: the number of the `SENT`; otherwise
  ///   [RecordedEvent#NO_CAUSE]
  /// @param what in a few words
  /// @param detail shown on demand, such as the content of a message; may be empty
  /// @return the number of the event
  /// @throws IllegalArgumentException if the kind is another one; nothing is recorded
  public long note(
      RecordedEvent.Kind kind, String lane, String peer, long cause, String what, String detail) {
    requireNonNull(lane, "lane is null");
    requireNonNull(peer, "peer is null");
    requireNonNull(what, "what is null");
    requireNonNull(detail, "detail is null");
    return switch (requireNonNull(kind, "kind is null")) {
      case NOTE, SENT, ARRIVED, LOST, FAULT ->
          say(kind, cause, new Said(lane, peer, what, detail, null));
      case SPAWN, TURN, WAIT, WAKE, CANCEL, END, FAILURE ->
          throw new IllegalArgumentException(
              "a note of kind %s: tasks make these events, and failure(..) records a failure"
                  .formatted(kind));
    };
  }

  @Override
  public void failure(String what, @Nullable Throwable failure) {
    requireNonNull(what, "what is null");
    long _ =
        say(
            RecordedEvent.Kind.FAILURE,
            RecordedEvent.NO_CAUSE,
            new Said("", "", what, "", failure));
  }

  // The recording.

  @Override
  public Recording recording() {
    LoopView foreign =
        openLoops().anyMatch(LoopView::isCaller) ? null : openLoops().findFirst().orElse(null);
    Recording answer =
        foreign == null ? null : LoopQuestion.ask(foreign, () -> here(true)).await(PATIENCE_NANOS);
    return answer != null ? answer : here(foreign == null);
  }

  private Stream<LoopView> openLoops() {
    Collection<LoopRecorder> all = sources.values();
    return all.stream().map(LoopRecorder::loop).filter(each -> each != null);
  }

  /// @param withTasks whether the tasks can be read, on the scheduler's thread
  private Recording here(boolean withTasks) {
    return new RecordingMaker(ring.copy(), List.copyOf(sources.values()), withTasks).make();
  }
}
