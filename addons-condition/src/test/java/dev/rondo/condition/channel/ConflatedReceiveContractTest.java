package dev.rondo.condition.channel;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.testing.WaitableContract;
import java.util.ArrayDeque;
import java.util.Deque;

/// Receiving the latest element. The next one is sent only after it was received, because it would
/// replace it.
final class ConflatedReceiveContractTest extends WaitableContract<Integer> {

  private final Deque<Integer> later = new ArrayDeque<>();
  private Channel<Integer> channel;
  private int sent;

  @Override
  protected Waitable<Integer> make() {
    channel = Channel.bounded(scheduler, 1, Overflow.DROP_OLDEST);
    return channel
        .receiving()
        .map(element -> {
          if (!later.isEmpty() && channel.size() == 0) { // another element may have come meanwhile
            channel.trySend(later.remove());
          }
          return element;
        });
  }

  @Override
  protected Kind kind() {
    return Kind.TAKEN;
  }

  @Override
  protected Integer happen() {
    sent++;
    if (channel.size() > 0) {
      later.add(sent);
    } else {
      channel.trySend(sent);
    }
    return sent;
  }

  @Override
  protected int registered() {
    return channel.waitingReceiverCount();
  }
}
