package dev.rondo.observe;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.TaskState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A task that a [Recording] knows.
///
/// @param key distinguishes it from all other tasks of the recording
/// @param lane the host that it is on; empty if there is one scheduler only
/// @param id its number in its scheduler
/// @param name its name; `#` and the number if the name is lost
/// @param state its state when the recording was taken, or when the task ended; null if not known
/// @param waitingFor the awaited event; null if the task is not waiting
/// @param holder the name of the task that must act first; null if there is no single such task
/// @param stack without Rondo's machinery, innermost frame first; empty if it is not known
public record RecordedTask(
    long key,
    String lane,
    long id,
    String name,
    @Nullable TaskState state,
    @Nullable String waitingFor,
    @Nullable String holder,
    List<String> stack) {

  /// Copies the stack.
  public RecordedTask {
    requireNonNull(lane, "lane is null");
    requireNonNull(name, "name is null");
    stack = List.copyOf(requireNonNull(stack, "stack is null"));
  }

  /// {@return its name, with its host if it has one}
  @Override
  public String toString() {
    return lane.isEmpty() ? name : lane + "/" + name;
  }
}
