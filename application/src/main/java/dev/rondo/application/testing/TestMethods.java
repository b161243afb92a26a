package dev.rondo.application.testing;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExecutableInvoker;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;

/// The methods of a test, to be called on instances other than JUnit's.
final class TestMethods {

  /// A call of one of them.
  ///
  /// @param name of the method
  /// @param body may throw what the method throws
  record Call(String name, TestLoop.Body body) {}

  private final ExecutableInvoker invoker;
  private final Method test;
  private final boolean shared;

  /// JUnit's, the outermost first.
  private final List<Object> given;

  TestMethods(ExtensionContext context) {
    invoker = context.getExecutableInvoker();
    test = context.getRequiredTestMethod();
    given = context.getRequiredTestInstances().getAllInstances();
    shared =
        context
            .getTestInstanceLifecycle()
            .filter(TestInstance.Lifecycle.PER_CLASS::equals)
            .isPresent();
  }

  /// {@return whether a test uses what belongs to a run that JUnit makes: other extensions, or
  /// directories for a run}
  static boolean needJUnit(ExtensionContext context) {
    Method test = context.getRequiredTestMethod();
    List<Class<?>> classes = classes(context.getRequiredTestClass());
    return isExtended(test)
        || classes.stream().anyMatch(TestMethods::isExtended)
        || classes.stream().anyMatch(each -> hasField(each, RegisterExtension.class))
        || classes.stream().anyMatch(each -> hasField(each, TempDir.class))
        || Arrays.stream(test.getParameters())
            .anyMatch(each -> AnnotationSupport.isAnnotated(each, TempDir.class));
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
    return AnnotationSupport.findRepeatableAnnotations(element, ExtendWith.class).stream()
        .flatMap(each -> Arrays.stream(each.value()))
        .anyMatch(each -> each != RondoTestTemplate.class);
  }

  private static boolean hasField(Class<?> type, Class<? extends Annotation> annotation) {
    return !AnnotationSupport.findAnnotatedFields(type, annotation).isEmpty();
  }

  /// {@return an instance for each class of the test, the outermost first; new ones, unless the
  /// class shares its instance}
  List<Object> newInstances() {
    if (shared) {
      return given;
    }
    var instances = new ArrayList<Object>();
    for (Object each : given) {
      Constructor<?> constructor = each.getClass().getDeclaredConstructors()[0];
      instances.add(
          instances.isEmpty()
              ? invoker.invoke(constructor)
              : invoker.invoke(constructor, instances.getLast()));
    }
    return instances;
  }

  /// {@return the methods before the test}
  List<Call> before(List<Object> instances) {
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

  Call test(List<Object> instances) {
    return call(test, instances.getLast());
  }

  /// {@return the methods after the test}
  List<Call> after(List<Object> instances) {
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
