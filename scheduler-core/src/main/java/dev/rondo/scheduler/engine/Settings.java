package dev.rondo.scheduler.engine;

import com.google.common.base.Ticker;
import dev.rondo.scheduler.FailureHandler;
import dev.rondo.scheduler.SchedulerBuilder;
import dev.rondo.scheduler.addon.ContextPropagation;
import dev.rondo.scheduler.addon.Instrument;
import dev.rondo.scheduler.addon.SchedulingPolicy;
import dev.rondo.scheduler.addon.TaskListener;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The settings of a [SchedulerBuilder].
///
/// @param backend runs stackful tasks
/// @param ticker the clock
/// @param failureHandler receives failures that no task waits for
/// @param fatal tests whether a failure stops the loop; errors of the JVM always stop it
/// @param policy decides whose turn it is; null for round robin
/// @param contexts the contexts that libraries keep with the thread, and that the scheduler keeps
///   with the task instead
/// @param addOnsFirst whether add-ons go to the front of the ready queue
/// @param debug whether each suspension point checks for mistakes
/// @param instruments the observers
/// @param listeners the listeners of the program
public record Settings(
    CoroutineBackend backend,
    Ticker ticker,
    FailureHandler failureHandler,
    Predicate<? super Throwable> fatal,
    @Nullable SchedulingPolicy policy,
    List<ContextPropagation<?>> contexts,
    boolean addOnsFirst,
    boolean debug,
    List<Instrument> instruments,
    List<TaskListener> listeners) {}
