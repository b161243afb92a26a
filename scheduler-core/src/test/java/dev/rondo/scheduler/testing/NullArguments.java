package dev.rondo.scheduler.testing;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.StepTask;
import java.io.IOException;
import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.AnnotatedTypeVariable;
import java.lang.reflect.AnnotatedWildcardType;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.Proxy;
import java.lang.reflect.TypeVariable;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Passes null for each parameter of each public method of a package, one at a time, and an array
/// or collection that has a null, and collects the calls that do not refuse it with a message of
/// their own. Does the same with a negative time for each [Duration], for which any
/// [IllegalArgumentException] will do.
///
/// What the engine calls, with a waiter or a task of its own, is left out, as are the constructors
/// of exceptions and of the records that the engine makes, and what is declared as nullable.
public final class NullArguments {

  private static final Set<Class<?>> ENGINE_ONLY = Set.of(Waiter.class, StepTask.class);

  /// The JVM's messages about null look different. The first word is the parameter, unless the null
  /// is an element of its array or collection.
  private static final Pattern OWN_MESSAGE =
      Pattern.compile("([A-Za-z]+)(?: [a-z]+)* is null(?:: .+)?");

  /// Makes a sample in the task that makes the call.
  ///
  /// @param <T> its class
  @FunctionalInterface
  public interface Maker<T> {

    /// {@return a sample}
    ///
    /// @param scheduler of the call
    /// @throws Exception if it cannot be made; the call is then listed
    T make(Scheduler scheduler) throws Exception;
  }

  private final Supplier<Scheduler> schedulers;
  private final Map<Class<?>, Maker<?>> samples = new HashMap<>();
  private final Set<Class<?>> engineCalls = new HashSet<>();
  private final Set<String> anyTime = new HashSet<>();

  /// Samples of the current call, the last first.
  private final Deque<AutoCloseable> open = new ArrayDeque<>();

  /// Makes one.
  ///
  /// @param schedulers makes a scheduler for each call
  public NullArguments(Supplier<Scheduler> schedulers) {
    this.schedulers = schedulers;
    sample(Scheduler.class, scheduler -> scheduler);
    sample(String.class, scheduler -> "sample");
    sample(Object.class, scheduler -> "sample");
    sample(Duration.class, scheduler -> Duration.ofMillis(1));
    sample(Instant.class, scheduler -> Instant.EPOCH);
    sample(ZoneId.class, scheduler -> ZoneOffset.UTC);
    sample(Class.class, scheduler -> String.class);
  }

  /// Says how to make an object of a class, to call its methods or to pass it.
  ///
  /// @param <T> the class
  /// @param type the class
  /// @param maker makes it with the call's scheduler
  /// @return this
  public <T> NullArguments sample(Class<T> type, Maker<? extends T> maker) {
    samples.put(type, maker);
    return this;
  }

  /// [#sample] for what is to be closed after the call, in its task.
  ///
  /// @param <T> the class
  /// @param type the class
  /// @param maker makes it with the call's scheduler
  /// @return this
  public <T extends AutoCloseable> NullArguments opened(Class<T> type, Maker<? extends T> maker) {
    return sample(
        type,
        scheduler -> {
          T made = maker.make(scheduler);
          open.push(made);
          return made;
        });
  }

  /// Leaves out the methods of interfaces, which the engine calls.
  ///
  /// @param types interfaces that users implement
  /// @return this
  public NullArguments engineCalls(Class<?>... types) {
    engineCalls.addAll(List.of(types));
    return this;
  }

  /// Leaves out methods that take a negative time, or that cannot look at it in this call.
  ///
  /// @param methods their names, such as `Type.method`
  /// @return this
  public NullArguments anyTime(String... methods) {
    anyTime.addAll(List.of(methods));
    return this;
  }

  /// {@return the calls that do not refuse null, sorted}
  ///
  /// @param member of the package
  /// @throws IOException if the package cannot be read
  /// @throws URISyntaxException if the package cannot be read
  public List<String> notRefused(Class<?> member) throws IOException, URISyntaxException {
    return notRefusedBy(publicTypes(member).toArray(Class<?>[]::new));
  }

