package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The first uses of the scheduler in a JVM, by several threads at once.
final class FirstUseTest {

  private static final String ENGINE = "dev.rondo.scheduler.engine.Engine";
  private static final String ROOMS = "dev.rondo.scheduler.engine.rooms.AllRooms";

  /// The most time, in milliseconds, for a thread that initializes [#ENGINE].
  private static final long HEAD_START_MILLIS = 1_000;

  private static final long PATIENCE_MILLIS = 60_000;

  /// One thread makes an event, which looks for the engine. Meanwhile, another thread begins to
  /// make a scheduler. Neither may hold the initialization of a class for which the other waits.
  @Test
  void event_whileAnotherThreadBeginsToMakeAScheduler_isMade() throws Exception {
    URL[] path =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(FirstUseTest::url)
            .toArray(URL[]::new);
    try (var loader = new Meeting(path)) {
      var made =
          new FutureTask<@Nullable Object>(() -> {
            Class<?> event = loader.loadClass("dev.rondo.scheduler.Waitable");
            return event.getMethod("never").invoke(null);
          });
      Thread.ofPlatform().daemon().start(made);
      assertNotNull(made.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS));
    }
  }

  private static URL url(String entry) {
    try {
      return Path.of(entry).toUri().toURL();
    } catch (MalformedURLException e) {
      throw new AssertionError(e);
    }
  }

  /// Loads the classes of the scheduler itself. When one thread looks for the engine, another
  /// thread initializes the class that schedulers use.
  private static final class Meeting extends URLClassLoader {

    static {
      registerAsParallelCapable();
    }

    Meeting(URL[] path) {
      super(path, FirstUseTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith("dev.rondo.")) {
        return super.loadClass(name, resolve);
      }
      if (name.equals(ROOMS)) {
        meet();
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> known = findLoadedClass(name);
        return known == null ? findClass(name) : known;
      }
    }

    private void meet() {
      Thread other = Thread.ofPlatform().daemon().start(this::initializeEngine);
      try {
        other.join(HEAD_START_MILLIS);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    private void initializeEngine() {
      try {
        Class.forName(ENGINE, true, this);
      } catch (ClassNotFoundException e) {
        throw new AssertionError(e);
      }
    }
  }
}
