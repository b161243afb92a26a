package dev.rondo.examples;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.internal.rooms.LoopView;
import dev.rondo.scheduler.testing.WaitableContract;

/// How to check an add-on against the rules for waitables.
final class WaitForMessageContractTest extends WaitableContract<String> {

  private WaitForMessage messages;
  private int delivered;

  @Override
  protected Waitable<String> make() {
    messages = new WaitForMessage(scheduler);
    return messages;
  }

  @Override
  protected Kind kind() {
    return Kind.TAKEN;
  }

  @Override
  protected String happen() {
    String message = "message-" + ++delivered;
    messages.deliver(message);
    return message;
  }

  @Override
  protected int registered() {
    return (int) LoopView.of(scheduler).addOns().getFirst().figures().getFirst().value();
  }
}
