package dev.rondo.simulation.blocking.internal;

import dev.rondo.simulation.WorldHost;
import dev.rondo.simulation.blocking.hook.Hook;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A program that is a process of its own.
///
/// @param type the name of a class that is a [WorldHost.Main]
/// @param arguments of its constructor
public record ProgramMain(String type, List<@Nullable Object> arguments) implements WorldHost.Main {

  @Override
  public void run(WorldHost host) throws Exception {
    Class<?> loaded = load(type);
    for (Constructor<?> each : loaded.getConstructors()) {
      if (each.getParameterCount() == arguments.size()) {
        WorldHost.Main program;
        try {
          program = (WorldHost.Main) each.newInstance(arguments.toArray());
        } catch (InvocationTargetException e) {
          throw causeOf(e);
        }
        program.run(host);
        return;
      }
    }
    throw new IllegalArgumentException(
        "%s has no public constructor with %d parameters".formatted(type, arguments.size()));
  }

  /// Runs the method `main` of a class.
  public static void runMain(String type, String[] arguments) throws Exception {
    try {
      load(type).getMethod("main", String[].class).invoke(null, (Object) arguments);
    } catch (InvocationTargetException e) {
      throw causeOf(e);
    }
  }

  private static Class<?> load(String type) throws ClassNotFoundException {
    if (Hook.current() == null) {
      throw new IllegalStateException(
          "the host is none for programs written for threads: call BlockingJava.in(world) before it"
              + " is added");
    }
    var loader = new ProgramLoader();
    Thread.currentThread().setContextClassLoader(loader);
    return Class.forName(type, true, loader);
  }

  private static Exception causeOf(InvocationTargetException e) {
    if (e.getCause() instanceof Error error) {
      throw error;
    }
    return e.getCause() instanceof Exception cause ? cause : e;
  }
}
