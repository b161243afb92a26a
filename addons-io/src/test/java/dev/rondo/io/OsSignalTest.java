package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.io.system.SignalWatch;
import dev.rondo.io.system.SignalsForTests;
import dev.rondo.io.system.WaitForOsSignal;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TimedOutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.parallel.ResourceLock;

/// Signals of the operating system, which this JVM sends to itself.
@DisabledOnOs(OS.WINDOWS)
@ResourceLock("signals")
class OsSignalTest {

  @OnEveryBackend
  void await_raised_wakesTheTask(IoRig rig) throws Exception {
    rig.run(world -> {
      var signals = WaitForOsSignal.on(world.scheduler());
      assertSame(signals, WaitForOsSignal.on(world.scheduler()));
      try (SignalWatch usr2 = signals.listen("SIGUSR2");
          SignalWatch winch = signals.listen("winch")) {
        Task<Integer> waiting = world.scheduler().spawn(usr2::await);
        world.settle();
        SignalsForTests.raise("USR2");
        assertEquals(1, waiting.join());
        SignalsForTests.raise("WINCH"); // before a task waits
        var first = world.scheduler().select(usr2.raising(), winch.raising());
        assertEquals(1, first.index());
        Task<Throwable> ended = world.failing(usr2::await);
        world.settle();
        assertTrue(world.scheduler().scheduleTask(ended));
        String told = ended.join().getMessage();
        assertTrue(told.startsWith("the wait for completion of signal USR2 was ended"), told);
      }
    });
  }

  /// Runs in another JVM.
  static final class Listener {

    private Listener() {}

    public static void main(String[] args) {
      try (Scheduler scheduler = Scheduler.create();
          SignalWatch hup = WaitForOsSignal.on(scheduler).listen("HUP")) {
        System.out.println("listens to " + hup);
      } catch (IllegalStateException e) {
        System.out.println(e.getMessage());
      }
    }
  }

  @Test
  void listen_processWasStartedToIgnoreIt_saysSo() throws Exception {
    Process child =
        new ProcessBuilder(
                "sh",
                "-c",
                "trap '' HUP; exec \"$0\" -cp \"$1\" \"$2\"",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                System.getProperty("java.class.path"),
                Listener.class.getName())
            .start();
    try (var output = child.inputReader()) {
      assertEquals(
          List.of(
              "this process was started with the signal ignored, by nohup or as a job in the"
                  + " background, and the JVM keeps it ignored: signal=HUP"),
          output
              .lines()
              .filter(line -> line.contains("signal=") || line.contains("listens"))
              .toList());
    }
  }

  @OnEveryBackend
  void close_restoresWhatWasBefore(IoRig rig) throws Exception {
    var before = new AtomicInteger();
    Object original = SignalsForTests.handle("USR2", before::incrementAndGet);
    Object mine = SignalsForTests.restore("USR2", original);
    SignalsForTests.restore("USR2", mine);
    try {
      rig.run(world -> {
        var signals = WaitForOsSignal.on(world.scheduler());
        SignalWatch one = signals.listen("USR2");
        SignalWatch two = signals.listen("USR2");
        Task<Throwable> waiting = world.failing(one::await);
        world.settle();
        one.close();
        one.close();
        assertInstanceOf(IllegalStateException.class, waiting.join());
        SignalsForTests.raise("USR2");
        assertEquals(1, two.await());
        two.close();
        assertThrows(IllegalStateException.class, two::await);
        assertEquals(0, before.get());
        SignalWatch left = signals.listen("USR2"); // closed with the scheduler
        assertEquals("signal USR2", left.toString());
      });
      assertSame(mine, SignalsForTests.restore("USR2", mine));
    } finally {
      SignalsForTests.restore("USR2", original);
    }
  }

  @OnEveryBackend
  void await_cancelledOrTimedOut_losesNoSignal(IoRig rig) throws Exception {
    rig.run(world -> {
      try (SignalWatch usr2 = WaitForOsSignal.on(world.scheduler()).listen("USR2")) {
        Task<Integer> cancelled = world.scheduler().spawn(usr2::await);
        Task<Throwable> late =
            world.failing(() -> world.scheduler().await(usr2.raising(), Duration.ofSeconds(1)));
        world.settle();
        cancelled.cancel("enough");
        assertThrows(CancellationException.class, cancelled::join);
        world.timer().fire();
        assertInstanceOf(TimedOutException.class, late.join());
        SignalsForTests.raise("USR2");
        assertEquals(1, usr2.await());
      }
    });
  }

  @OnEveryBackend
  void raising_twoTasksWait_eachIsToldOfIt(IoRig rig) throws Exception {
    rig.run(world -> {
      try (SignalWatch usr2 = WaitForOsSignal.on(world.scheduler()).listen("USR2")) {
        Task<Integer> first =
            world.scheduler().spawn(() -> world.scheduler().await(usr2.raising()));
        Task<Integer> second = world.scheduler().spawn(usr2::await);
        world.settle();
        SignalsForTests.raise("USR2");
        assertEquals(1, first.join());
        assertEquals(1, second.join());
      }
    });
  }

  @OnEveryBackend
  void unknownAndReserved_areRefused(IoRig rig) throws Exception {
    rig.run(world -> {
      var signals = WaitForOsSignal.on(world.scheduler());
      var unknown = assertThrows(IllegalArgumentException.class, () -> signals.listen("NOSUCH"));
      assertTrue(unknown.getMessage().contains("signal=NOSUCH"), unknown::getMessage);
      for (String kept : new String[] {"KILL", "SEGV", "STOP"}) {
        var e = assertThrows(IllegalArgumentException.class, () -> signals.listen(kept));
        assertTrue(e.getMessage().contains(kept), e::getMessage);
      }
      assertThrows(NullPointerException.class, () -> signals.listen(null));
    });
  }
}
