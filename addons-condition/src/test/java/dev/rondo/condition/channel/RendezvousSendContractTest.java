package dev.rondo.condition.channel;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.testing.WaitableContract;

/// Sending without a buffer: the event is a receiver.
final class RendezvousSendContractTest extends WaitableContract<Void> {

  private Channel<Integer> channel;

  @Override
  protected Waitable<Void> make() {
    channel = Channel.rendezvous(scheduler);
    return channel.sending(1);
  }

  @Override
  protected Kind kind() {
    return Kind.TAKEN;
  }

  /// A receiver that waits without a limit.
  @Override
  protected Void happen() {
    var receiver = scheduler.host().newStepTask("receiver", self -> StepResult.DONE).daemon();
    scheduler.queue().scheduleOn(receiver, channel.receiving());
    return null;
  }

  @Override
  protected int registered() {
    return channel.waitingSenderCount();
  }
}
