package dev.rondo.micrometer;

import static java.util.Objects.requireNonNull;

import com.google.common.base.Ticker;
import com.google.common.collect.HashMultimap;
import com.google.common.collect.SetMultimap;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.internal.rooms.AddOnInfo.Figure;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// The activity of a scheduler as Micrometer meters:
///
/// | meter | what it measures |
/// |---|---|
/// | `rondo.loop.lag` | how long the loop lets a question of another thread wait; while the loop does not answer, the time since the question |
/// | `rondo.turns` | turns that tasks have had; zero if the scheduler was built without any observer but a recorder |
/// | `rondo.tasks`, tag `state` | tasks that were scheduled and have not ended, add-ons included |
/// | `rondo.queue.ready` | tasks that are ready: the run queue |
/// | `rondo.timers` | timers that are armed |
/// | `rondo.io.channels` | open sockets, listeners and pipes: the descriptors that the loop watches |
/// | `rondo.io.waits` | waits for channels |
/// | `rondo.io.bytes`, tag `direction` | bytes that sockets and pipes have received and sent |
/// | `rondo.` and a figure's name | a figure that an add-on gives in [dev.rondo.scheduler.addon.AddOn#describe], such as `rondo.cluster.members` |
///
/// A registry that reads the meters asks the loop once for all of them, between two turns. The
/// answer takes time in proportion to the number of tasks. Nothing is measured at other times. The
/// registry waits a second at most, and then reads the previous values. Micrometer's own
/// `FileDescriptorMetrics` has the descriptors of the whole process.
///
/// The meters of figures are added when a sample has the figures: after the first reading, or after
/// the first reading that includes a later add-on. Figures with the same name are added up. The
/// meter of a gauge that no longer exists reads as not a number.
///
/// If several schedulers have the same tags in a registry, only the first has meters there. A
/// registry keeps the meters, and through them the scheduler, until [#close()].
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

  /// Guarded by itself, as are the registries, because a reading may add meters.
  private final List<Bound> bound = new ArrayList<>();

  private final SetMultimap<MeterRegistry, String> figures = HashMultimap.create();
  private final List<MeterRegistry> registries = new ArrayList<>();

  SchedulerMetrics(Probe probe, Iterable<Tag> tags) {
    this.probe = probe;
    this.tags = Tags.of(tags);
  }

  /// Makes the metrics of a scheduler. Any thread.
  ///
  /// @param scheduler the scheduler to measure
  /// @param tags the tags of all its meters; needed if a registry has several schedulers
  public SchedulerMetrics(Scheduler scheduler, Tag... tags) {
    requireNonNull(scheduler, "scheduler is null");
    requireNonNull(tags, "tags is null");
    for (Tag tag : tags) {
      requireNonNull(tag, "tag is null");
    }
    var probe = new Probe(scheduler, Ticker.systemTicker(), PATIENCE_NANOS);
    this(probe, List.of(tags));
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    requireNonNull(registry, "registry is null");
    add(
        registry,
        () ->
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
    synchronized (bound) {
      registries.add(registry);
    }
  }

  private Sample sample() {
    Sample sample = probe.sample();
    synchronized (bound) {
      for (MeterRegistry registry : registries) {
        for (Figure each : sample.figures().values()) {
          if (figures.put(registry, each.name())) {
            figure(registry, each);
          }
        }
      }
    }
    return sample;
  }

  private void figure(MeterRegistry registry, Figure figure) {
    String name = figure.name();
    String meter = "rondo." + name;
    if (figure.isCounter()) {
      counter(registry, meter, tags, "A figure of an add-on", null, each -> each.count(name));
    } else {
      gauge(registry, meter, tags, "A figure of an add-on", each -> each.figure(name));
    }
  }

  private void bytes(MeterRegistry registry, String direction, ToDoubleFunction<Sample> count) {
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
      ToDoubleFunction<Sample> value) {
    add(
        registry,
        () ->
            Gauge.builder(name, this, asked -> value.applyAsDouble(asked.sample()))
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
      ToDoubleFunction<Sample> value) {
    add(
        registry,
        () ->
            FunctionCounter.builder(name, this, asked -> value.applyAsDouble(asked.sample()))
                .description(description)
                .baseUnit(unit)
                .tags(own)
                .register(registry));
  }

  /// @param registering returns another scheduler's meter if that scheduler has the same tags
  private void add(MeterRegistry registry, Supplier<? extends Meter> registering) {
    Meter added = AddedMeters.of(registry).during(registering);
    if (added != null) {
      synchronized (bound) {
        bound.add(new Bound(registry, added));
      }
    }
  }

  /// Removes the meters from all registries. May be repeated.
  @Override
  public void close() {
    synchronized (bound) {
      var present = new IdentityHashMap<MeterRegistry, Set<Meter>>();
      for (Bound each : bound) {
        MeterRegistry registry = each.registry;
        if (present.computeIfAbsent(registry, AddedMeters::present).contains(each.meter)) {
          var _ = registry.remove(each.meter);
        }
      }
      bound.clear();
      registries.clear();
      figures.clear();
    }
  }
}
