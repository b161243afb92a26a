package dev.rondo.computicle;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.testing.WaitableContract;

/// [Endpoint#sending] as a Waitable: the event is room for a message.
abstract class EndpointSendContract extends WaitableContract<Void> {

  /// More room than any test of the contract makes without using it.
  static final int PLENTY = 1_000;

  private final Endpoint<Integer> endpoint;

  EndpointSendContract(int capacity) {
    endpoint = new Endpoint<>("tested", capacity);
  }

  final Endpoint<Integer> endpoint() {
    return endpoint;
  }

  @Override
  protected final Waitable<Void> make() {
    while (endpoint.trySend(0)) {
      // until it is full
    }
    return endpoint.sending(1);
  }

  @Override
  protected final Kind kind() {
    return Kind.TAKEN;
  }

  @Override
  protected final int registered() {
    return endpoint.waitingSenderCount();
  }

  @Override
  protected final boolean isForAnyScheduler() {
    return true;
  }
}
