package dev.rondo.netty.internal;

import dev.rondo.netty.NettyChannel;
import dev.rondo.scheduler.Waitable;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A [NettyChannel] for the protocols of this library: it reads ahead, sends without waiting for
/// the system, and reports failures to a handler.
///
/// Confined to the scheduler's thread.
public non-sealed interface ChannelControl extends NettyChannel {

  /// {@return the same channel} Never a suspension point.
  static ChannelControl of(NettyChannel channel) {
    return (ChannelControl) channel;
  }

  /// Receives a message within a time. A *possible* suspension point.
  ///
  /// @param timeout at least zero
  /// @return as [#receive()]
  /// @throws dev.rondo.scheduler.TimedOutException if no message came in time; no message was taken
  /// @throws IOException as [#receive()] does
  @Nullable Object receive(Duration timeout) throws IOException;

  /// Receives a message if one is here. Never a suspension point.
  ///
  /// @return as [#receive()]; null if there is none now, or at the end
  @Nullable Object tryReceive();

  /// {@return a wait until [#tryReceive()] returns a message, or the messages have ended} It takes
  /// no message: for a step task, which may be cancelled before its next turn.
  Waitable<NettyChannel> receivable();

  /// Has Netty read ahead of the tasks that receive, while fewer messages than this number wait to
  /// be received. One read may decode more messages. Thus the end of the connection, or its
  /// failure, is noticed while no task receives. Never a suspension point.
  ///
  /// Without this call Netty begins to read when a task waits for the first time. From then on it
  /// reads one message ahead, if the channel stays open when the peer ends its direction, which is
  /// [io.netty.channel.ChannelOption#ALLOW_HALF_CLOSURE]; otherwise none.
  ///
  /// @param most at least zero; with zero Netty reads only while a task waits, which costs two
  ///   system calls more for each message on epoll
  /// @throws IllegalArgumentException if it is negative; nothing has changed
  void readAhead(int most);

  /// Sets an action for the failure of a read or of a handler. The channel is closed then. A task
  /// that receives or sends later fails in any case. Never a suspension point.
  ///
  /// @param action receives the failure; runs outside of tasks, and must not suspend
  void watchFailures(Consumer<? super Throwable> action);

  /// {@return the number of messages that wait to be received} Never a suspension point.
  int messageCount();

  /// {@return whether a task has received the end: a receive has returned null or failed} Never a
  /// suspension point.
  boolean isEndReceived();

  /// Sends a message within a time, as [#send(Object)]. A *possible* suspension point.
  ///
  /// @param message for the pipeline; released here, also on failure
  /// @param timeout at least zero
  /// @throws IllegalArgumentException if it is negative; the message is neither sent nor released
  /// @throws dev.rondo.scheduler.TimedOutException if the channel has not taken the message in
  ///   time, or the system has not taken all of its bytes; the peer may receive all or part of it
  ///   nevertheless
  /// @throws IOException as [#send(Object)] does
  void send(Object message, Duration timeout) throws IOException;

  /// Sends a message, and does not wait until the system has its bytes: waits only until the
  /// channel takes it. A *possible* suspension point.
  ///
  /// @param message for the pipeline; released here, also on failure
  /// @param timeout at least zero, for that wait
  /// @return the future of the write, which has not failed yet
  /// @throws dev.rondo.scheduler.TimedOutException if the channel has not taken it in time; nothing
  ///   is sent
  /// @throws IOException as [#send(Object)] does, if the write has failed already
  ChannelFuture sendSoon(Object message, Duration timeout) throws IOException;

  /// Writes a message and flushes it, at once or together with the messages of other tasks, whether
  /// or not the channel can take it. Never a suspension point.
  ///
  /// @param message for the pipeline; released here, also on failure
  /// @return the future of the write
  ChannelFuture sendNow(Object message);

  /// Waits until the system has the bytes of a message. A *possible* suspension point.
  ///
  /// @param done the future of its write
  /// @param timeout at least zero
  /// @throws dev.rondo.scheduler.TimedOutException if the system has not taken all of the bytes in
  ///   time; the peer may receive all or part of them nevertheless
  /// @throws IOException as [#send(Object)] does
  void awaitSent(ChannelFuture done, Duration timeout) throws IOException;

  /// Sends a message and flushes it, whether or not the channel can take it. Unlike a write to the
  /// Netty channel it keeps its place among all that tasks send and close, on each backend. Never a
  /// suspension point.
  ///
  /// @param message for the pipeline; released here, also on failure
  /// @return the future of the write
  ChannelFuture sendAtOnce(Object message);

  /// Flushes messages before Netty polls the next time, before a run ends, or before the channel is
  /// closed, instead of after each message. This takes fewer system calls if several tasks send on
  /// this channel, or on channels within the same channel such as HTTP/2 streams. The close of such
  /// an inner channel flushes nothing. A task that calls [#send(Object)] is suspended until then.
  /// On backends where tasks have threads of their own nothing changes. Never a suspension point.
  void gatherFlushes();

  /// Closes the channel, as [#close()], and lets the peer receive the last bytes, see
  /// [LingeringClose].
  ///
  /// @param connection the channel itself, or the one that it is a stream of
  /// @param linger how long the peer may take to end its direction
  void close(Channel connection, Duration linger);

  /// Closes an open channel without a word, also of TLS: the peer learns that this is no orderly
  /// end.
  void reset();

  /// {@return a wait until the channel is closed, by either side}
  Waitable<@Nullable Void> closed();

  /// {@return whether the channel is open} Never a suspension point.
  boolean isOpen();
}
