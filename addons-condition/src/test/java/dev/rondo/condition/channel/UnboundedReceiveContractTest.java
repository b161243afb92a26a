package dev.rondo.condition.channel;

/// Receiving from an unbounded buffer.
final class UnboundedReceiveContractTest extends ChannelReceiveContract {

  @Override
  void open() {
    Channel<Integer> channel = Channel.unbounded(scheduler);
    open(channel, channel);
  }
}
