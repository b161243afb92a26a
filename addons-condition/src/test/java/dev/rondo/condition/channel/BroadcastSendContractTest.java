package dev.rondo.condition.channel;

/// Sending to several buffers, one of them full.
final class BroadcastSendContractTest extends ChannelSendContract {

  @Override
  void open() {
    Broadcast<Integer> broadcast = new Broadcast<>(scheduler, PLENTY, Overflow.SUSPEND);
    Subscription<Integer> slow = broadcast.subscribe();
    make(broadcast, slow);
  }
}
