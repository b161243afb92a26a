package dev.rondo.junit;

import dev.rondo.application.internal.FreshClassLoader;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExecutableInvoker;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;
import org.opentest4j.TestAbortedException;

/// The methods of a test, to be called on instances other than JUnit's.
final class TestMethods {

  /// A call of one of them.
  ///
  /// @param name of the method
  /// @param body may throw what the method throws
  private record Call(String name, TestLoop.Body body) {}

  private final ExecutableInvoker invoker;
  private final Method test;

  /// The outermost first.
  private final List<? extends Class<?>> types;

  /// The instances that all runs have: of the classes up to the innermost one that has a single
  /// instance for its tests.
  private final List<Object> shared;

  TestMethods(ExtensionContext context) {
    invoker = context.getExecutableInvoker();
    test = context.getRequiredTestMethod();
    List<Object> given = context.getRequiredTestInstances().getAllInstances();
    types = given.stream().map(Object::getClass).toList();
    shared =
        Stream.iterate(Optional.of(context), each -> each.flatMap(ExtensionContext::getParent))
            .takeWhile(Optional::isPresent)
            .flatMap(Optional::stream)
            .filter(TestMethods::hasOneInstance)
            .findFirst()
            .map(each -> given.subList(0, types.indexOf(each.getRequiredTestClass()) + 1))
            .orElse(List.of());
  }

  private static boolean hasOneInstance(ExtensionContext context) {
    return context
        .getTestInstanceLifecycle()
        .filter(TestInstance.Lifecycle.PER_CLASS::equals)
        .isPresent();
  }

  /// @param invoker in place of JUnit's
  /// @param test of a class, whose instances are not shared
  TestMethods(ExecutableInvoker invoker, Class<?> type, Method test) {
    this.invoker = invoker;
    this.test = test;
    this.types = classes(type).reversed();
    this.shared = List.of();
  }

  private TestMethods(ExecutableInvoker invoker, List<? extends Class<?>> types, Method test) {
    this.invoker = invoker;
    this.test = test;
    this.types = types;
    this.shared = List.of();
  }

  /// Checks that each run can have classes of its own.
  ///
  /// @throws IllegalArgumentException if a class or its instance is shared between runs
  void requireUnshared() {
    Class<?> type = types.getLast();
    require(shared.isEmpty(), type, "whose instance is shared between runs");
    for (Class<?> each : types) {
      require(!FreshClassLoader.isShared(each.getName()), each, "of a package that runs share");
      require(
          AnnotationSupport.findAnnotatedMethods(
                  each, BeforeAll.class, HierarchyTraversalMode.TOP_DOWN)
              .isEmpty(),
          each,
          "which has a @BeforeAll: it would set static fields that no run has");
    }
  }

  private static void require(boolean condition, Class<?> type, String why) {
    if (!condition) {
      throw new IllegalArgumentException(
          "@RondoTest(freshClasses=true) cannot be in %s, %s".formatted(type.getName(), why));
    }
  }

  /// {@return the same methods, of classes that are loaded again}
  TestMethods ofFreshClasses() {
    var loader = new FreshClassLoader("run of " + types.getLast().getSimpleName());
    try {
      var fresh = new ArrayList<Class<?>>();
      for (Class<?> each : types) {
        fresh.add(loader.loadClass(each.getName()));
      }
      Class<?>[] parameters = test.getParameterTypes(); // of shared types
      Method own =
          loader
              .loadClass(test.getDeclaringClass().getName())
              .getDeclaredMethod(test.getName(), parameters);
      return new TestMethods(invoker, fresh, own);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot load the classes of " + types.getLast(), e);
    }
  }

  /// {@return whether a test uses what belongs to a run that JUnit makes: other extensions, or
  /// directories for a run}
  static boolean needJUnit(ExtensionContext context) {
    Method test = context.getRequiredTestMethod();
    return isExtended(test)
        || hasExtendedParameter(test)
        || classes(context.getRequiredTestClass()).stream().anyMatch(TestMethods::needsJUnit);
  }

  private static boolean needsJUnit(Class<?> type) {
    return isExtended(type)
        || !ReflectionSupport.findFields(
                type, TestMethods::isExtended, HierarchyTraversalMode.TOP_DOWN)
            .isEmpty()
        || Stream.of(BeforeEach.class, AfterEach.class)
            .flatMap(each ->
                AnnotationSupport.findAnnotatedMethods(type, each, HierarchyTraversalMode.TOP_DOWN)
                    .stream())
            .anyMatch(TestMethods::hasExtendedParameter);
  }

