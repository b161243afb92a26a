package dev.rondo.scheduler.engine.observe;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.observe.DumpFormat;
import dev.rondo.scheduler.observe.SchedulerMXBean;
import dev.rondo.scheduler.observe.TaskListener;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.management.ManagementFactory;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/// The MBean of a scheduler. Counts turns.
public final class SchedulerJmxBean implements SchedulerMXBean, TaskListener {

  private static final long PATIENCE_NANOS = 2_000_000_000;

  private static final VarHandle TURNS;

  static {
    try {
      TURNS = MethodHandles.lookup().findVarHandle(SchedulerJmxBean.class, "turns", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final LoopView loop;
  private final ObjectName name;

  /// Written by the loop, read by JMX clients: opaque.
  private long turns;

  private SchedulerJmxBean(LoopView loop, ObjectName name) {
    this.loop = loop;
    this.name = name;
  }

  private static MBeanServer server() {
    return ManagementFactory.getPlatformMBeanServer();
  }

  /// Registers a bean.
  ///
  /// @throws IllegalStateException if the name is taken
  public static TaskListener open(LoopView loop, String name) {
    try {
      var objectName = new ObjectName("dev.rondo:type=Scheduler,name=" + ObjectName.quote(name));
      var bean = new SchedulerJmxBean(loop, objectName);
      server().registerMBean(bean, objectName);
      return bean;
    } catch (InstanceAlreadyExistsException e) {
      throw new IllegalStateException(
          "management name '"
              + name
              + "' is taken by another scheduler that is not closed; give each a name of its own",
          e);
    } catch (JMException e) {
      throw new IllegalStateException("cannot register scheduler '" + name + "' with JMX", e);
    }
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
  public void afterTurn(Task<?> task) {
    TURNS.setOpaque(this, turns + 1);
  }

  @Override
  public int getTasksAlive() {
    return loop.state().alive();
  }

  @Override
  public int getTasksReady() {
    return loop.state().ready();
  }

  @Override
  public long getTurns() {
    return (long) TURNS.getOpaque(this);
  }

  @Override
  public String getBackend() {
    return loop.backend().name();
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
      TaskDump.write(loop, DumpWriter.of(format, text), PATIENCE_NANOS);
    } catch (IOException e) {
      throw new AssertionError("a StringBuilder accepts everything", e);
    }
    return text.toString();
  }
}
