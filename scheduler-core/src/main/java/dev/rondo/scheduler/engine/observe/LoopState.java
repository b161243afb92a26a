package dev.rondo.scheduler.engine.observe;

import dev.rondo.scheduler.Task;
import org.jspecify.annotations.Nullable;

/// The state of a loop at one moment.
///
/// @param isDriven whether `start()`, `run()` or `step()` is on the stack
/// @param isClosed whether it is closed and no task is left
/// @param alive how many tasks were scheduled and have not ended
/// @param ready how many of them are ready, the running one included
/// @param running the task that has its turn; null between turns
/// @param passNanos when the loop last read its clock
public record LoopState(
    boolean isDriven,
    boolean isClosed,
    int alive,
    int ready,
    @Nullable Task<?> running,
    long passNanos) {}
