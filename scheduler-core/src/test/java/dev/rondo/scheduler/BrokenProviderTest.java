package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.scheduler.addon.Instrument;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A jar on the path provides what cannot be loaded: each call says so, and names it.
final class BrokenProviderTest {

  @TempDir private Path jar;

  /// Runs a call twice.
  public static final class Program {

    private Program() {}

    /// Builds schedulers.
    public static List<String> build() {
      return twice(() -> Scheduler.builder().backend(CoroutineBackends.handoff()).build());
    }

    /// Asks for the backend that others provide.
    public static List<String> bound() {
      return twice(CoroutineBackends::bound);
    }

    private static List<String> twice(Runnable call) {
      var thrown = new ArrayList<String>();
      for (int i = 0; i < 2; i++) {
        try {
          call.run();
        } catch (Throwable e) {
          thrown.add(e.getClass().getSimpleName() + ": " + e.getMessage());
        }
      }
      return thrown;
    }
  }

  @Test
  void build_withABrokenInstrument_namesItEachTime() throws Exception {
    String failure =
        "IllegalStateException: a jar on the path provides a dev.rondo.scheduler.addon.Instrument"
            + " that cannot be loaded (dev.rondo.scheduler.addon.Instrument: Provider"
            + " com.example.Broken not found): remove that jar, or use the version that fits this"
            + " one of Rondo";
    assertEquals(List.of(failure, failure), run("build", Instrument.class));
  }

  @Test
  void bound_withABrokenBackend_namesItEachTime() throws Exception {
    String failure =
        "UnsupportedOperationException: a jar on the path provides a coroutine backend that cannot"
            + " be loaded (dev.rondo.scheduler.coroutine.CoroutineBackend: Provider"
            + " com.example.Broken not found): remove that jar, or use the version that fits this"
            + " one of Rondo";
    assertEquals(List.of(failure, failure), run("bound", CoroutineBackend.class));
  }

  /// Calls a method of the program, with classes of its own and the jar.
  private Object run(String method, Class<?> service) throws Exception {
    Path services = Files.createDirectories(jar.resolve("META-INF/services"));
    Files.writeString(services.resolve(service.getName()), "com.example.Broken\n");
    String[] entries = System.getProperty("java.class.path").split(File.pathSeparator);
    URL[] path =
        Stream.concat(Stream.of(jar), Arrays.stream(entries).map(Path::of))
            .map(BrokenProviderTest::url)
            .toArray(URL[]::new);
    try (var loader = new URLClassLoader(path, ClassLoader.getPlatformClassLoader())) {
      return loader.loadClass(Program.class.getName()).getMethod(method).invoke(null);
    }
  }

  private static URL url(Path entry) {
    try {
      return entry.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new AssertionError(e);
    }
  }
}
