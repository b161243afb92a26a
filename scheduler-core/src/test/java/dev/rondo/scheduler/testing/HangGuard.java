package dev.rondo.scheduler.testing;

import java.lang.reflect.Method;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/// Runs each test, with its set-up and tear-down, on one platform thread of its own, and fails it
/// with that thread's stack if it does not end, even if it does not react to an interrupt.
final class HangGuard implements InvocationInterceptor {

  /// Far more than any test takes, also on a machine that computes ten other things.
  private static final long PATIENCE_SECONDS = Long.getLong("rondo.test.patience", 300);

  private static final Namespace NAMESPACE = Namespace.create(HangGuard.class);

  /// The thread that one test runs on.
  private static final class Runner implements AutoCloseable {

    private volatile @Nullable Thread thread;
    private final ExecutorService executor;

    Runner(String name) {
      executor =
          Executors.newSingleThreadExecutor(task -> {
            Thread made = new Thread(task, name);
            made.setDaemon(true);
            thread = made;
            return made;
          });
    }

    void run(InvocationInterceptor.Invocation<?> invocation) throws Throwable {
      Future<?> done =
          executor.submit(() -> {
            try {
              return invocation.proceed();
            } catch (Exception | Error e) {
              throw e;
            } catch (Throwable e) {
              throw new AssertionError(e);
            }
          });
      try {
        done.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        throw e.getCause();
      } catch (TimeoutException e) {
        throw hung(done);
      }
    }

    private AssertionError hung(Future<?> done) throws InterruptedException {
      var report = new AssertionError("the test hangs; the trace is where its thread is");
      Thread stuck = thread;
      if (stuck != null) {
        report.setStackTrace(stuck.getStackTrace());
        stuck.interrupt();
      }
      try {
        done.get(2, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        report.addSuppressed(e.getCause());
      } catch (TimeoutException e) {
        report.addSuppressed(new AssertionError("it did not answer an interrupt either"));
      }
      return report;
    }

    @Override
    public void close() {
      executor.shutdownNow();
    }
  }

  private static void guarded(Invocation<?> invocation, ExtensionContext context) throws Throwable {
    Runner runner =
        context
            .getStore(NAMESPACE)
            .getOrComputeIfAbsent(
                context.getUniqueId(), key -> new Runner("test-loop"), Runner.class);
    runner.run(invocation);
  }

  @Override
  public void interceptBeforeEachMethod(
      Invocation<@Nullable Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    guarded(invocation, context);
  }

  @Override
  public void interceptTestMethod(
      Invocation<@Nullable Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    guarded(invocation, context);
  }

  @Override
  public void interceptTestTemplateMethod(
      Invocation<@Nullable Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    guarded(invocation, context);
  }

  @Override
  public void interceptAfterEachMethod(
      Invocation<@Nullable Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    guarded(invocation, context);
  }
}
