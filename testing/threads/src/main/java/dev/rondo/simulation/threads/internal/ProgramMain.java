package dev.rondo.simulation.threads.internal;

import dev.rondo.application.internal.FreshClassLoader;
import dev.rondo.simulation.WorldHost;
import dev.rondo.simulation.threads.hook.Hook;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A program that is a process of its own: each start has classes of its own.
///
/// @param type the name of a class that is a [WorldHost.Main]
/// @param parameters the types of its constructor's, which all programs share
/// @param arguments of its constructor
public record ProgramMain(String type, List<Class<?>> parameters, List<@Nullable Object> arguments)
    implements WorldHost.Main {

  /// {@return a program of a class that the caller has, too}
  ///
  /// @param arguments for one of its public constructors
  /// @throws IllegalArgumentException if there is not exactly one, or its types are not shared
  public static ProgramMain of(Class<?> type, List<@Nullable Object> arguments) {
    requireUnshared(type.getName());
    List<Constructor<?>> fitting =
        Arrays.stream(type.getConstructors()).filter(each -> takes(each, arguments)).toList();
    if (fitting.size() != 1) {
      throw new IllegalArgumentException(
          "%s needs one public constructor for %s, and has %d"
              .formatted(type.getName(), arguments, fitting.size()));
    }
    List<Class<?>> parameters = List.of(fitting.getFirst().getParameterTypes());
    for (Class<?> each : parameters) {
      if (!isShared(each)) {
        throw new IllegalArgumentException(
            "the program has a class %s of its own, so it cannot receive one: use parameters of the JDK's types"
                .formatted(each.getName()));
      }
    }
    return new ProgramMain(type.getName(), parameters, arguments);
  }

  /// Checks that a program can have a class of its own.
  ///
  /// @param type its name
  /// @throws IllegalArgumentException if it is of a package that all programs share
  public static void requireUnshared(String type) {
    if (FreshClassLoader.isShared(type)) {
      throw new IllegalArgumentException(
          "%s is of a package that all programs share with the test, so it would have no static fields of its own"
              .formatted(type));
    }
  }

  private static boolean takes(Constructor<?> constructor, List<@Nullable Object> arguments) {
    Class<?>[] parameters = constructor.getParameterTypes();
    if (parameters.length != arguments.size()) {
      return false;
    }
    for (int i = 0; i < parameters.length; i++) {
      Object argument = arguments.get(i);
      boolean fits =
          argument == null
              ? !parameters[i].isPrimitive()
              : MethodType.methodType(parameters[i]).wrap().returnType().isInstance(argument);
      if (!fits) {
        return false;
      }
    }
    return true;
  }

  private static boolean isShared(Class<?> type) {
    Class<?> element = type;
    while (element.isArray()) {
      element = element.componentType();
    }
    return element.isPrimitive() || FreshClassLoader.isShared(element.getName());
  }

  @Override
  public void run(WorldHost host) throws Exception {
    Constructor<?> constructor = load(type).getConstructor(parameters.toArray(Class<?>[]::new));
    WorldHost.Main program;
    try {
      program = (WorldHost.Main) constructor.newInstance(arguments.toArray());
    } catch (InvocationTargetException e) {
      throw causeOf(e);
    }
    program.run(host);
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
    var loader = new FreshClassLoader("program " + type);
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
