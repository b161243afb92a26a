package dev.rondo.cluster;

import static java.util.Objects.requireNonNull;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/// How messages of a type become bytes, and bytes messages. The program chooses it.
///
/// Java serialization is refused: what begins with the header of its streams is neither sent nor
/// decoded.
///
/// @param <T> the messages
public interface Codec<T> {

  /// {@return the bytes of a message} Nothing may change them afterwards: they are not copied, and
  /// are read until the message was received. Runs in the task that sends.
  ///
  /// @param message to be sent
  byte[] encode(T message);

  /// {@return the message} Runs on the scheduler's thread, outside of tasks: it must be quick, and
  /// must not suspend.
  ///
  /// @param bytes from another member, which are the codec's; what they are is not known
  /// @throws Exception if they are no message; the sender is informed, nothing else happens
  T decode(byte[] bytes) throws Exception;

  /// {@return the codec of texts in UTF-8}
  static Codec<String> utf8() {
    return new Codec<>() {
      @Override
      public byte[] encode(String message) {
        return requireNonNull(message, "message is null").getBytes(StandardCharsets.UTF_8);
      }

      @Override
      public String decode(byte[] bytes) throws CharacterCodingException {
        requireNonNull(bytes, "bytes is null");
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      }
    };
  }
}
