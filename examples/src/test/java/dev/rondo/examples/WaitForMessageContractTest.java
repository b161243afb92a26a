package dev.rondo.examples;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.testing.WaitableContract;

/// [WaitForMessage] as a Waitable.
final class WaitForMessageContractTest extends WaitableContract<String> {

  private WaitForMessage messages;

  @Override
  protected Waitable<String> make() {
    messages = new WaitForMessage(scheduler);
    return messages;
  }

  @Override
  protected Kind kind() {
    return Kind.TAKEN; // a message is kept until a wait takes it
  }

  @Override
  protected String happen() {
    messages.deliver("hello");
    return "hello";
  }

  @Override
  protected int registered() {
    return UNKNOWN;
  }
}
