package dev.rondo.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.base.Ticker;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.io.WaitForIO;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.addon.AddOnReport;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.addon.TaskListener;
import dev.rondo.scheduler.testing.SchedulerTest;
import dev.rondo.time.WaitForTime;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The meters of a scheduler, read on its thread and on others.
class SchedulerMetricsTest extends SchedulerTest {

  private static final Duration HOUR = Duration.ofHours(1);

  /// What the names of meters begin with that a listener of the registry adds.
  private static final String DERIVED = "derived.";

  /// Goes on by a second each time it is read, so that no sample is fresh.
  private static final class Steps extends Ticker {
    private final AtomicLong seconds = new AtomicLong();

    @Override
    public long read() {
      return TimeUnit.SECONDS.toNanos(seconds.incrementAndGet());
    }
  }

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private Scheduler measured;
  private SchedulerMetrics metrics;

  @BeforeEach
  void openMeasured() {
    measured = Scheduler.builder().backend(backend).listener(new TaskListener() {}).build();
    metrics = new SchedulerMetrics(new Probe(measured, new Steps(), 0), List.of());
    metrics.bindTo(registry);
  }

  @AfterEach
  void closeMeasured() {
    metrics.close();
    measured.close();
  }

  private double gauge(String name, String... tags) {
    return registry.get(name).tags(tags).gauge().value();
  }

  private double count(String name, String... tags) {
    return registry.get(name).tags(tags).functionCounter().count();
  }

  @Test
  void gauges_tasksQueueAndTimers_areWhatTheSchedulerHas() {
    WaitForTime time = WaitForTime.on(measured);
    Task<Void> sleeper = measured.spawn(() -> time.sleep(HOUR));
    Task<Object> parked = measured.spawn(() -> measured.suspend());
    measured.spawn(() -> {
      measured.yield();
      assertEquals(1, gauge("rondo.tasks", "state", "running"));
      assertEquals(1, gauge("rondo.tasks", "state", "waiting"));
      assertEquals(1, gauge("rondo.tasks", "state", "suspended"));
      assertEquals(0, gauge("rondo.tasks", "state", "blocked"));
      assertEquals(1, gauge("rondo.timers"));
      double before = gauge("rondo.queue.ready");
      Task<Void> ready = measured.spawn(() -> trace("ran"));
      assertEquals(before + 1, gauge("rondo.queue.ready"));
      ready.join();
      assertTrue(count("rondo.turns") >= 5);
      sleeper.cancel("end");
      parked.cancel("end");
    });
    measured.start();
    assertTrace("ran");
  }

  @Test
  void gauges_readOnAnotherThread_areAnsweredByTheLoop() {
    var patient =
        new SchedulerMetrics(
            new Probe(measured, new Steps(), TimeUnit.MINUTES.toNanos(1)),
            List.of(Tag.of("app", "patient")));
    patient.bindTo(registry);
    measured.spawn(() -> {
      assertEquals(
          1.0, measured.blocking(() -> gauge("rondo.tasks", "app", "patient", "state", "waiting")));
      trace("answered");
    });
    measured.start();
    assertTrace("answered");
    patient.close();
  }

  /// Otherwise a scrape of a loop that hangs would take a second for each meter.
  @Test
  void gauges_loopDoesNotAnswer_areWaitedForOnce() throws Exception {
    var patient = new Probe(measured, new Steps(), Long.MAX_VALUE);
    elsewhere(() -> {
      Thread.currentThread().interrupt(); // the end of its patience
      assertEquals(Sample.NONE, patient.sample());
      assertTrue(Thread.interrupted());
      return patient.sample();
    });
    measured.start();
    assertEquals(0, patient.sample().ready());
  }

  @Test
  void lag_loopAnswersOrNot_isHowLongTheQuestionWaits() throws Exception {
    var lag = registry.get("rondo.loop.lag").timeGauge();
    assertEquals(1, lag.value(TimeUnit.SECONDS), "one step from question to answer");
    assertEquals(1, elsewhere(() -> lag.value(TimeUnit.SECONDS)), "asked, and not answered");
    assertEquals(2, elsewhere(() -> lag.value(TimeUnit.SECONDS)), "still not answered");
    measured.start(); // answers
    assertEquals(1, lag.value(TimeUnit.SECONDS));
  }

