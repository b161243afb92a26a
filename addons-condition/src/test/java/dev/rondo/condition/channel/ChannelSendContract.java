package dev.rondo.condition.channel;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.testing.WaitableContract;

/// [Channel#sending] as a Waitable: the event is room for an element.
abstract class ChannelSendContract extends WaitableContract<Void> {

  /// More room than any test of the contract makes without using it.
  static final int PLENTY = 1_000;

  private Sender<Integer> sender;
  private Receiver<Integer> receiver;

  /// Makes the two sides of a channel whose buffer holds [#PLENTY].
  abstract void open();

  void make(Sender<Integer> in, Receiver<Integer> out) {
    sender = in;
    receiver = out;
  }

  @Override
  protected Waitable<Void> make() {
    open();
    while (sender.trySend(0)) {
      // until it is full
    }
    return sender.sending(1);
  }

  @Override
  protected Kind kind() {
    return Kind.TAKEN;
  }

  @Override
  protected Void happen() {
    receiver.tryReceive();
    return null;
  }

  @Override
  protected int registered() {
    return sender.waitingSenderCount();
  }
}
