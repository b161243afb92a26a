package dev.rondo.condition.channel;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.testing.WaitableContract;

/// [Receiver#receiving()] as a Waitable: the event is an element that a task sends, waiting if
/// there is no room.
abstract class ChannelReceiveContract extends WaitableContract<Integer> {

  private Sender<Integer> sender;
  private Receiver<Integer> receiver;
  private int sent;

  /// Makes the two sides of a channel.
  abstract void open();

  final void open(Sender<Integer> in, Receiver<Integer> out) {
    sender = in;
    receiver = out;
  }

  @Override
  protected final Waitable<Integer> make() {
    open();
    return receiver.receiving();
  }

  @Override
  protected final Kind kind() {
    return Kind.TAKEN;
  }

  @Override
  protected final Integer happen() {
    sent++;
    var task = scheduler.host().newStepTask("sender", self -> StepResult.DONE).daemon();
    scheduler.queue().scheduleOn(task, sender.sending(sent));
    return sent;
  }

  @Override
  protected final int registered() {
    return Stage.channelOf(receiver).waitingReceiverCount();
  }
}