  @Test
  void io_channelsAndBytes_areCounted() {
    WaitForIO io = WaitForIO.on(measured);
    measured.spawn(() -> {
      try (TcpListener listener = io.listen(0)) {
        Task<Void> guest =
            measured.spawn(() -> {
              try (TcpSocket socket = io.connect("127.0.0.1", listener.port())) {
                socket.write(ByteBuffer.wrap(new byte[5]));
                socket.readFully(ByteBuffer.allocate(3));
              }
            });
        try (TcpSocket socket = listener.accept()) {
          socket.readFully(ByteBuffer.allocate(5));
          socket.write(ByteBuffer.wrap(new byte[3]));
          assertTrue(gauge("rondo.io.channels") >= 2);
          guest.join();
        }
      }
      assertEquals(0, gauge("rondo.io.channels"));
      assertEquals(8, count("rondo.io.bytes", "direction", "sent"));
      assertEquals(8, count("rondo.io.bytes", "direction", "received"));
      assertEquals(0, gauge("rondo.io.waits"));
      trace("counted");
    });
    measured.start();
    assertTrace("counted");
  }

  /// Has figures that the test sets.
  private static class Shop implements AddOn {
    final Map<String, Long> stock = new HashMap<>();
    long sold;

    @Override
    public StepResult turn(StepTask<Void> self) {
      return StepResult.SUSPEND;
    }

    @Override
    public void describe(AddOnReport report) {
      report.counter("shop.sold", sold);
      stock.forEach((what, count) -> report.gauge("shop." + what, count));
    }
  }

  @Test
  void figures_ofAddOns_areMetersAfterAReading() {
    var shop = new Shop();
    shop.stock.put("boxes", 3L);
    measured.host().install(shop);
    assertTrue(registry.find("rondo.shop.boxes").meters().isEmpty());
    var _ = gauge("rondo.timers");
    assertEquals(3, gauge("rondo.shop.boxes"));
    shop.sold = 70;
    assertEquals(70, count("rondo.shop.sold"));

    shop.stock.put("bags", 5L);
    shop.stock.remove("boxes");
    assertEquals(Double.NaN, gauge("rondo.shop.boxes"));
    assertEquals(5, gauge("rondo.shop.bags"));
  }

  @Test
  void figures_ofTwoAddOns_areAddedUp() {
    var small = new Shop();
    var large = new Shop() {}; // of another class, because a scheduler has one of each
    small.stock.put("boxes", 1L);
    large.stock.put("boxes", 2L);
    small.sold = 3;
    large.sold = 4;
    measured.host().install(small);
    measured.host().install(large);
    var _ = gauge("rondo.timers");
    assertEquals(3, gauge("rondo.shop.boxes"));
    assertEquals(7, count("rondo.shop.sold"));
  }

  @Test
  void close_meters_areGoneFromTheRegistry() {
    measured.host().install(new Shop());
    var timers = registry.get("rondo.timers").gauge();
    var _ = timers.value();
    assertTrue(registry.getMeters().size() > 10);
    assertEquals(0, count("rondo.shop.sold"));
    metrics.close();
    assertEquals(List.of(), registry.getMeters());
    var _ = timers.value(); // of a registry that still reads
    assertEquals(List.of(), registry.getMeters());
    metrics.close();
  }

  @Test
  void close_ofAnotherSchedulersMetricsWithTheSameTags_leavesTheMeters() {
    measured.host().install(new Shop());
    scheduler.host().install(new Shop());
    var _ = gauge("rondo.timers");
    int before = registry.getMeters().size();
    try (var other = new SchedulerMetrics(new Probe(scheduler, new Steps(), 0), List.of())) {
      other.bindTo(registry);
      assertEquals(before, registry.getMeters().size());
    }
    assertEquals(before, registry.getMeters().size());
    metrics.close();
    assertEquals(List.of(), registry.getMeters());
  }

