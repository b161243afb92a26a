package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.scheduler.addon.TaskInfo;
import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/// The core works without its rooms: each program runs where the classes of a room are not there.
final class WithoutRoomsTest {

  /// A room, by the end of its package.
  private enum Room {
    NONE,
    CYCLES,
    HOST,
    LAZY,
    OUTSIDE,
    POLICY,
    QUEUE,
    SCOPE,
    SELECT,
    SHUTDOWN,
    VIEW;

    private final String folder =
        "dev.rondo.scheduler.engine." + name().toLowerCase(Locale.ROOT) + ".";
  }

  /// A program without groups and scopes.
  public static final class Plain {

    private Plain() {}

    /// Runs it.
    public static List<String> run() {
      var log = new ArrayList<String>();
      try (Scheduler scheduler = Scheduler.builder().build()) {
        Task<String> maker =
            scheduler.spawn(() -> {
              scheduler.yield();
              return "made";
            });
        scheduler.spawn(() -> log.add("joined " + maker.join()));
        scheduler.spawn(() -> log.add("spawned"));
        scheduler.start();
      }
      return log;
    }
  }

  /// A program with a group.
  public static final class Grouped {

    private Grouped() {}

    /// Runs it.
    public static List<String> run() {
      var log = new ArrayList<String>();
      try (Scheduler scheduler = Scheduler.builder().build()) {
        scheduler.spawn(() -> {
          TaskGroup<String> group = scheduler.newGroup("g");
          group.run(() -> group.spawn(() -> log.add("child")));
          log.add("" + group);
        });
        scheduler.start();
      }
      return log;
    }
  }

  /// A program with a choice.
  public static final class Choosing {

    private Choosing() {}

    /// Runs it.
    public static List<String> run() {
      return List.of("" + Waitable.anyOf(List.of(Waitable.always("x"))));
    }
  }

  /// A program with a blocking call.
  public static final class Blocking {

    private Blocking() {}

    /// Runs it.
    public static List<String> run() {
      try (Scheduler scheduler = Scheduler.builder().build()) {
        Task<String> caller = scheduler.spawn(() -> scheduler.blocking(() -> "called"));
        scheduler.start();
        return List.of(caller.join());
      }
    }
  }

  /// A program that shuts down in order.
  public static final class Stopping {

    private Stopping() {}

    /// Runs it.
    public static List<String> run() {
      var log = new ArrayList<String>();
      try (Scheduler scheduler = Scheduler.builder().build()) {
        scheduler.spawn(() -> log.add("too late"));
        scheduler.shutdown(Duration.ZERO, Duration.ZERO).thenAccept(left -> log.add("" + left));
        scheduler.start();
      }
      return log;
    }
  }

  /// A program that describes its tasks.
  public static final class Describing {

    private Describing() {}

    /// Runs it.
    public static List<String> run() {
      try (Scheduler scheduler = Scheduler.builder().build()) {
        scheduler.spawn("x", () -> {});
        return scheduler.tasks().stream().map(TaskInfo::name).toList();
      }
    }
  }

  @Test
  void plain_withoutViewsOrShutdownOrLazyTasks_works() throws Exception {
    assertEquals(List.of("spawned", "joined made"), run(Plain.class, Room.VIEW));
    assertEquals(List.of("spawned", "joined made"), run(Plain.class, Room.SHUTDOWN));
    assertEquals(List.of("spawned", "joined made"), run(Plain.class, Room.LAZY));
    assertEquals(List.of("spawned", "joined made"), run(Plain.class, Room.HOST));
    assertEquals(List.of("spawned", "joined made"), run(Plain.class, Room.POLICY));
    assertEquals(List.of("spawned", "joined made"), run(Plain.class, Room.QUEUE));
  }

  @Test
  void shutdown_withoutViews_works() throws Exception {
    assertEquals(List.of("[]"), run(Stopping.class, Room.NONE));
    assertEquals(List.of("[]"), run(Stopping.class, Room.VIEW));
  }

