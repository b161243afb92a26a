package dev.rondo.observe.internal;

import dev.rondo.observe.DumpFormat;
import dev.rondo.observe.SchedulersMXBean;
import dev.rondo.scheduler.internal.rooms.LoopView;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.function.ToLongFunction;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/// The MBean of all schedulers, while any of them is open.
final class SchedulersJmxBean implements SchedulersMXBean {

  private static final String NAME = "dev.rondo:type=Schedulers";

  /// The number of schedulers that are open. Guarded by the class.
  private static int users;

  private SchedulersJmxBean() {}

  /// Registers the bean, for the first scheduler.
  ///
  /// @return an action to run when the scheduler closes; the last one unregisters the bean
  static synchronized Runnable open() {
    try {
      var name = new ObjectName(NAME);
      if (users == 0 && !server().isRegistered(name)) {
        server().registerMBean(new SchedulersJmxBean(), name);
      }
      users++;
      return SchedulersJmxBean::release;
    } catch (JMException e) {
      throw new IllegalStateException("cannot register " + NAME, e);
    }
  }

  private static synchronized void release() {
    if (--users > 0) {
      return;
    }
    try {
      server().unregisterMBean(new ObjectName(NAME));
    } catch (InstanceNotFoundException _) {
      // Other code has unregistered it.
    } catch (JMException e) {
      throw new IllegalStateException("cannot unregister " + NAME, e);
    }
  }

  private static MBeanServer server() {
    return ManagementFactory.getPlatformMBeanServer();
  }

  private static long sum(ToLongFunction<LoopView> number) {
    return AllLoops.list().stream().mapToLong(number).sum();
  }

  @Override
  public String[] getLoops() {
    return AllLoops.list().stream().map(each -> each.thread().getName()).toArray(String[]::new);
  }

  @Override
  public int getTaskCount() {
    return (int) sum(each -> each.state().alive());
  }

  @Override
  public int getReadyCount() {
    return (int) sum(each -> each.state().ready());
  }

  @Override
  public long getTurnCount() {
    return sum(LoopView::turnCount);
  }

  @Override
  public String dump() {
    return dump(DumpFormat.TEXT);
  }

  @Override
  public String dumpJson() {
    return dump(DumpFormat.JSON);
  }

  private static String dump(DumpFormat format) {
    var text = new StringBuilder();
    try {
      AllLoops.dump(format, text);
    } catch (IOException e) {
      throw new AssertionError("a StringBuilder accepts everything", e);
    }
    return text.toString();
  }
}
