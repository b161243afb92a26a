package dev.rondo.simulation.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.acme.threads.TimedWaits;
import dev.rondo.simulation.World;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Each wait of the JDK that ends by itself, in virtual time.
final class TimedWaitsTest {

  private static final long SEED = 7;

  /// Those that have no case of their own.
  private static final Set<String> OTHERS =
      Set.of(
          // these have no limit, but a number or an unused one
          "AbstractQueuedLongSynchronizer.acquireInterruptibly",
          "AbstractQueuedLongSynchronizer.acquireSharedInterruptibly",
          "DelayQueue.offer",
          // refused: for what is outside
          "Process.waitFor");

  /// What a method throws that waits up to a limit.
  private static final Set<Class<?>> THROWN =
      Set.of(InterruptedException.class, TimeoutException.class);

  static Collection<String> waits() {
    return TimedWaits.all().keySet();
  }

  @ParameterizedTest
  @MethodSource("waits")
  void wait_ofTenSeconds_takesTenSecondsOfVirtualTime(String name) {
    var elapsed = new ArrayList<Duration>();
    long first = run(name, elapsed);
    long second = run(name, elapsed);
    assertEquals(List.of(Duration.ofSeconds(10), Duration.ofSeconds(10)), elapsed);
    assertEquals(first, second, "the digests of two runs with the same seed");
  }

  /// {@return the digest}
  private static long run(String name, List<Duration> elapsed) {
    try (World world = BlockingJava.in(World.withSeed(SEED))) {
      int before = elapsed.size();
      world.host(
          "host",
          host -> {
            TimedWaits.all().get(name).run();
            elapsed.add(world.elapsed().truncatedTo(ChronoUnit.MICROS)); // JDK: a nanosecond more
          });
      world.runUntil(() -> elapsed.size() > before, Duration.ofHours(1));
      return world.digest();
    }
  }

  /// The list has each method of the JDK by which a thread waits up to a limit.
  @Test
  void list_hasEachTimedWaitOfThisJdk() throws IOException {
    Set<String> known =
        waits().stream()
            .map(each -> each.replaceFirst("[( ].*", ""))
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> missing = new TreeSet<>();
    Path root = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules/java.base");
    for (String each : Object.class.getModule().getPackages()) {
      if (Object.class.getModule().isExported(each)) {
        try (Stream<Path> files = Files.list(root.resolve(each.replace('.', '/')))) {
          files
              .map(file -> file.getFileName().toString())
              .filter(file -> file.endsWith(".class"))
              .flatMap(file -> timedWaits(each + "." + file.substring(0, file.length() - 6)))
              .forEach(missing::add);
        }
      }
    }
    assertTrue(missing.contains("ReferenceQueue.remove"), missing.toString());
    missing.removeAll(known);
    missing.removeAll(OTHERS);
    assertEquals(Set.of(), missing);
  }

  private static Stream<String> timedWaits(String name) {
    Class<?> type;
    try {
      type = Class.forName(name, false, null);
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
    return Modifier.isPublic(type.getModifiers()) && !type.isInterface()
        ? Arrays.stream(type.getDeclaredMethods())
            .filter(TimedWaitsTest::isTimedWait)
            .map(each -> type.getSimpleName() + "." + each.getName())
        : Stream.empty();
  }

  private static boolean isTimedWait(Method method) {
    List<Class<?>> parameters = List.of(method.getParameterTypes());
    return Modifier.isPublic(method.getModifiers())
        && !Modifier.isAbstract(method.getModifiers())
        && Arrays.stream(method.getExceptionTypes()).anyMatch(THROWN::contains)
        && (parameters.contains(long.class)
            || parameters.contains(Duration.class)
            || parameters.contains(Date.class));
  }
}
