package dev.rondo.condition.channel;

/// Receiving the elements of a broadcast.
final class SubscriptionReceiveContractTest extends ChannelReceiveContract {

  @Override
  void open() {
    Broadcast<Integer> broadcast = new Broadcast<>(scheduler, 2, Overflow.SUSPEND);
    open(broadcast, broadcast.subscribe());
  }
}
