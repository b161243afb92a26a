package dev.rondo.observe.internal;

import dev.rondo.observe.DumpFormat;
import dev.rondo.observe.SchedulerMXBean;
import dev.rondo.scheduler.internal.rooms.AddOnInfo;
import dev.rondo.scheduler.internal.rooms.EngineListener;
import dev.rondo.scheduler.internal.rooms.LoopView;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/// The MBean of a scheduler.
public final class SchedulerJmxBean implements SchedulerMXBean, EngineListener {

  private static final long PATIENCE_NANOS = 2_000_000_000;

  /// Returns null when the scheduler is gone without having been closed.
  private final Supplier<@Nullable LoopView> loop;

  private final ObjectName name;

  private SchedulerJmxBean(Supplier<@Nullable LoopView> loop, ObjectName name) {
    this.loop = loop;
    this.name = name;
  }

  private static MBeanServer server() {
    return ManagementFactory.getPlatformMBeanServer();
  }

  /// Registers a bean.
  ///
  /// @throws IllegalStateException if the name is taken
  public static EngineListener open(LoopView loop, String name) {
    try {
      return register(() -> loop, name);
    } catch (InstanceAlreadyExistsException e) {
      throw new IllegalStateException(
          "management name '"
              + name
              + "' is taken by another scheduler that is not closed; give each a name of its own",
          e);
    }
  }

  /// Registers a bean that does not keep its scheduler alive, with a number behind the name if
  /// others have that name.
  static SchedulerJmxBean openNumbered(Supplier<@Nullable LoopView> loop, String name) {
    for (int number = 1; ; number++) {
      try {
        return register(loop, number == 1 ? name : name + " " + number);
      } catch (InstanceAlreadyExistsException _) {
        // the next number
      }
    }
  }

  private static SchedulerJmxBean register(Supplier<@Nullable LoopView> loop, String name)
      throws InstanceAlreadyExistsException {
    try {
      var objectName = new ObjectName("dev.rondo:type=Scheduler,name=" + ObjectName.quote(name));
      var bean = new SchedulerJmxBean(loop, objectName);
      server().registerMBean(bean, objectName);
      return bean;
    } catch (InstanceAlreadyExistsException e) {
      throw e;
    } catch (JMException e) {
      throw new IllegalStateException("cannot register scheduler '" + name + "' with JMX", e);
    }
  }

  private LoopView loop() {
    LoopView present = loop.get();
    if (present == null) {
      closed();
      throw new IllegalStateException("the scheduler was lost without being closed");
    }
    return present;
  }

  @Override
  public boolean seesTurns() {
    return false;
  }

  @Override
  public boolean countsTurns() {
    return true;
  }

  @Override
  public void closed() {
    try {
      server().unregisterMBean(name);
    } catch (InstanceNotFoundException _) {
      // Other code has unregistered it.
    } catch (JMException e) {
      throw new IllegalStateException("cannot unregister " + name, e);
    }
  }

  @Override
  public String[] getLoops() {
    return new String[] {loop().thread().getName()};
  }

  @Override
  public int getTaskCount() {
    return loop().state().alive();
  }

  @Override
  public int getReadyCount() {
    return loop().state().ready();
  }

  @Override
  public long getTurnCount() {
    return loop().turnCount();
  }

  @Override
  public String getBackend() {
    return loop().backend().name();
  }

  @Override
  public Map<String, Long> getFigures() {
    LoopView asked = loop();
    List<AddOnInfo> addOns =
        asked.isCaller()
            ? asked.addOns()
            : LoopQuestion.ask(asked, asked::addOns).await(PATIENCE_NANOS);
    var figures = new TreeMap<String, Long>();
    if (addOns != null) {
      addOns.stream()
          .flatMap(addOn -> addOn.figures().stream())
          .forEach(figure -> figures.merge(figure.name(), figure.value(), Long::sum));
    }
    return figures;
  }

  @Override
  public String dump() {
    return dump(DumpFormat.TEXT);
  }

  @Override
  public String dumpJson() {
    return dump(DumpFormat.JSON);
  }

  private String dump(DumpFormat format) {
    var text = new StringBuilder();
    try {
      TaskDump.write(loop(), DumpWriter.of(format, text), PATIENCE_NANOS);
    } catch (IOException e) {
      throw new AssertionError("a StringBuilder accepts everything", e);
    }
    return text.toString();
  }
}
