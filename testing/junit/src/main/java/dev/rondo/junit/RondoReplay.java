package dev.rondo.junit;

import static java.util.Objects.requireNonNull;

import dev.rondo.exploration.ChoiceSequence;
import dev.rondo.exploration.Choices;
import dev.rondo.exploration.Exploration;
import dev.rondo.exploration.Explorer;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExecutableInvoker;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;

/// A program that repeats one run of a [RondoTest] without a launcher of JUnit. For use with a
/// debugger: breakpoints take no virtual time. The classes of the test and the API of JUnit must be
/// on the class path.
///
/// ```
/// java -agentlib:jdwp=.. -cp .. dev.rondo.junit.RondoReplay \
///     com.acme.StoreTest#losesAnUpdate @target/rondo/StoreTest.losesAnUpdate.replay
/// ```
public final class RondoReplay {

  private static final String USAGE =
      "usage: RondoReplay <class>#<method> <the text of a replay, or @ and a file that has it>";

  private RondoReplay() {}

  /// Repeats a run, on the backend that `-Drondo.backend` names. The methods before and after each
  /// test are run, other extensions of JUnit are not.
  ///
  /// @param args the test, as its class, `#` and its method; and what the failure has printed
  /// @throws IllegalArgumentException if there is no such test, or the text is not of a replay
  /// @throws Throwable the failure of the run, with its last events suppressed
  public static void main(String[] args) throws Throwable {
    requireNonNull(args, "args is null");
    if (args.length != 2 || args[0].indexOf('#') < 1) {
      throw new IllegalArgumentException(USAGE);
    }
    int hash = args[0].indexOf('#');
    Class<?> type = typeOf(args[0].substring(0, hash));
    Method test = testOf(type, args[0].substring(hash + 1));
    ChoiceSequence recorded = ChoiceSequence.parse(args[1]);
    run(type, test, recorded);
    System.out.println(args[0] + " passes: " + recorded);
  }

  private static Class<?> typeOf(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException(
          "no class '%s'; that of a nested one has a $. %s".formatted(name, USAGE), e);
    }
  }

  private static Method testOf(Class<?> type, String name) {
    List<Method> found =
        ReflectionSupport.streamMethods(
                type,
                each ->
                    each.getName().equals(name)
                        && AnnotationSupport.isAnnotated(each, RondoTest.class),
                HierarchyTraversalMode.BOTTOM_UP)
            .toList();
    if (found.size() != 1) {
      throw new IllegalArgumentException(
          "need one @RondoTest '%s' in %s, found %d".formatted(name, type.getName(), found.size()));
    }
    return found.getFirst();
  }

  private static void run(Class<?> type, Method test, ChoiceSequence recorded) throws Throwable {
    RondoTest annotation = AnnotationSupport.findAnnotation(test, RondoTest.class).orElseThrow();
    Plan plan =
        Plans.replay(
            annotation,
            annotation.schedules(),
            recorded,
            Plan.withDebugger(Duration.ofSeconds(annotation.limitSeconds())),
            Optional.ofNullable(System.getProperty(CoroutineBackends.PROPERTY)));
    RunPicture picture = RunPicture.ofFailure();
    var thread = new TestThread();
    try {
      Exploration result =
          new Explorer(plan.strategy())
              .runs(plan.runs())
              .explore(type, choices -> run(plan, type, test, choices, thread, picture));
      if (result.failure().isPresent()) {
        Throwable failure = result.failure().get();
        picture.addTo(failure, type.getSimpleName() + "." + test.getName());
        result.divergence().ifPresent(failure::addSuppressed);
        throw failure;
      }
    } finally {
      thread.end();
    }
  }

  private static void run(
      Plan plan, Class<?> type, Method test, Choices choices, TestThread thread, RunPicture picture)
      throws Throwable {
    var loop = new TestLoop(plan, test, choices, thread, picture);
    Throwable failure =
        loop.call(() -> {
          loop.open();
          var methods = new TestMethods(new Invoker(loop.parameters()), type, test);
          if (plan.freshClasses()) {
            methods.requireUnshared();
            return methods.ofFreshClasses().run(loop);
          }
          return methods.run(loop);
        });
    if (failure != null) {
      throw failure;
    }
  }

  /// Calls with the parameters of a run.
  ///
  /// @param values by their type
  private record Invoker(Map<Class<?>, Object> values) implements ExecutableInvoker {

    @Override
    public @Nullable Object invoke(Method method, @Nullable Object target) {
      return ReflectionSupport.invokeMethod(method, target, arguments(method, List.of()));
    }

    @Override
    public <T> T invoke(Constructor<T> constructor, @Nullable Object outer) {
      return ReflectionSupport.newInstance(
          constructor.getDeclaringClass(),
          arguments(constructor, outer == null ? List.of() : List.of(outer)));
    }

    private Object[] arguments(Executable called, List<Object> first) {
      var arguments = new ArrayList<>(first);
      Arrays.stream(called.getParameterTypes())
          .skip(first.size())
          .forEach(each -> arguments.add(argument(called, each)));
      return arguments.toArray();
    }

    private Object argument(Executable called, Class<?> type) {
      Object value = values.get(type);
      if (value == null) {
        throw new IllegalArgumentException(
            "%s has a parameter of type %s, which only JUnit provides".formatted(called, type));
      }
      return value;
    }
  }
}
