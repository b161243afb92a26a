package dev.rondo.computicle;

/// Sending to a buffer that is full.
final class BufferedSendContractTest extends EndpointSendContract {

  BufferedSendContractTest() {
    super(PLENTY);
  }

  @Override
  protected Void happen() {
    endpoint().tryReceive();
    return null;
  }
}
