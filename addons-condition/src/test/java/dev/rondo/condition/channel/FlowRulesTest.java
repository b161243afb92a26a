package dev.rondo.condition.channel;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.ClosedException;
import dev.rondo.scheduler.Scheduler;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.reactivestreams.tck.TestEnvironment;
import org.reactivestreams.tck.flow.FlowPublisherVerification;
import org.reactivestreams.tck.flow.FlowSubscriberBlackboxVerification;
import org.testng.ITestResult;
import org.testng.TestListenerAdapter;
import org.testng.TestNG;
import org.testng.annotations.AfterClass;

/// Publishers and subscribers against the rules of Reactive Streams, by that project's test kit. It
/// checks from other threads, and waits in real time for events that must not come.
final class FlowRulesTest {

  private static final long PATIENCE_MILLIS = 60_000;
  private static final long SILENCE_MILLIS = 20;

  /// The kit's environment, but a wait for an error lasts until the error has come. In version
  /// 1.0.4 of the kit such a wait looks once, after one poll: it computes the time left with `=-`
  /// in place of `-=`.
  private static final class Environment extends TestEnvironment {

    private final Semaphore errors = new Semaphore(0);

    Environment() {
      super(PATIENCE_MILLIS, SILENCE_MILLIS);
    }

    @Override
    public void flop(Throwable error) {
      super.flop(error);
      errors.release();
    }

    @Override
    public void flop(Throwable error, String message) {
      super.flop(error, message);
      errors.release();
    }

    @Override
    public void flop(String message) {
      super.flop(message);
      errors.release();
    }

    @Override
    public void clearAsyncErrors() {
      super.clearAsyncErrors();
      errors.drainPermits();
    }

    /// Called before each wait for an error.
    @Override
    public long defaultPollTimeoutMillis() {
      try {
        var _ = errors.tryAcquire(PATIENCE_MILLIS, MILLISECONDS);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      return 0;
    }
  }

  /// A scheduler that runs on a thread of its own until it is stopped.
  private static final class Host {

    final Scheduler scheduler;
    private final Thread thread;

    Host() {
      var made = new CompletableFuture<Scheduler>();
      thread =
          Thread.ofPlatform()
              .name("host of Flow")
              .start(() -> {
                try (Scheduler own = Scheduler.create()) {
                  own.spawn(
                      "until the end",
                      () -> own.await(own.completion(new CompletableFuture<Void>())));
                  made.complete(own);
                  own.start();
                }
              });
      scheduler = made.join();
    }

    <T> T call(Callable<T> code) {
      var answer = new CompletableFuture<T>();
      scheduler.execute(() -> {
        try {
          answer.complete(code.call());
        } catch (Throwable e) {
          answer.completeExceptionally(e);
        }
      });
      return answer.join();
    }

    void stop() {
      scheduler.stop(); // the kit leaves subscriptions behind
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  private static void send(Sender<Integer> to, long elements) {
    try (to) {
      for (int i = 0; i < elements; i++) {
        to.send(i);
      }
    } catch (ClosedException _) {
      // The subscriber has cancelled.
    }
  }

  /// A channel as a publisher.
  public static final class OfAChannel extends FlowPublisherVerification<Integer> {

    private final Host host = new Host();

    public OfAChannel() {
      super(new Environment());
    }

    @Override
    public Flow.Publisher<Integer> createFlowPublisher(long elements) {
      return host.call(() -> {
        var channel = Channel.<Integer>bounded(host.scheduler, 4);
        host.scheduler.spawn(() -> send(channel, elements));
        return channel.asPublisher();
      });
    }

    @Override
    public Flow.Publisher<Integer> createFailedFlowPublisher() {
      return host.call(() -> {
        var channel = Channel.<Integer>rendezvous(host.scheduler);
        channel.close(new IllegalStateException("failed"));
        return channel.asPublisher();
      });
    }

    @AfterClass
    public void stop() {
      host.stop();
    }
  }

  /// A broadcast as a publisher: the only kind for several subscribers.
  public static final class OfABroadcast extends FlowPublisherVerification<Integer> {

    private final Host host = new Host();

    public OfABroadcast() {
      super(new Environment());
    }

    @Override
    public Flow.Publisher<Integer> createFlowPublisher(long elements) {
      return host.call(() -> {
        var hub = new Broadcast<Integer>(host.scheduler, 4, Overflow.SUSPEND);
        host.scheduler.spawn(() -> {
          while (hub.subscriptions() == 0) {
            host.scheduler.yield();
          }
          send(hub, elements);
        });
        return hub.asPublisher();
      });
    }

    @Override
    public Flow.Publisher<Integer> createFailedFlowPublisher() {
      return host.call(() -> {
        var hub = new Broadcast<Integer>(host.scheduler, 1, Overflow.SUSPEND);
        hub.close(new IllegalStateException("failed"));
        return hub.asPublisher();
      });
    }

    @AfterClass
    public void stop() {
      host.stop();
    }
  }

  /// A subscriber that feeds a channel.
  public static final class OfASubscriber extends FlowSubscriberBlackboxVerification<Integer> {

    private final Host host = new Host();

    public OfASubscriber() {
      super(new Environment());
    }

    @Override
    public Flow.Subscriber<Integer> createFlowSubscriber() {
      return host.call(() -> {
        var subscriber = new ChannelSubscriber<Integer>(host.scheduler, 4);
        host.scheduler.spawn(() -> {
          try {
            while (true) {
              var _ = subscriber.receiver().receive();
            }
          } catch (ClosedException _) {
            // The publisher has ended.
          }
        });
        return subscriber;
      });
    }

    @Override
    public Integer createElement(int element) {
      return element;
    }

    @AfterClass
    public void stop() {
      host.stop();
    }
  }

  /// @param atLeast how many rules the kit can check
  @ParameterizedTest
  @CsvSource({"OfAChannel, 25", "OfABroadcast, 25", "OfASubscriber, 9"})
  void theRulesOfReactiveStreams(String suite, int atLeast) throws ClassNotFoundException {
    var seen = new TestListenerAdapter();
    var kit = new TestNG(false);
    kit.setVerbose(0);
    kit.setTestClasses(new Class<?>[] {Class.forName(FlowRulesTest.class.getName() + "$" + suite)});
    kit.addListener(seen);
    kit.run();
    List<String> broken =
        Stream.of(seen.getFailedTests(), seen.getConfigurationFailures())
            .flatMap(List::stream)
            .map(FlowRulesTest::describe)
            .toList();
    assertEquals(List.of(), broken);
    int kept = seen.getPassedTests().size();
    assertTrue(
        kept >= atLeast,
        () ->
            kept
                + " passed; skipped: "
                + seen.getSkippedTests().stream().map(ITestResult::getName).toList());
  }

  private static String describe(ITestResult result) {
    return result.getName() + ": " + result.getThrowable();
  }
}
