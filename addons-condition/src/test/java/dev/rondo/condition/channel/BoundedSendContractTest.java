package dev.rondo.condition.channel;

/// Sending to a buffer that is full.
final class BoundedSendContractTest extends ChannelSendContract {

  @Override
  void open() {
    Channel<Integer> channel = Channel.bounded(scheduler, PLENTY);
    make(channel, channel);
  }
}
