package dev.rondo.condition.channel;

import dev.rondo.scheduler.ClosedException;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/// Tests beyond the test kit of Reactive Streams, see [FlowRulesTest]: the effect of publishers and
/// subscribers on the tasks at the other end, and on the scheduler.
abstract class FlowFixture extends SchedulerTest {

  /// Traces its calls; requests nothing by itself.
  class Watcher implements Flow.Subscriber<Object> {

    Flow.@Nullable Subscription subscription;
    @Nullable Throwable failure;

    @Override
    public void onSubscribe(Flow.Subscription given) {
      subscription = given;
      trace("begin");
    }

    @Override
    public void onNext(Object element) {
      trace(element);
    }

    @Override
    public void onError(Throwable thrown) {
      failure = thrown;
      trace("error");
    }

    @Override
    public void onComplete() {
      trace("end");
    }
  }

  final Watcher watcher = new Watcher();

  final void sendInATask(Sender<Object> to, int elements) {
    scheduler.spawn(() -> {
      try (to) {
        for (int i = 1; i <= elements; i++) {
          to.send(i);
          trace("+" + i);
        }
      } catch (ClosedException _) {
        trace("refused");
      }
    });
  }
}