  /// {@return the calls to a few types that do not refuse null, sorted}
  ///
  /// @param types need not be public, but their public methods are reached through interfaces
  public List<String> notRefusedBy(Class<?>... types) {
    var found = new ArrayList<String>();
    for (Class<?> type : types) {
      for (Executable each : executables(type).toList()) {
        if (isOfEngine(each)) {
          continue;
        }
        Parameter[] parameters = each.getParameters();
        for (int i = 0; i < parameters.length; i++) {
          Class<?> parameter = parameters[i].getType();
          AnnotatedType annotated = parameters[i].getAnnotatedType();
          if (!parameter.isPrimitive() && !isNullable(annotated)) {
            check(each, i, "%s", null).ifPresent(found::add);
          }
          if (parameter == Duration.class && !anyTime.contains(nameOf(each))) {
            check(each, i, "negative %s", Duration.ofNanos(-1)).ifPresent(found::add);
          }
          Object holder = holderOfNull(parameter, annotated);
          if (holder != null) {
            check(each, i, "an element of %s", holder).ifPresent(found::add);
          }
        }
      }
    }
    return found.stream().sorted().toList();
  }

  private static List<Class<?>> publicTypes(Class<?> member)
      throws IOException, URISyntaxException {
    Path classes = Path.of(member.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (Stream<Path> files =
        Files.list(classes.resolve(member.getPackageName().replace('.', '/')))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".class") && !name.equals("package-info.class"))
          .<Class<?>>map(name -> load(member, name.substring(0, name.lastIndexOf('.'))))
          .filter(NullArguments::isPublic)
          .toList();
    }
  }

  private static Class<?> load(Class<?> member, String name) {
    try {
      return Class.forName(member.getPackageName() + "." + name, false, member.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  private static boolean isPublic(Class<?> type) {
    Class<?> outer = type.getEnclosingClass();
    return Modifier.isPublic(type.getModifiers())
        && !type.isAnonymousClass()
        && (outer == null || isPublic(outer));
  }

  private boolean isOfEngine(Executable each) {
    Class<?> type = each.getDeclaringClass();
    return each instanceof Method
        ? engineCalls.contains(type) && !Modifier.isStatic(each.getModifiers())
        : type.isRecord() || Throwable.class.isAssignableFrom(type);
  }

  /// Its own public methods and constructors; what users implement is not ours to check.
  private static Stream<Executable> executables(Class<?> type) {
    return Stream.<Executable>concat(
            Arrays.stream(type.getConstructors()), Arrays.stream(type.getDeclaredMethods()))
        .filter(each -> Modifier.isPublic(each.getModifiers()))
        .filter(each -> !Modifier.isAbstract(each.getModifiers()) || type.isSealed())
        .filter(each -> !each.isSynthetic() && !each.getName().equals("equals"))
        .filter(each -> !type.isEnum() || !each.getName().equals("valueOf"))
        .filter(each -> Arrays.stream(each.getParameterTypes()).noneMatch(ENGINE_ONLY::contains));
  }

  /// Whether a type is annotated as nullable, or stands for types that may be.
  private static boolean isNullable(AnnotatedType type) {
    return type.isAnnotationPresent(Nullable.class)
        || switch (type) {
          case AnnotatedTypeVariable variable ->
              Arrays.stream(((TypeVariable<?>) variable.getType()).getAnnotatedBounds())
                  .anyMatch(NullArguments::isNullable);
          case AnnotatedWildcardType wildcard ->
              Arrays.stream(wildcard.getAnnotatedUpperBounds())
                  .allMatch(bound -> bound.getType() == Object.class || isNullable(bound));
          default -> false;
        };
  }

  /// Returns an array or collection with a null that it must not have; null if there is none.
  private static @Nullable Object holderOfNull(Class<?> type, AnnotatedType annotated) {
    if (annotated instanceof AnnotatedArrayType array) {
      Class<?> component = type.getComponentType();
      return component.isPrimitive() || isNullable(array.getAnnotatedGenericComponentType())
          ? null
          : Array.newInstance(component, 1);
    }
    if (annotated instanceof AnnotatedParameterizedType of
        && Iterable.class.isAssignableFrom(type)
        && !isNullable(of.getAnnotatedActualTypeArguments()[0])) {
      if (type.isAssignableFrom(List.class)) {
        return Collections.singletonList(null);
      }
      return type.isAssignableFrom(Set.class) ? Collections.singleton(null) : null;
    }
    return null;
  }

  private static String nameOf(Executable each) {
    String type = each.getDeclaringClass().getSimpleName();
    return type + "." + (each instanceof Method ? each.getName() : "new");
  }

  private Optional<String> check(
      Executable each, int index, String what, @Nullable Object argument) {
    String call =
        nameOf(each) + "(.. " + what.formatted(each.getParameters()[index].getName()) + " ..)";
    Scheduler scheduler = schedulers.get();
    var outcome =
        new Object() {
          String text = "does not return";
        };
    scheduler.spawn(() -> outcome.text = call(scheduler, each, index, argument) + closeSamples());
    try {
      scheduler.start();
    } catch (RuntimeException e) {
      outcome.text += "; " + e;
    }
    scheduler.close();
    return outcome.text.isEmpty() ? Optional.empty() : Optional.of(call + ": " + outcome.text);
  }

  /// Returns what is wrong; empty if nothing is.
  private String call(Scheduler scheduler, Executable each, int index, @Nullable Object argument) {
    Parameter[] parameters = each.getParameters();
    @Nullable Object[] arguments = new Object[parameters.length];
    try {
      for (int i = 0; i < parameters.length; i++) {
        arguments[i] = i == index ? argument : sampleOf(parameters[i].getType(), scheduler);
      }
      if (each instanceof Method method) {
        boolean isStatic = Modifier.isStatic(method.getModifiers());
        method.setAccessible(true); // of a class that is not public
        method.invoke(isStatic ? null : sampleOf(method.getDeclaringClass(), scheduler), arguments);
      } else {
        ((Constructor<?>) each).newInstance(arguments);
      }
      return argument == null ? "accepts null" : "accepts it";
    } catch (InvocationTargetException e) {
      Throwable thrown = e.getCause();
      if (argument instanceof Duration) {
        return thrown instanceof IllegalArgumentException ? "" : String.valueOf(thrown);
      }
      Matcher message = OWN_MESSAGE.matcher(String.valueOf(thrown.getMessage()));
      boolean refused =
          thrown instanceof NullPointerException
              && message.matches()
              && (argument != null || message.group(1).equals(parameters[index].getName()));
      return refused ? "" : String.valueOf(thrown);
    } catch (Exception e) {
      return "cannot be called: " + e;
    }
  }

  /// Returns what fails; empty if nothing does.
  private String closeSamples() {
    var failures = new StringBuilder();
    while (!open.isEmpty()) {
      try {
        open.pop().close();
      } catch (Exception e) {
        failures.append("; closing a sample fails: ").append(e);
      }
    }
    return failures.toString();
  }

  private @Nullable Object sampleOf(Class<?> type, Scheduler scheduler) throws Exception {
    Maker<?> maker = samples.get(type);
    if (maker != null) {
      return maker.make(scheduler);
    }
    if (type.isPrimitive()) {
      return type == boolean.class ? (Object) false : type == long.class ? (Object) 0L : (Object) 1;
    }
    if (type.isEnum()) {
      return type.getEnumConstants()[0];
    }
    if (type.isArray()) {
      return Array.newInstance(type.getComponentType(), 0);
    }
    if (type.isInterface() && !type.isSealed()) {
      return Proxy.newProxyInstance(
          type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> null);
    }
    throw new IllegalArgumentException("no sample of " + type);
  }
}