  @Test
  void shutdown_withoutShutdown_saysWhatIsMissing() {
    assertMissing("shutdown.Shutdown", Stopping.class, Room.SHUTDOWN);
  }

  @Test
  void descriptions_withoutViews_sayWhatIsMissing() throws Exception {
    assertEquals(List.of("x"), run(Describing.class, Room.NONE));
    assertMissing("view.TaskInfos", Describing.class, Room.VIEW);
  }

  @Test
  void spawnAndYield_withoutOutsideWork_work() throws Exception {
    assertEquals(List.of("spawned", "joined made"), run(Plain.class, Room.OUTSIDE));
  }

  @Test
  void blocking_withAllRooms_works() throws Exception {
    assertEquals(List.of("called"), run(Blocking.class, Room.NONE));
  }

  @Test
  void spawnAndYield_withoutScopes_work() throws Exception {
    assertEquals(List.of("spawned", "joined made"), run(Plain.class, Room.SCOPE));
  }

  @Test
  void groups_withoutSelect_work() throws Exception {
    assertEquals(List.of("spawned", "joined made"), run(Plain.class, Room.SELECT));
    assertEquals(List.of("child", "group 'g'"), run(Grouped.class, Room.SELECT));
  }

  @Test
  void groupsAndChoices_withoutCycles_work() throws Exception {
    assertEquals(List.of("spawned", "joined made"), run(Plain.class, Room.CYCLES));
    assertEquals(List.of("child", "group 'g'"), run(Grouped.class, Room.CYCLES));
    assertEquals(List.of("any of [always x]"), run(Choosing.class, Room.CYCLES));
  }

  @Test
  void choice_withoutScopes_works() throws Exception {
    assertEquals(List.of("any of [always x]"), run(Choosing.class, Room.SCOPE));
  }

  @Test
  void choice_withoutSelect_saysWhatIsMissing() {
    assertMissing("select.Composite$Constant", Choosing.class, Room.SELECT);
  }

  private static void assertMissing(String type, Class<?> program, Room room) {
    var thrown = assertThrows(InvocationTargetException.class, () -> run(program, room));
    Throwable missing = assertInstanceOf(NoClassDefFoundError.class, thrown.getCause());
    assertEquals("dev/rondo/scheduler/engine/" + type.replace('.', '/'), missing.getMessage());
  }

  @Test
  void all_withAllRooms_work() throws Exception {
    assertEquals(List.of("spawned", "joined made"), run(Plain.class, Room.NONE));
    assertEquals(List.of("child", "group 'g'"), run(Grouped.class, Room.NONE));
    assertEquals(List.of("any of [always x]"), run(Choosing.class, Room.NONE));
  }

  /// Runs a program with classes of its own, but for those of a room.
  private static List<?> run(Class<?> program, Room room) throws Exception {
    URL[] path =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(WithoutRoomsTest::url)
            .toArray(URL[]::new);
    try (var loader = new Without(path, room)) {
      Method run = loader.loadClass(program.getName()).getMethod("run");
      return (List<?>) run.invoke(null);
    }
  }

  private static URL url(String entry) {
    try {
      return Path.of(entry).toUri().toURL();
    } catch (MalformedURLException e) {
      throw new AssertionError(e);
    }
  }

  /// Loads the classes of the scheduler itself, but for those of a room.
  private static final class Without extends URLClassLoader {

    private final Room missing;

    Without(URL[] path, Room missing) {
      super(path, WithoutRoomsTest.class.getClassLoader());
      this.missing = missing;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith("dev.rondo.")) {
        return super.loadClass(name, resolve);
      }
      if (name.startsWith(missing.folder)) {
        throw new ClassNotFoundException(name);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> known = findLoadedClass(name);
        return known == null ? findClass(name) : known;
      }
    }
  }
}
