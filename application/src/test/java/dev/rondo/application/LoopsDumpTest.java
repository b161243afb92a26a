package dev.rondo.application;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.observe.DumpFormat;
import dev.rondo.observe.Loops;
import dev.rondo.observe.SchedulersMXBean;
import dev.rondo.scheduler.testing.BackendTest;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import javax.management.JMX;
import javax.management.MBeanServerNotification;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

/// One dump and one MBean for all loops of the process.
final class LoopsDumpTest extends BackendTest {

  private static final ObjectName BEAN = nameOf("dev.rondo:type=Schedulers");

  private static ObjectName nameOf(String text) {
    try {
      return new ObjectName(text);
    } catch (MalformedObjectNameException e) {
      throw new AssertionError(e);
    }
  }

  private LoopGroup group() {
    return Application.builder().backend(backend).loops("dumped", 2);
  }

  private static String dump(DumpFormat format) throws IOException {
    var text = new StringBuilder();
    Loops.dump(format, text);
    return text.toString();
  }

  @Test
  void dump_severalLoops_hasTheTasksOfEach() throws Exception {
    try (LoopGroup group = group()) {
      group.start(loop -> loop.app().await(loop.app().shutdownRequested()));
      String text = dump(DumpFormat.TEXT);
      assertTrue(text.contains("scheduler of thread 'dumped-0'"), text);
      assertTrue(text.contains("scheduler of thread 'dumped-1'"), text);
      String json = dump(DumpFormat.JSON);
      assertTrue(json.contains("\"thread\":\"dumped-0\""), json);
      assertTrue(json.contains("\"thread\":\"dumped-1\""), json);
    }
    assertFalse(dump(DumpFormat.TEXT).contains("dumped-"));
  }

  @Test
  void jmx_severalLoops_isOneBeanForAll() throws Exception {
    var server = ManagementFactory.getPlatformMBeanServer();
    var registered = new CountDownLatch(1);
    server.addNotificationListener(
        new ObjectName("JMImplementation:type=MBeanServerDelegate"),
        (notification, handback) -> {
          if (notification instanceof MBeanServerNotification change
              && change.getMBeanName().equals(BEAN)) {
            registered.countDown();
          }
        },
        null,
        null);
    try (LoopGroup group = group()) {
      group.start(loop -> loop.app().await(loop.app().shutdownRequested()));
      if (!server.isRegistered(BEAN)) {
        registered.await();
      }
      var bean = JMX.newMXBeanProxy(server, BEAN, SchedulersMXBean.class);
      List<String> loops = List.of(bean.getLoops());
      assertTrue(loops.containsAll(List.of("dumped-0", "dumped-1")), loops::toString);
      assertTrue(bean.getTaskCount() >= 2);
      assertTrue(bean.getReadyCount() >= 0);
      assertTrue(bean.getTurnCount() >= 2);
      assertTrue(bean.dump().contains("'dumped-1'"));
      assertTrue(bean.dumpJson().startsWith("{\"loops\":["));
    }
  }
}