  @Test
  void bind_whileAnotherWithTheSameTagsIsBound_hasNoneOfItsMeters() {
    var shared = new SimpleMeterRegistry();
    var other = new SchedulerMetrics(new Probe(scheduler, new Steps(), 0), List.of());
    var bound = new boolean[1];
    shared
        .config()
        .meterFilter(
            new MeterFilter() {
              @Override
              public Meter.Id map(Meter.Id id) {
                if (!bound[0]) {
                  bound[0] = true;
                  other.bindTo(shared); // as another thread may, in the middle of the first bind
                }
                return id;
              }
            });
    metrics.bindTo(shared);
    int all = shared.getMeters().size();
    metrics.close();
    assertEquals(all, shared.getMeters().size());
    other.close();
    assertEquals(List.of(), shared.getMeters());
  }

  @Test
  void close_whileAListenerDerivesMeters_leavesOnlyThose() {
    metrics.close();
    registry
        .config()
        .onMeterAdded(meter -> {
          if (!meter.getId().getName().startsWith(DERIVED)) {
            var _ = registry.gauge(DERIVED + meter.getId().getName(), meter.getId().getTags(), 1);
          }
        });
    metrics.bindTo(registry);
    int all = registry.getMeters().size();
    metrics.close();
    var left = registry.getMeters().stream().map(each -> each.getId().getName()).toList();
    assertEquals(all, 2 * left.size());
    assertTrue(left.stream().allMatch(each -> each.startsWith(DERIVED)), left::toString);
  }

  @Test
  void close_afterAListenerHasBoundAnother_leavesTheMetersOfThat() {
    var shared = new SimpleMeterRegistry();
    var tag = Tag.of("app", "other");
    var other = new SchedulerMetrics(new Probe(scheduler, new Steps(), 0), List.of(tag));
    var bound = new boolean[1];
    shared
        .config()
        .onMeterAdded(_ -> {
          if (!bound[0]) {
            bound[0] = true;
            other.bindTo(shared);
          }
        });
    metrics.bindTo(shared);
    int all = shared.getMeters().size();
    metrics.close();
    var left = shared.getMeters();
    assertEquals(all, 2 * left.size());
    assertTrue(left.stream().allMatch(each -> each.getId().getTags().contains(tag)));
    other.close();
    assertEquals(List.of(), shared.getMeters());
  }

  /// The registry calls its listeners before it has the meter, so each of the two adds one, and
  /// that of the first stays.
  @Test
  void close_ofAnotherWithTheSameTagsThatAListenerHasBound_leavesTheMetersOfTheFirst() {
    var shared = new SimpleMeterRegistry();
    var other = new SchedulerMetrics(new Probe(scheduler, new Steps(), 0), List.of());
    var bound = new boolean[1];
    shared
        .config()
        .onMeterAdded(_ -> {
          if (!bound[0]) {
            bound[0] = true;
            other.bindTo(shared);
          }
        });
    metrics.bindTo(shared);
    var lag = shared.get("rondo.loop.lag").timeGauge();
    int all = shared.getMeters().size();
    other.close();
    assertEquals(List.of(lag), shared.getMeters());
    assertTrue(all > 1);
    metrics.close();
    assertEquals(List.of(), shared.getMeters());
  }

  @Test
  void create_severalSchedulers_areToldApartByTheirTags() {
    metrics.close();
    try (var a = new SchedulerMetrics(measured, Tag.of("app", "a"));
        var b = new SchedulerMetrics(scheduler, Tag.of("app", "b"))) {
      a.bindTo(registry);
      b.bindTo(registry);
      assertEquals(1, registry.find("rondo.timers").tags(Tags.of("app", "a")).meters().size());
      assertEquals(2, registry.find("rondo.timers").meters().size());
    }
    assertThrows(NullPointerException.class, () -> new SchedulerMetrics(null));
  }
}
