package dev.rondo.simulation.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.acme.threads.Ending;
import dev.rondo.simulation.World;
import dev.rondo.simulation.WorldHost;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// How a process ends in order.
final class EndOfProcessTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  @Test
  void exit_runsHooks_deletesFiles_andNeverReturns() {
    var told = new ArrayList<String>();
    try (World world = BlockingJava.in(World.withSeed(7))) {
      WorldHost host = world.host("host", _ -> Ending.exits(told::add));
      world.runFor(MINUTE);
      assertEquals(List.of("removes true", "makes true", "hook begins", "hook ends"), told);
      assertFalse(host.isUp());
      assertFalse(Files.exists(host.disk().path("/file")));
      host.restart();
      world.runFor(MINUTE);
      assertEquals(8, told.size());
    }
  }

  @Test
  void halt_runsNoHook() {
    var told = new ArrayList<String>();
    try (World world = BlockingJava.in(World.withSeed(7))) {
      WorldHost host = world.host("host", _ -> Ending.halts(told::add));
      world.runFor(MINUTE);
      assertFalse(host.isUp());
    }
    assertEquals(List.of(), told);
  }

  @Test
  void endOfTheLastThread_runsHooks() {
    var told = new ArrayList<String>();
    try (World world = BlockingJava.in(World.withSeed(7))) {
      WorldHost host = world.host("host", _ -> Ending.returns(told::add));
      world.runFor(MINUTE);
      assertTrue(host.isUp());
    }
    assertEquals(List.of("main ends", "last thread ends", "hook begins", "hook ends"), told);
  }

  @Test
  void terminate_runsHooks_andKillsThoseThatTakeTooLong() {
    var told = new ArrayList<String>();
    try (World world = BlockingJava.in(World.withSeed(7))) {
      WorldHost quick = world.host("quick", _ -> Ending.serves(1_000, told::add));
      world.runFor(MINUTE);
      quick.terminate(Duration.ZERO, MINUTE);
      world.runFor(Duration.ofSeconds(2));
      assertFalse(quick.isUp());
      assertEquals(List.of("hook begins", "hook ends"), told);
      WorldHost slow = world.host("slow", _ -> Ending.serves(100_000, told::add));
      world.runFor(MINUTE);
      slow.terminate(Duration.ofSeconds(1), Duration.ofSeconds(1));
      world.runFor(Duration.ofMillis(1_900));
      assertTrue(slow.isUp());
      world.runFor(MINUTE);
      assertFalse(slow.isUp());
    }
    assertEquals(List.of("hook begins", "hook ends", "hook begins"), told);
  }

  @Test
  void crash_runsNoHook() {
    var told = new ArrayList<String>();
    try (World world = BlockingJava.in(World.withSeed(7))) {
      WorldHost host = world.host("host", _ -> Ending.serves(100, told::add));
      world.runFor(MINUTE);
      host.crash();
      world.runFor(MINUTE);
    }
    assertEquals(List.of(), told);
  }

  @Test
  void terminate_endsAProcessWhoseHooksHaveRun_orRun() {
    var told = new ArrayList<String>();
    try (World world = BlockingJava.in(World.withSeed(7))) {
      WorldHost host = world.host("host", _ -> Ending.returns(told::add));
      world.runFor(MINUTE);
      host.terminate(Duration.ZERO, Duration.ofSeconds(5));
      world.runFor(MINUTE);
      assertFalse(host.isUp());
      host.restart();
      world.runFor(Duration.ofMillis(250)); // the hook runs
      host.terminate(Duration.ZERO, Duration.ofSeconds(5));
      world.runFor(Duration.ofSeconds(1));
      assertFalse(host.isUp());
    }
    List<String> once = List.of("main ends", "last thread ends", "hook begins", "hook ends");
    assertEquals(Stream.of(once, once).flatMap(List::stream).toList(), told);
  }
}
