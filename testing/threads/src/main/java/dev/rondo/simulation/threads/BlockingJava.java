package dev.rondo.simulation.threads;

import static java.util.Objects.requireNonNull;

import dev.rondo.exploration.Choices;
import dev.rondo.simulation.World;
import dev.rondo.simulation.WorldHost;
import dev.rondo.simulation.threads.internal.AgentSetup;
import dev.rondo.simulation.threads.internal.BlockingHosts;
import dev.rondo.simulation.threads.internal.ProgramMain;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Programs that are written for threads, on the hosts of a [World], unmodified.
///
/// ```
/// try (World world = BlockingJava.in(World.withSeed(42))) {
///   world.host("server", host -> new Server(new ServerSocket(7)).run());
///   world.host("client", host -> .. Executors.newFixedThreadPool(10) ..);
///   world.runFor(Duration.ofHours(1)); // virtual
/// }
/// ```
///
/// Each thread of such a program is a task of its host. It has a turn until it waits; which thread
/// is next is a choice. Its clocks, sleeps and timeouts are those of the host.
///
/// Needs a JVM with the [BlockingAgent].
public final class BlockingJava {

  private BlockingJava() {}

  /// Lets the hosts that are added from now on run programs that are written for threads. One world
  /// at a time has such hosts: while those of a world of another thread are up, [World#host] throws
  /// an [IllegalStateException].
  ///
  /// @param world without hosts
  /// @return the world
  /// @throws IllegalStateException if the JVM lacks the agent or a flag, if the agent could not
  ///   change a class, or if the world has hosts; the message names which
  public static World in(World world) {
    return in(world, List.of(), false);
  }

  /// Lets threads race on memory, too, besides what [#in(World)] does. A thread of the packages may
  /// lose its turn before it reads or writes a field that is not final or an element of an array,
  /// enters a monitor, or calls a concurrent class or a collection of the JDK. Whether it does is a
  /// choice; zero is that it goes on. A thread never loses its turn in a class initialiser.
  ///
  /// @param world without hosts
  /// @param packages with those below them, such as `com.acme..`, or names of classes
  /// @return the world
  /// @throws IllegalArgumentException if there is no package, or one is not of programs
  /// @throws IllegalStateException as [#in(World)]
  public static World racing(World world, String... packages) {
    return in(world, requireOfPrograms(packages), false);
  }

  /// Fails a run with a data race, too, besides what [#racing] does, even if the program goes well:
  /// two threads access the same memory, one of them writes, and no happens-before of the Java
  /// memory model orders the two. Memory is fields that are neither final nor volatile, elements of
  /// arrays, and collections of the JDK that are not for several threads.
  ///
  /// @param world without hosts
  /// @param packages as of [#racing]
  /// @return the world
  /// @throws IllegalArgumentException as [#racing]
  /// @throws IllegalStateException as [#in(World)]
  public static World detectingDataRaces(World world, String... packages) {
    return in(world, requireOfPrograms(packages), true);
  }

  private static List<String> requireOfPrograms(String... packages) {
    List<String> names = Stream.of(packages).map(AgentSetup::requireOfPrograms).toList();
    if (names.isEmpty()) {
      throw new IllegalArgumentException("packages must not be empty");
    }
    return names;
  }

  private static World in(World world, List<String> racing, boolean detects) {
    requireNonNull(world, "world is null");
    if (!AgentSetup.isInstalled()) {
      throw new IllegalStateException(
          "programs that are written for threads need an agent: start the JVM with"
              + " -javaagent:rondo-simulation-threads.jar");
    }
    if (!areIdentityHashCodesEqual()) {
      throw new IllegalStateException(
          "identity hash codes decide orders, such as that of a HashSet of threads, and differ in"
              + " each run: start the JVM with -XX:+UnlockExperimentalVMOptions -XX:hashCode=2");
    }
    if (!world.hosts().isEmpty()) {
      throw new IllegalStateException(
          "the world has hosts already, whose programs would see real threads: call BlockingJava.in"
              + " before the first of "
              + world.hosts());
    }
    if (!(world.random() instanceof Choices choices)) {
      throw new AssertionError("a world draws from its choices: " + world);
    }
    AgentSetup.begin();
    int packages = racing.isEmpty() ? 0 : AgentSetup.race(racing);
    if (detects) {
      AgentSetup.detect();
    }
    return world.applications(new BlockingHosts(choices, packages, detects)::configure);
  }

  /// {@return a program that is a process of its own: each start of it loads its classes and those
  /// of its libraries again, so that their statics are new} The JDK, Rondo, JUnit and SLF4J are
  /// shared with the test, and so are the arguments.
  ///
  /// @param type its public constructor receives the arguments
  /// @param arguments for parameters of types that are shared, such as those of the JDK
  /// @throws IllegalArgumentException if no public constructor takes them, or more than one does,
  ///   or if the type of a parameter is not shared
  public static WorldHost.Main program(
      Class<? extends WorldHost.Main> type, @Nullable Object... arguments) {
    requireNonNull(type, "type is null");
    return ProgramMain.of(type, Arrays.asList(arguments.clone()));
  }

  /// {@return a program with a method `main`, as a process of its own} See [#program].
  ///
  /// @param type the name of the class
  /// @param arguments of the method
  /// @throws IllegalArgumentException if the class is of a package that is shared
  public static WorldHost.Main main(String type, String... arguments) {
    String[] own = arguments.clone();
    ProgramMain.requireUnshared(requireNonNull(type, "type is null"));
    return host -> ProgramMain.runMain(type, own);
  }

  /// Whether the JVM was started with the flag.
  private static boolean areIdentityHashCodesEqual() {
    int first = System.identityHashCode(new Object());
    int second = System.identityHashCode(new Object());
    return first == second;
  }
}
