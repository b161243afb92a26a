package dev.rondo.io.tls;

import dev.rondo.io.ChannelClosedException;
import dev.rondo.io.DelimiterNotFoundException;
import dev.rondo.io.EndOfStreamException;
import dev.rondo.io.PartialWriteException;
import dev.rondo.io.internal.channel.IoErrors;
import java.io.IOException;
import java.net.SocketException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLKeyException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLProtocolException;

/// Creates the exceptions that programs catch. The underlying channel finds out that a connection
/// is broken.
final class TlsFailures extends IoErrors {

  static final TlsFailures INSTANCE = new TlsFailures();

  private TlsFailures() {}

  /// {@return a failure of the protocol, of the same type, that says what was tried and on what}
  static SSLException of(String operation, SSLException e) {
    String message = operation + ": " + e.getMessage();
    SSLException translated =
        switch (e) {
          case SSLHandshakeException handshake -> new SSLHandshakeException(message);
          case SSLKeyException key -> new SSLKeyException(message);
          case SSLPeerUnverifiedException peer -> new SSLPeerUnverifiedException(message);
          case SSLProtocolException protocol -> new SSLProtocolException(message);
          default -> new SSLException(message);
        };
    translated.initCause(e);
    return translated;
  }

  @Override
  public ChannelClosedException closed(String message) {
    return new ChannelClosedException(message);
  }

  @Override
  protected SocketException reset(String message, IOException cause) {
    throw new AssertionError(message, cause);
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
