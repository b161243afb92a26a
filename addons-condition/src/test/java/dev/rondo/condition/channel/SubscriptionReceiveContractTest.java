package dev.rondo.condition.channel;

/// Receiving what was broadcast.
final class SubscriptionReceiveContractTest extends ChannelReceiveContract {

  @Override
  void open() {
    Broadcast<Integer> broadcast = new Broadcast<>(scheduler, 2, Overflow.SUSPEND);
    open(broadcast, broadcast.subscribe());
  }
}
