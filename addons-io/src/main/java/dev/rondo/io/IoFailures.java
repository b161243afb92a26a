package dev.rondo.io;

import dev.rondo.io.internal.channel.IoErrors;
import java.io.IOException;

/// Creates the exceptions of this package for the code that is not exported.
final class IoFailures extends IoErrors {

  static final IoFailures INSTANCE = new IoFailures();

  private IoFailures() {}

  @Override
  public ChannelClosedException closed(String message) {
    return new ChannelClosedException(message);
  }

  @Override
  protected ConnectionResetException reset(String message, IOException cause) {
    return new ConnectionResetException(message, cause);
  }

  @Override
  protected EndOfStreamException endOfStream(String message, int bytesRead) {
    return new EndOfStreamException(message, bytesRead);
  }

  @Override
  protected DelimiterNotFoundException delimiterNotFound(String message) {
    return new DelimiterNotFoundException(message);
  }

  @Override
  protected PartialWriteException partialWrite(
      String operation, long bytesWritten, long bytesLeft) {
    return new PartialWriteException(operation, bytesWritten, bytesLeft);
  }
}
