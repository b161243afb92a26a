package dev.rondo.condition.channel;

/// Receiving without a buffer.
final class RendezvousReceiveContractTest extends ChannelReceiveContract {

  @Override
  void open() {
    Channel<Integer> channel = Channel.rendezvous(scheduler);
    open(channel, channel);
  }
}
