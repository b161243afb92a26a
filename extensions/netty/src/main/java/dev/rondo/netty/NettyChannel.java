package dev.rondo.netty;

import dev.rondo.io.ChannelClosedException;
import dev.rondo.netty.internal.ChannelControl;
import dev.rondo.scheduler.Waitable;
import io.netty.channel.Channel;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A Netty channel as a source and a sink of messages for tasks. The pipeline decides what a
/// message is: a `ByteBuf` of bytes without handlers, otherwise the objects of its decoders and
/// encoders.
///
/// **Receiving is back-pressure.** Netty reads from the channel only while a task waits to receive
/// and no message is here. A peer that sends faster than tasks receive fills the system's buffers
/// and waits. Messages that one read has decoded stay here until tasks receive them.
///
/// **Reference counts.** The task that receives a message releases it. A message that was not
/// received when the channel is closed is released here. `send` releases its message, whether it
/// succeeds or not.
///
/// **A socket**, and no [dev.rondo.scheduler.SendChannel]: failures are [IOException]s, `close`
/// ends both directions at once, and a message that was not sent no longer belongs to the sender.
///
/// Messages are received and sent whole, by any number of tasks, each first come, first served. A
/// wait that is cancelled, times out or loses a select has received nothing: the message is the
/// next receiver's.
///
/// Confined to the scheduler's thread. Made by [WaitForNetty].
public sealed interface NettyChannel extends AutoCloseable permits ChannelControl {

  /// Receives a message. A *possible* suspension point.
  ///
  /// @return the message, which the caller releases if it is reference-counted; null at the end:
  ///   the peer has closed the channel, or its direction
  /// @throws ChannelClosedException if this side has closed the channel
  /// @throws dev.rondo.io.ConnectionResetException if the peer broke the connection
  /// @throws IOException if reading failed otherwise
  /// @throws RuntimeException the failure of a handler; the channel is closed
  @Nullable Object receive() throws IOException;

  /// Receives a message of a type. A *possible* suspension point.
  ///
  /// @param <M> the type
  /// @param type of every message that the pipeline makes
  /// @return as [#receive()]
  /// @throws ClassCastException if it is of another type; it was released
  /// @throws IOException as [#receive()] does
  default <M> @Nullable M receive(Class<M> type) throws IOException {
    Objects.requireNonNull(type, "type is null");
    Object message = receive();
    if (message == null || type.isInstance(message)) {
      return type.cast(message);
    }
    String found = message.getClass().getName();
    ReferenceCountUtil.release(message);
    throw new ClassCastException(
        "%s received a %s; required=%s".formatted(this, found, type.getName()));
  }

  /// {@return a wait for a message, which results in what [#receive()] returns} To be awaited with
  /// a limit or as a branch of a choice. A branch that is not taken receives nothing.
  Waitable<@Nullable Object> receiving();

  /// Sends a message: waits until the channel takes it, and until the system has all of its bytes.
  /// A *possible* suspension point.
  ///
  /// @param message for the pipeline; released here, also on failure
  /// @throws ChannelClosedException if this side has closed the channel
  /// @throws dev.rondo.io.ConnectionResetException if the peer has closed the channel or broken the
  ///   connection, or if this side has closed the channel because of a failure, which is the cause
  /// @throws IOException if writing failed otherwise
  /// @throws RuntimeException the failure of a handler
  /// @throws dev.rondo.scheduler.TaskCancelled if the task, or a scope it is in, is cancelled; the
  ///   peer may receive all or part of the message nevertheless
  void send(Object message) throws IOException;

  /// Sends a message if the channel takes it now, and waits for nothing. Never a suspension point.
  ///
  /// @param message for the pipeline; released here, also if it is not sent
  /// @return false if the peer has not made room for earlier messages, or the channel is closed; if
  ///   the write fails later, a later call fails
  boolean trySend(Object message);

  /// Sends a message with the next [#flush()], or with the next message that is sent: waits until
  /// the channel takes it. A *possible* suspension point.
  ///
  /// @param message for the pipeline; released here, also on failure
  /// @throws IOException as [#send(Object)] does; if the write fails later, a later call fails
  void write(Object message) throws IOException;

  /// Sends the messages that were written before. Never a suspension point.
  void flush();

  /// {@return a wait until the channel takes another message without exceeding its high-water mark}
  Waitable<NettyChannel> sendable();

  /// Closes the channel. Waits on it fail at once with a [ChannelClosedException]; messages that no
  /// task has received are released; messages that were written and not sent are lost. Nothing
  /// happens if it is closed already. Never a suspension point.
  @Override
  void close();

  /// {@return the channel, for its options, attributes and pipeline} Handlers run on the
  /// scheduler's thread, outside of tasks, and must not suspend. `autoRead` is off and must stay
  /// so.
  Channel channel();
}
