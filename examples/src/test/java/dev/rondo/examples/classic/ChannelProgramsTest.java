package dev.rondo.examples.classic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.application.Application;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.testing.EveryBackend;
import dev.rondo.time.VirtualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/// Tests of the classic programs with channels, in virtual time.
@EveryBackend
final class ChannelProgramsTest {

  /// The output of a program on the first backend.
  private static final Map<String, List<String>> TRACES = new ConcurrentHashMap<>();

  @Parameter(0)
  CoroutineBackend backend;

  private final VirtualClock clock = new VirtualClock();

  private void run(Application.Main main) {
    var builder = Application.builder().backend(backend).clock(clock).bare();
    builder.run(main);
  }

  @Test
  void boundedBuffer_fastProducers_areHeldBackAndNothingIsLost() {
    run(app -> {
      var program = new BoundedBuffer(app);
      assertEquals(3 * 55, program.run());
      assertEquals(4, program.fullest());
    });
    assertEquals(Duration.ofMillis(75), clock.elapsed()); // 30 elements, 2 consumers, 5 ms each
  }

  @Test
  void primeSieve_firstPrimes_andEveryStageEnds() {
    run(app -> {
      assertEquals(List.of(2, 3, 5, 7, 11, 13, 17, 19, 23, 29), PrimeSieve.primes(app, 10));
      assertEquals(541, PrimeSieve.primes(app, 100).getLast());
      app.yield();
      assertTrue(
          app.scheduler().tasks().stream()
              .noneMatch(task -> List.of("filter", "numbers").contains(task.name())),
          () -> app.scheduler().tasks().toString());
    });
  }

  @Test
  void santaClaus_threeChristmases_reindeerInNinesAndElvesInThrees() {
    List<String> told = new ArrayList<>();
    run(app -> new SantaClaus(app, 1994, told::add).run(3));
    assertEquals(3, told.stream().filter("delivering toys with 9 reindeer"::equals).count());
    List<String> helped = told.stream().filter(line -> line.startsWith("helping")).toList();
    assertTrue(helped.size() > 3, told::toString);
    for (String line : helped) {
      assertTrue(line.matches("helping elf \\d, elf \\d, elf \\d"), line);
    }
    List<String> first = TRACES.putIfAbsent("santa", told);
    assertEquals(first == null ? told : first, told); // the same on every backend
  }
}
