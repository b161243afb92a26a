package dev.rondo.computicle;

/// Receiving from senders that wait.
final class RendezvousReceiveContractTest extends EndpointReceiveContract {

  RendezvousReceiveContractTest() {
    super(0);
  }
}
