package dev.rondo.computicle;

import dev.rondo.scheduler.addon.StepResult;

/// Sending without a buffer: the event is a receiver, which waits without a limit.
final class RendezvousSendContractTest extends EndpointSendContract {

  RendezvousSendContractTest() {
    super(0);
  }

  @Override
  protected Void happen() {
    var receiver = scheduler.host().newStepTask("receiver", self -> StepResult.DONE).daemon();
    scheduler.queue().scheduleOn(receiver, endpoint().receiving());
    return null;
  }
}
