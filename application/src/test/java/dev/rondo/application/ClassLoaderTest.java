package dev.rondo.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.File;
import java.lang.ref.WeakReference;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A program with a class loader of its own, as a plug-in or a web application is.
class ClassLoaderTest {

  /// A program that leaves the loop's thread in each way: sockets, timers, calls on other threads.
  public static final class Program implements Runnable {

    @Override
    public void run() {
      Application.run(app -> {
        app.delay(Duration.ofDays(1), () -> {});
        try (var listener = app.listen(0)) {
          var echo =
              app.spawn(() -> {
                try (var accepted = listener.accept()) {
                  return accepted.input().transferTo(accepted.output());
                }
              });
          try (var socket = app.connect("localhost", listener.port())) {
            socket.output().write(1);
            socket.shutdownOutput();
            assertEquals(1, socket.input().readAllBytes().length);
          }
          assertEquals(1, echo.join());
        }
        assertEquals(1, app.blocking(() -> 1));
        app.within(Duration.ofDays(1), () -> app.yield());
        app.stop();
      });
    }
  }

  private static URL[] classPath() throws MalformedURLException {
    var urls = new ArrayList<URL>();
    for (String each : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      urls.add(Path.of(each).toUri().toURL());
    }
    return urls.toArray(URL[]::new);
  }

  /// Runs the program in a class loader of its own.
  private static WeakReference<ClassLoader> runLoaded() throws Exception {
    try (var loader = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
      Class<?> loaded = loader.loadClass(Program.class.getName());
      assertNotEquals(Program.class, loaded);
      var program = (Runnable) loaded.getConstructor().newInstance();
      var thread = new Thread(program, "plug-in");
      thread.setContextClassLoader(loader);
      thread.start();
      thread.join();
      return new WeakReference<>(loader);
    }
  }

  /// Otherwise a server that loads a plug-in anew for each change runs out of memory one day. The
  /// last class loader is left out, because a soft reference of the JDK keeps it.
  @Test
  @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void programThatHasEnded_itsClassLoader_isCollected() throws Exception {
    WeakReference<ClassLoader> loader = runLoaded();
    runLoaded();
    while (loader.get() != null) {
      System.gc();
      Thread.onSpinWait();
    }
  }
}