  private static boolean hasExtendedParameter(Method method) {
    return Arrays.stream(method.getParameters()).anyMatch(TestMethods::isExtended);
  }

  /// {@return a class and those that it is nested in, whose extensions it has, too}
  private static List<Class<?>> classes(Class<?> innermost) {
    var classes = new ArrayList<Class<?>>();
    Class<?> each = innermost;
    while (each != null) {
      classes.add(each);
      each = Modifier.isStatic(each.getModifiers()) ? null : each.getEnclosingClass();
    }
    return classes;
  }

  private static boolean isExtended(AnnotatedElement element) {
    return AnnotationSupport.isAnnotated(element, RegisterExtension.class)
        || AnnotationSupport.isAnnotated(element, TempDir.class)
        || AnnotationSupport.findRepeatableAnnotations(element, ExtendWith.class).stream()
            .flatMap(each -> Arrays.stream(each.value()))
            .anyMatch(each -> each != RondoTestTemplate.class);
  }

  /// {@return an instance for each class of the test, the outermost first; new ones but for those
  /// that are shared}
  private List<Object> newInstances() {
    var instances = new ArrayList<>(shared);
    for (Class<?> each : types.subList(shared.size(), types.size())) {
      Constructor<?> constructor = each.getDeclaredConstructors()[0];
      instances.add(
          instances.isEmpty()
              ? invoker.invoke(constructor)
              : invoker.invoke(constructor, instances.getLast()));
    }
    return instances;
  }

  /// Runs all of them, on new instances.
  ///
  /// @return the failure of the run; null if there is none
  @Nullable Throwable run(TestLoop loop) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(types.getLast().getClassLoader());
    try {
      return runAll(loop);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private @Nullable Throwable runAll(TestLoop loop) {
    var failures = new ArrayList<Throwable>();
    try {
      runMethods(loop, newInstances(), failures);
    } catch (RuntimeException | Error e) { // of a constructor
      failures.add(e);
    }
    try {
      loop.close(first(failures));
    } catch (Exception | Error e) {
      failures.add(e);
    }
    Throwable first = first(failures);
    if (first != null) {
      failures.remove(first);
      failures.forEach(first::addSuppressed);
    }
    return first;
  }

  /// {@return the first failure; what aborted the test only if nothing else was thrown}
  private static @Nullable Throwable first(List<Throwable> failures) {
    return failures.stream()
        .filter(each -> !(each instanceof TestAbortedException))
        .findFirst()
        .or(() -> failures.stream().findFirst())
        .orElse(null);
  }

  private void runMethods(TestLoop loop, List<Object> instances, List<Throwable> failures) {
    for (Call each : before(instances)) {
      if (failures.isEmpty()) {
        attempt(loop, each, failures);
      }
    }
    if (failures.isEmpty()) {
      attempt(loop, call(test, instances.getLast()), failures);
    }
    after(instances).forEach(each -> attempt(loop, each, failures));
  }

  private static void attempt(TestLoop loop, Call call, List<Throwable> failures) {
    try {
      loop.runTask(call.name(), call.body());
    } catch (Throwable e) {
      failures.add(e);
    }
  }

  /// {@return the methods before the test}
  private List<Call> before(List<Object> instances) {
    var calls = new ArrayList<Call>();
    for (Object each : instances) {
      addAll(calls, each, BeforeEach.class, HierarchyTraversalMode.TOP_DOWN);
    }
    return calls;
  }

  /// {@return the test itself}
  Method method() {
    return test;
  }

  /// {@return the methods after the test}
  private List<Call> after(List<Object> instances) {
    var calls = new ArrayList<Call>();
    for (Object each : instances.reversed()) {
      addAll(calls, each, AfterEach.class, HierarchyTraversalMode.BOTTOM_UP);
    }
    return calls;
  }

  private void addAll(
      List<Call> calls,
      Object instance,
      Class<? extends Annotation> annotation,
      HierarchyTraversalMode order) {
    AnnotationSupport.findAnnotatedMethods(instance.getClass(), annotation, order)
        .forEach(method -> calls.add(call(method, instance)));
  }

  private Call call(Method method, Object instance) {
    return new Call(method.getName(), () -> invoker.invoke(method, instance));
  }
}
