package dev.rondo.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonParser;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.SchedulerBuilder;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.addon.AddOnReport;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.FutureTask;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.TabularData;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A scheduler as a JMX client sees it: through the server, by name.
class SchedulerJmxBeanTest extends SchedulerTest {

  private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();
  private static final String NAME = "management, test=\"1\"";

  private Scheduler managed;
  private ObjectName name;

  @BeforeEach
  void openManaged() throws Exception {
    managed = asManaged().build();
    name = new ObjectName("dev.rondo:type=Scheduler,name=" + ObjectName.quote(NAME));
  }

  private SchedulerBuilder asManaged() {
    return configured().instrument(new Observers().management(NAME));
  }

  @AfterEach
  void closeManaged() {
    managed.close();
  }

  private Object attribute(String attribute) throws Exception {
    return SERVER.getAttribute(name, attribute);
  }

  private String dump(String operation) throws Exception {
    return (String) SERVER.invoke(name, operation, null, null);
  }

  @Test
  void attributes_countTasksAndTurns() throws Exception {
    Task<Object> task = managed.spawn("s", () -> managed.suspend());
    managed.spawn("y", () -> managed.yield());
    managed.step();
    managed.step();
    assertEquals(2, attribute("TaskCount"));
    assertEquals(1, attribute("ReadyCount"));
    assertEquals(2L, attribute("TurnCount"));
    assertEquals(backend.name(), attribute("Backend"));
    managed.scheduleTask(task);
    managed.start();
    assertEquals(0, attribute("TaskCount"));
    assertEquals(4L, attribute("TurnCount"));
  }

  /// Add-ons with a figure.
  private sealed interface Sized extends AddOn {

    long size();

    @Override
    default StepResult turn(StepTask<Void> self) {
      return StepResult.SUSPEND;
    }

    @Override
    default void describe(AddOnReport report) {
      report.gauge("box.size", size());
    }
  }

  private record Box(long size) implements Sized {}

  private record Bag(long size) implements Sized {}

  @Test
  void figures_ofAddOns_areAddedUpByName() throws Exception {
    assertTrue(((TabularData) attribute("Figures")).isEmpty());
    managed.host().install(new Box(3));
    managed.host().install(new Bag(4));
    assertEquals(7L, figure("box.size"));
    managed.spawn("main", () -> assertEquals(7L, managed.blocking(() -> figure("box.size"))));
    managed.start();
  }

  private Object figure(String key) throws Exception {
    var figures = (TabularData) attribute("Figures");
    return figures.get(new Object[] {key}).get("value");
  }

  @Test
  void dump_fromAClientsThread_showsTheTasks() throws Exception {
    Task<Object> task = managed.spawn("s", () -> managed.suspend());
    managed.step();
    var done =
        new FutureTask<>(() -> {
          try {
            return List.of(dump("dump"), dump("dumpJson"));
          } finally {
            managed.stop();
          }
        });
    try (var _ = managed.keepAlive()) {
      Thread.ofPlatform().daemon().start(done);
      managed.start();
    }
    assertTrue(done.get().get(0).contains("'s' SUSPENDED"), done.get().get(0));
    assertEquals(
        "s",
        JsonParser.parseString(done.get().get(1))
            .getAsJsonObject()
            .getAsJsonArray("tasks")
            .get(0)
            .getAsJsonObject()
            .get("name")
            .getAsString());
    managed.scheduleTask(task);
    managed.start();
  }

  @Test
  void name_takenTwice_isRefusedUntilTheFirstCloses() {
    var refused = assertThrows(IllegalStateException.class, () -> asManaged().build());
    assertTrue(refused.getMessage().contains("a name of its own"), refused.getMessage());
    assertTrue(SERVER.isRegistered(name)); // still the first one's
    managed.close();
    assertFalse(SERVER.isRegistered(name));
    managed = asManaged().build();
    assertTrue(SERVER.isRegistered(name));
  }

  @Test
  void build_laterInstrumentRefuses_closesTheEarlierOnes() {
    managed.close();
    SchedulerBuilder twice = asManaged().instrument(new Observers().management(NAME));
    assertThrows(IllegalStateException.class, twice::build);
    assertFalse(SERVER.isRegistered(name));
  }

  @Test
  void close_somebodyUnregisteredIt_isFine() throws Exception {
    SERVER.unregisterMBean(name);
    managed.close();
  }
}
