package dev.rondo.junit;

import dev.rondo.application.Application;
import dev.rondo.exploration.Choices;
import dev.rondo.exploration.Exploration;
import dev.rondo.exploration.Explorer;
import dev.rondo.exploration.internal.RunChoices;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.time.VirtualClock;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.opentest4j.TestAbortedException;

/// The runs of a [RondoTest] with schedules, in one test of JUnit: each has an application and an
/// instance of its own. The methods that JUnit itself would call are skipped.
///
/// Called on JUnit's thread; the runs are on a thread of their own.
final class SearchRun implements InvocationInterceptor, ParameterResolver {

  private static final int MOST_SHRINK_RUNS = 100_000;

  private static final Set<Class<?>> TYPES =
      Set.of(
          Application.class,
          Scheduler.class,
          VirtualClock.class,
          UnobservedFailures.class,
          RandomGenerator.class,
          Choices.class);

  private final Plan plan;

  /// Another one after a run that hangs.
  private TestThread thread = new TestThread();

  /// Whether a run has failed. The runs after it are attempts at a simpler one, and repetitions.
  private boolean found;

  /// Of the run under way, by their type. Written by the thread of the runs; null values for the
  /// methods that are skipped.
  private volatile Map<Class<?>, Object> parameters = Map.of();

  /// The last run, if it hangs; null otherwise.
  private volatile @Nullable TestLoop hung;

  /// Of the last run that was to be shown and has failed; null if there is none.
  private @Nullable RunPicture picture;

  /// Whether a run has passed.
  private boolean passed;

  /// What has aborted the last run that was aborted; null if none was.
  private @Nullable TestAbortedException aborted;

  /// What the longest run so far has taken, in real time.
  private Duration longest = Duration.ZERO;

  SearchRun(Plan plan) {
    this.plan = plan;
  }

  // Parameters.

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getDeclaringExecutable() instanceof Method
        && isSupported(parameter.getParameter().getType());
  }

  private static boolean isSupported(Class<?> type) {
    return TYPES.contains(type) || RunParameters.isType(type);
  }

  @Override
  public @Nullable Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return parameters.get(parameter.getParameter().getType());
  }

  // Methods.

  @Override
  public void interceptBeforeEachMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context) {
    invocation.skip();
  }

  @Override
  public void interceptAfterEachMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context) {
    invocation.skip();
  }

  @Override
  public void interceptTestTemplateMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    invocation.skip();
    var given = new TestMethods(context);
    if (plan.freshClasses()) {
      given.requireUnshared();
    }
    Supplier<TestMethods> methods = plan.freshClasses() ? given::ofFreshClasses : () -> given;
    try {
      Exploration result =
          new Explorer(plan.strategy())
              .runs(plan.runs())
              .shrinking(plan.shrinkLimit(), MOST_SHRINK_RUNS)
              .shrinkOnly(_ -> hung == null)
              .explore(context.getRequiredTestClass(), choices -> run(choices, methods.get()));
      RunPicture last = picture;
      if (last != null && result.failure().isPresent()) {
        last.addTo(result.failure().get(), RunPicture.nameOf(context));
      }
      report(result, context);
    } finally {
      thread.end();
    }
  }

  private void report(Exploration result, ExtensionContext context) throws Throwable {
    if (result.failure().isPresent()) {
      Throwable failure = result.failure().get();
      failure.addSuppressed(new SearchNote(plan, result, context).note());
      result.divergence().ifPresent(failure::addSuppressed);
      throw failure;
    }
    if (!passed && aborted != null) {
      throw aborted;
    }
    context.publishReportEntry("rondo", result.toString());
  }

  // A run.

  private void run(Choices choices, TestMethods methods) throws Throwable {
    TestLoop before = hung;
    if (before != null) {
      before.awaitEnd();
      thread = new TestThread();
    }
    RunPicture own = RunChoices.of(choices).isShown() ? RunPicture.ofFailure() : null;
    TestLoop loop =
        found
            ? TestLoop.ofAttempt(plan, methods.method(), choices, longest, thread, own)
            : new TestLoop(plan, methods.method(), choices, thread, own);
    long began = System.nanoTime();
    try {
      Throwable failure = loop.call(() -> failureOf(loop, methods));
      switch (failure) {
        case null -> passed = true;
        case TestAbortedException abort -> aborted = abort;
        default -> {
          found = true;
          picture = own == null ? picture : own;
          throw failure;
        }
      }
    } finally {
      Duration taken = Duration.ofNanos(System.nanoTime() - began);
      longest = taken.compareTo(longest) > 0 ? taken : longest;
      hung = loop.isHung() ? loop : null;
      found |= loop.isHung();
    }
  }

  private @Nullable Throwable failureOf(TestLoop loop, TestMethods methods) throws Exception {
    loop.open();
    parameters = loop.parameters();
    return methods.run(loop);
  }
}
