package dev.rondo.scheduler.engine.view;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.scheduler.engine.util.StackFilter;
import java.util.List;
import org.junit.jupiter.api.Test;

class StacksTest {

  private static final StackTraceElement WAIT =
      frame("dev.rondo.scheduler.engine.host.HostCore", "awaitEvent");
  private static final StackTraceElement CALLER = frame("com.example.Orders", "take");

  /// A thread that has handed control on may not have reached its own `park` yet: what a reader
  /// sees of its task does not depend on that.
  @Test
  void useful_threadStillInUnparkOfTheNext_isCutLikeAParkedOne() {
    var parked =
        List.of(
            frame("jdk.internal.misc.Unsafe", "park"),
            frame("java.util.concurrent.locks.LockSupport", "park"),
            frame("dev.rondo.scheduler.coroutine.handoff.HandoffBackend$Handoff", "await"),
            WAIT,
            CALLER);
    var stillUnparking =
        List.of(
            frame("jdk.internal.misc.Unsafe", "unpark"),
            frame("java.util.concurrent.locks.LockSupport", "unpark"),
            frame("dev.rondo.scheduler.coroutine.handoff.HandoffBackend$Handoff", "handOver"),
            WAIT,
            CALLER);

    assertEquals(List.of(WAIT, CALLER), StackFilter.ALL.useful(parked));
    assertEquals(List.of(WAIT, CALLER), StackFilter.ALL.useful(stillUnparking));
  }

  @Test
  void useful_framesOfTheJdkBelowTheWait_stay() {
    var inner = frame("jdk.internal.reflect.DirectMethodHandleAccessor", "invoke");

    assertEquals(
        List.of(WAIT, inner, CALLER),
        StackFilter.ALL.useful(
            List.of(frame("jdk.internal.misc.Unsafe", "park"), WAIT, inner, CALLER)));
  }

  @Test
  void useful_framesThatOnlyRunTheCodeOfATask_areLeftOut() {
    var code = frame("dev.rondo.scheduler.engine.TaskFactory", "lambda$callable$0");
    var body = frame("dev.rondo.scheduler.engine.StackfulTask", "run");
    var first = frame("dev.rondo.scheduler.engine.succession.Succession", "run");

    assertEquals(
        List.of(WAIT, CALLER), StackFilter.ALL.useful(List.of(WAIT, CALLER, code, body, first)));
  }

  @Test
  void useful_framesOfASimulatedWorld_areLeftOut() {
    var channel = frame("dev.rondo.simulation.internal.nio.Selectable", "await");
    var code = frame("dev.rondo.scheduler.engine.Faces", "lambda$callable$0");
    var thread = frame("dev.rondo.simulation.threads.internal.ThreadLoop", "run");
    var host = frame("dev.rondo.simulation.WorldHost", "lambda$boot$0");

    assertEquals(
        List.of(WAIT, CALLER),
        StackFilter.ALL.useful(List.of(channel, WAIT, CALLER, thread, code, host)));
  }

  private static StackTraceElement frame(String type, String method) {
    return new StackTraceElement(type, method, null, -1);
  }
}
