/// Waiting for IO: [WaitForIO] is an ordinary task of a scheduler and its only blocking point, a
/// JDK selector. Tasks read and write [TcpSocket]s as if each were alone in the world.
///
/// Everything here is confined to the scheduler's thread.
@NullMarked
package dev.rondo.io;

import org.jspecify.annotations.NullMarked;
