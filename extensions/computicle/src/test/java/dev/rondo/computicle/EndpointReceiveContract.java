package dev.rondo.computicle;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.testing.WaitableContract;

/// [Endpoint#receiving()] as a Waitable: the event is a message that a task sends, waiting if there
/// is no room.
abstract class EndpointReceiveContract extends WaitableContract<Integer> {

  private final Endpoint<Integer> endpoint;
  private int sent;

  EndpointReceiveContract(int capacity) {
    endpoint = new Endpoint<>("tested", capacity);
  }

  @Override
  protected final Waitable<Integer> make() {
    return endpoint.receiving();
  }

  @Override
  protected final Kind kind() {
    return Kind.TAKEN;
  }

  @Override
  protected final Integer happen() {
    sent++;
    var task = scheduler.host().newStepTask("sender", self -> StepResult.DONE).daemon();
    scheduler.queue().scheduleOn(task, endpoint.sending(sent));
    return sent;
  }

  @Override
  protected final int registered() {
    return endpoint.waitingReceiverCount();
  }

  @Override
  protected final boolean isForAnyScheduler() {
    return true;
  }
}
