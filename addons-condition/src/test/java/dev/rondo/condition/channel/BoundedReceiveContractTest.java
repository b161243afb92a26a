package dev.rondo.condition.channel;

/// Receiving from a buffer that is too small.
final class BoundedReceiveContractTest extends ChannelReceiveContract {

  @Override
  void open() {
    Channel<Integer> channel = Channel.bounded(scheduler, 2);
    open(channel, channel);
  }
}
