package dev.rondo.observe;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.internal.ReportText;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One event of a [Recording].
///
/// | kind | task | other | text |
/// |---|---|---|---|
/// | `SPAWN` | was made | its maker | |
/// | `TURN` | has a turn, until its `WAIT` or `END` or the next `TURN` | | |
/// | `WAIT` | was parked | | what it waits for |
/// | `WAKE` | is ready again | whose turn it was | |
/// | `CANCEL` | was cancelled | whose turn it was | the canceller and its reason |
/// | `END` | has ended | | how, if not with success |
/// | `NOTE` | whose turn it was | | what happened |
/// | `SENT`, `ARRIVED`, `LOST` | whose turn it was | | which message; why it is lost |
/// | `FAULT` | | | which fault begins or ends |
/// | `FAILURE` | whose turn it was | | why the run has failed |
///
/// @param number counts the events of its recorder from 0
/// @param at the time since the recorder's clock began
/// @param kind the kind of the event
/// @param lane the host of the event; empty if it happened on none
/// @param task see above; null if there is none
/// @param other see above; null if there is none
/// @param peer of a message: the other host; otherwise empty
/// @param cause of `ARRIVED` and `LOST`: the number of the `SENT`; otherwise -1
/// @param text in a few words; may be empty
/// @param detail further text, such as the content of a message; may be empty
/// @param stack innermost frame first; empty if it was not taken
public record RecordedEvent(
    long number,
    Duration at,
    Kind kind,
    String lane,
    @Nullable RecordedTask task,
    @Nullable RecordedTask other,
    String peer,
    long cause,
    String text,
    String detail,
    List<String> stack) {

  /// The [#cause()] of an event without a cause.
  public static final long NO_CAUSE = -1;

  /// The kind of an event.
  public enum Kind {
    /// A task was made.
    SPAWN,
    /// A task has a turn.
    TURN,
    /// A task was parked.
    WAIT,
    /// A parked task is ready again.
    WAKE,
    /// A task was asked to end.
    CANCEL,
    /// A task has ended.
    END,
    /// A note by an add-on or a program.
    NOTE,
    /// A message is sent.
    SENT,
    /// A message arrives.
    ARRIVED,
    /// A message is lost.
    LOST,
    /// A fault, or its end.
    FAULT,
    /// The run has failed.
    FAILURE
  }

  /// Copies the stack.
  public RecordedEvent {
    requireNonNull(at, "at is null");
    requireNonNull(kind, "kind is null");
    requireNonNull(lane, "lane is null");
    requireNonNull(peer, "peer is null");
    requireNonNull(text, "text is null");
    requireNonNull(detail, "detail is null");
    stack = List.copyOf(requireNonNull(stack, "stack is null"));
  }

  /// {@return its time, kind, task and text}
  @Override
  public String toString() {
    String where = task == null ? lane : task.toString();
    return "%s %s %s %s".formatted(ReportText.duration(at), kind, where, text).strip();
  }
}
