package dev.rondo.junit;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/// One run of a [RondoTest]: an application, the methods of the test as its tasks, and the checks
/// after them.
///
/// Called on JUnit's thread, one call after the other.
final class TestRun
    implements BeforeEachCallback, AfterEachCallback, InvocationInterceptor, ParameterResolver {

  private final Plan plan;
  private final TestThread thread = new TestThread();
  private final RunPicture picture = RunPicture.ofAnyRun();

  /// Made before the methods.
  private @Nullable TestLoop loop;

  /// The values of parameters, by their type.
  private Map<Class<?>, Object> parameters = Map.of();

  TestRun(Plan plan) {
    this.plan = plan;
  }

  @Override
  public void beforeEach(ExtensionContext context) throws Exception {
    var made = new TestLoop(plan, context.getRequiredTestMethod(), plan.choices(), thread, picture);
    loop = made;
    made.open();
    parameters = made.parameters();
  }

  private TestLoop loop() {
    return Objects.requireNonNull(loop, "beforeEach comes first");
  }

  /// Called without `beforeEach` if another extension has failed or aborted the test before that.
  @Override
  public void afterEach(ExtensionContext context) throws Exception {
    TestLoop opened = loop;
    try {
      if (opened != null) {
        opened.close(context.getExecutionException().orElse(null));
      }
    } catch (Exception | Error e) {
      note(e);
      picture.addTo(e, RunPicture.nameOf(context));
      throw e;
    } finally {
      thread.end();
    }
  }

  // Parameters.

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameters.containsKey(parameter.getParameter().getType());
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
      ExtensionContext context)
      throws Throwable {
    run(invocation, method, context);
  }

  @Override
  public void interceptTestTemplateMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    run(invocation, method, context);
  }

  @Override
  public void interceptAfterEachMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    run(invocation, method, context);
  }

  private void run(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    try {
      loop().runTask(method.getExecutable().getName(), invocation::proceed);
    } catch (Throwable e) {
      note(e);
      picture.addTo(e, RunPicture.nameOf(context));
      throw e;
    }
  }

  private void note(Throwable failure) {
    failure.addSuppressed(new SeedNote(plan.seed(), plan.describe(plan.seed())));
  }
}
