package dev.rondo.micrometer;

import static java.util.Objects.requireNonNull;

import com.google.common.base.Ticker;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskState;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// What a scheduler does, as meters of Micrometer:
///
/// | meter | what it measures |
/// |---|---|
/// | `rondo.loop.lag` | how long the loop lets a question of another thread wait; while it does not answer, since when |
/// | `rondo.turns` | turns that tasks have had; zero if the scheduler was built without any observer |
/// | `rondo.tasks`, tag `state` | tasks that were scheduled and have not ended, add-ons included |
/// | `rondo.queue.ready` | tasks that are ready: the run queue |
/// | `rondo.timers` | timers that are armed |
/// | `rondo.io.channels` | open sockets, listeners and pipes: the descriptors that the loop watches |
/// | `rondo.io.waits` | waits for them |
/// | `rondo.io.bytes`, tag `direction` | bytes that sockets and pipes have received and sent |
///
/// A registry that reads them asks the loop once for all of them, between two turns; that takes
/// time in proportion to the number of tasks, and nothing is measured otherwise. It waits a second
/// at most, and then reads what it has read before. The descriptors of the whole process are in
/// Micrometer's own `FileDescriptorMetrics`.
///
/// A registry keeps its meters, and with them the scheduler, until [#close()].
///
/// Any thread. No method is a suspension point.
public final class SchedulerMetrics implements MeterBinder, AutoCloseable {

  private static final long PATIENCE_NANOS = 1_000_000_000;

  private static final List<TaskState> STATES =
      List.of(
          TaskState.READY,
          TaskState.RUNNING,
          TaskState.WAITING,
          TaskState.SUSPENDED,
          TaskState.IDLING,
          TaskState.BLOCKED);

  /// Meters and the registry that they are in.
  private record Bound(MeterRegistry registry, Meter meter) {}

  private final Probe probe;
  private final Tags tags;
  private final List<Bound> bound = new CopyOnWriteArrayList<>();

  SchedulerMetrics(Probe probe, Iterable<Tag> tags) {
    this.probe = probe;
    this.tags = Tags.of(tags);
  }

  /// Makes the metrics of a scheduler. Any thread.
  ///
  /// @param scheduler what to measure
  /// @param tags of all its meters: needed if a registry has several schedulers
  /// @return the metrics, to be bound to registries
  public static SchedulerMetrics create(Scheduler scheduler, Tag... tags) {
    requireNonNull(scheduler, "scheduler is null");
    requireNonNull(tags, "tags is null");
    for (Tag tag : tags) {
      requireNonNull(tag, "tag is null");
    }
    var probe = new Probe(scheduler, Ticker.systemTicker(), PATIENCE_NANOS);
    return new SchedulerMetrics(probe, List.of(tags));
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    requireNonNull(registry, "registry is null");
    add(
        registry,
        TimeGauge.builder("rondo.loop.lag", probe, TimeUnit.NANOSECONDS, Probe::lagNanos)
            .description("How long the loop lets a question of another thread wait")
            .tags(tags)
            .strongReference(true)
            .register(registry));
    counter(registry, "rondo.turns", tags, "Turns that tasks have had", null, Sample::turns);
    for (TaskState state : STATES) {
      Tags own = tags.and("state", state.name().toLowerCase(Locale.ROOT));
      gauge(registry, "rondo.tasks", own, "Tasks in a state", each -> each.inState(state));
    }
    gauge(registry, "rondo.queue.ready", tags, "Tasks that are ready", Sample::ready);
    gauge(registry, "rondo.timers", tags, "Timers that are armed", Sample::timers);
    gauge(
        registry, "rondo.io.channels", tags, "Open sockets, listeners and pipes", Sample::channels);
    gauge(registry, "rondo.io.waits", tags, "Waits for channels", Sample::channelWaits);
    bytes(registry, "received", Sample::bytesReceived);
    bytes(registry, "sent", Sample::bytesSent);
  }

  private void bytes(MeterRegistry registry, String direction, ToLongFunction<Sample> count) {
    counter(
        registry,
        "rondo.io.bytes",
        tags.and("direction", direction),
        "Bytes of sockets and pipes",
        BaseUnits.BYTES,
        count);
  }

  private void gauge(
      MeterRegistry registry,
      String name,
      Tags own,
      String description,
      ToLongFunction<Sample> value) {
    add(
        registry,
        Gauge.builder(name, probe, asked -> value.applyAsLong(asked.sample()))
            .description(description)
            .tags(own)
            .strongReference(true)
            .register(registry));
  }

  private void counter(
      MeterRegistry registry,
      String name,
      Tags own,
      String description,
      @Nullable String unit,
      ToLongFunction<Sample> value) {
    add(
        registry,
        FunctionCounter.builder(name, probe, asked -> value.applyAsLong(asked.sample()))
            .description(description)
            .baseUnit(unit)
            .tags(own)
            .register(registry));
  }

  private void add(MeterRegistry registry, Meter meter) {
    bound.add(new Bound(registry, meter));
  }

  /// Removes the meters from all registries. May be repeated.
  @Override
  public void close() {
    for (Bound each : bound) {
      var _ = each.registry.remove(each.meter);
    }
    bound.clear();
  }
}
