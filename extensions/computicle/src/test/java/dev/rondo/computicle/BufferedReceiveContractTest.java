package dev.rondo.computicle;

/// Receiving from a buffer that is too small.
final class BufferedReceiveContractTest extends EndpointReceiveContract {

  BufferedReceiveContractTest() {
    super(2);
  }
}
