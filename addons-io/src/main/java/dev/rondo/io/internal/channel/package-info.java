/// The machinery of the IO add-on: which channels are ready ([ChannelSelector]), how the loop
/// blocks until one is ([SelectorIdleStrategy]), which waits advance ([Reactor],
/// [ChannelRegistration], [ChannelWait]), and the operations that wait: connecting, accepting,
/// reading, writing, receiving and sending. Not exported.
///
/// ```
/// socket -> StreamReader, StreamWriter, ... -> ChannelRegistration -> Reactor -> ChannelSelector
///           (an operation as a ChannelWait)    (its waits)            (turns)    (epoll, NIO)
/// ```
///
/// A public type is used by a socket of the exported package. Nothing here uses that package.
@NullMarked
package dev.rondo.io.internal.channel;

import org.jspecify.annotations.NullMarked;
