package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The core works without its rooms: each program runs where the classes of a room are not there.
final class WithoutRoomsTest {

  private static final String SCOPE = "dev.rondo.scheduler.engine.scope.";
  private static final String NONE = "";

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
      try (Scheduler scheduler = Scheduler.builder().build()) {
        return List.of(TaskGroup.create(scheduler, "g").toString());
      }
    }
  }

  @Test
  void spawnAndYield_withoutScopes_work() throws Exception {
    assertEquals(List.of("spawned", "joined made"), run(Plain.class, SCOPE));
  }

  @Test
  void group_withoutScopes_saysWhatIsMissing() throws Exception {
    var thrown =
        assertThrows(InvocationTargetException.class, () -> run(Grouped.class, SCOPE)).getCause();
    assertEquals(
        "no class extends dev.rondo.scheduler.engine.Scopes: the jar of the scheduler is not"
            + " complete, or its META-INF/services was lost when it was packed into another one",
        thrown.getMessage());
  }

  @Test
  void group_withAllRooms_works() throws Exception {
    assertEquals(List.of("group 'g'"), run(Grouped.class, NONE));
  }

  /// Runs a program with classes of its own, but for those of a room.
  private static List<?> run(Class<?> program, String room) throws Exception {
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

    private final String missing;

    Without(URL[] path, String missing) {
      super(path, WithoutRoomsTest.class.getClassLoader());
      this.missing = missing;
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
      return name.startsWith("META-INF/services/dev.rondo.") && isMissing(missing)
          ? Collections.emptyEnumeration()
          : super.getResources(name);
    }

    private boolean isMissing(String name) {
      return name.startsWith(missing) && !missing.equals(NONE);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith("dev.rondo.")) {
        return super.loadClass(name, resolve);
      }
      if (isMissing(name)) {
        throw new ClassNotFoundException(name);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> known = findLoadedClass(name);
        return known == null ? findClass(name) : known;
      }
    }
  }
}
