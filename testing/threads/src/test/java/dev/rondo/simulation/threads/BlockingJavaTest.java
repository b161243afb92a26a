package dev.rondo.simulation.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.acme.threads.Constructors;
import com.acme.threads.Loaded;
import com.acme.threads.Parsing;
import com.acme.threads.Unlucky;
import dev.rondo.simulation.World;
import dev.rondo.simulation.WorldHost;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// How programs are given to a world, and what is refused.
final class BlockingJavaTest {

  private static final int WORLDS = 5;

  /// Not of a program: this package is shared.
  static final class Shared implements WorldHost.Main {
    @Override
    public void run(WorldHost host) {}
  }

  private static String refusal(Runnable code) {
    return assertThrows(IllegalArgumentException.class, code::run).getMessage();
  }

  @Test
  void program_hasTheConstructorThatTakesItsArguments() {
    var told = new ArrayList<String>();
    try (World world = BlockingJava.in(World.withSeed(7))) {
      Consumer<String> tell = told::add;
      world.host("one", BlockingJava.program(Constructors.class, 7, tell));
      world.host("other", BlockingJava.program(Constructors.class, "seven", tell));
      world.runFor(Duration.ofHours(1));
    }
    assertEquals(Set.of("number 7", "text seven"), Set.copyOf(told));
  }

  @Test
  void program_withoutSuchAConstructor_isRefused() {
    Consumer<String> tell = new ArrayList<String>()::add;
    String said = refusal(() -> BlockingJava.program(Constructors.class, 7L, tell));
    assertTrue(said.contains("needs one public constructor for [7, "), said);
  }

  @Test
  void program_withMoreThanOneSuchConstructor_isRefused() {
    Consumer<String> tell = new ArrayList<String>()::add;
    String said = refusal(() -> BlockingJava.program(Constructors.class, null, tell));
    assertTrue(said.endsWith("and has 2"), said);
  }

  @Test
  void program_withAParameterThatIsNotShared_isRefused() {
    String said =
        refusal(() -> BlockingJava.program(Constructors.class, new Constructors.Settings()));
    assertTrue(said.contains("Constructors$Settings of its own"), said);
  }

  /// What the JDK asks for goes to one world.
  @Test
  void program_whileThoseOfAnotherThreadsWorldRun_isRefused() throws Exception {
    try (ExecutorService other = Executors.newSingleThreadExecutor();
        World second = BlockingJava.in(World.withSeed(8))) {
      World first = other.submit(() -> BlockingJava.in(World.withSeed(7))).get();
      other.submit(() -> first.host("first", host -> Thread.sleep(Duration.ofHours(1)))).get();
      other.submit(() -> first.runFor(Duration.ofMinutes(1))).get();
      String refused =
          assertThrows(IllegalStateException.class, () -> second.host("second", host -> {}))
              .getMessage();
      assertTrue(
          refused.endsWith(
              "close that world before this one begins; if a test before this one hangs, that is"
                  + " why"),
          refused);
      other.submit(() -> first.runFor(Duration.ofHours(1))).get();
      assertEquals(Duration.ofMinutes(61), first.elapsed());
      other.submit(first::close).get();
      second.host("third", host -> Thread.sleep(Duration.ofHours(1)));
      second.runFor(Duration.ofHours(2));
    }
  }

  /// Types of the JDK are the same for all, whatever their names begin with.
  @Test
  void program_hasTheTypesOfTheJdk() {
    var told = new ArrayList<String>();
    Consumer<String> tell = told::add;
    try (World world = BlockingJava.in(World.withSeed(7))) {
      world.host("host", BlockingJava.program(Parsing.class, tell));
      world.runFor(Duration.ofHours(1));
    }
    assertEquals(List.of("[a, b] a"), told);
  }

  @Test
  void program_ofASharedPackage_isRefused() {
    String said = refusal(() -> BlockingJava.program(Shared.class));
    assertTrue(said.contains("is of a package that all programs share"), said);
    refusal(() -> BlockingJava.main("org.junit.platform.console.ConsoleLauncher"));
  }

  /// The JDK keeps drivers of databases, threads and more, for ever; those of programs it must not.
  /// One may stay for another reason, not one for each world.
  @Test
  void programs_ofWorldsThatAreClosed_leaveNoClasses() {
    var loaders = new ArrayList<WeakReference<ClassLoader>>();
    Consumer<ClassLoader> tell = loader -> loaders.add(new WeakReference<>(loader));
    for (int i = 1; i <= WORLDS; i++) {
      int count = i;
      try (World world = BlockingJava.in(World.withSeed(7))) {
        world.host("host", BlockingJava.program(Loaded.class, tell));
        world.runUntil(() -> loaders.size() == count, Duration.ofHours(1));
      }
    }
    for (int i = 0; i < 10; i++) {
      System.gc();
    }
    long kept = loaders.stream().filter(each -> each.get() != null).count();
    assertTrue(kept <= 1, kept + " of " + WORLDS + " are kept");
  }

  /// Not in a class initialiser, which runs in the first run only.
  @Test
  void threads_mayBeUnlucky_asTheSeedSays() {
    List<Boolean> first = Unlucky.lots(3);
    assertEquals(first, Unlucky.lots(3));
    assertTrue(first.contains(true), first::toString);
    assertFalse(Unlucky.Once.WAS);
  }

  @Test
  void in_aWorldThatHasHosts_isRefused() {
    try (World world = World.withSeed(7)) {
      world.host("early", host -> {});
      String said =
          assertThrows(IllegalStateException.class, () -> BlockingJava.in(world)).getMessage();
      assertTrue(said.contains("early"), said);
    }
  }
}
