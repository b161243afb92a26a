/// IO for tasks: sockets, pipes and host names. A task reads and writes as if it were alone; only
/// that task is suspended while the operating system has nothing for it.
///
/// [WaitForIO] is the add-on: an ordinary task of the scheduler, and the one place where the loop
/// blocks. It makes [TcpSocket] and [TcpListener]; [UnixSocket], [UnixListener], [UdpSocket] and
/// [OsPipe] are opened with it. All streams of bytes are a [ByteSource] or a [ByteSink].
/// [WaitForName] resolves names. [BlockingInput] and [BlockingOutput] give tasks a stream that
/// blocks a thread. Files, processes, signals, terminals, TLS and DNS have packages of their own.
///
/// **Factories** take the scheduler, or the add-on, first. `X.on(scheduler)` is the only X of a
/// scheduler and is installed by the first call. `X.create(scheduler, ..)` makes an X. `X.open(io,
/// ..)` and `connect`, `listen` and `accept` make one that holds a descriptor, which its caller
/// closes.
///
/// **Absence.** A read returns null, or -1 for a count of bytes, at the end of its stream. A
/// property that may be absent is an `Optional`. A null limit means no limit.
///
/// [Transfer] and the constructor of [ChannelClosedException] are for authors of add-ons.
///
/// Everything here is confined to the scheduler's thread.
///
/// The package `dev.rondo.scheduler` states the conventions that hold for all methods.
@NullMarked
package dev.rondo.io;

import org.jspecify.annotations.NullMarked;
