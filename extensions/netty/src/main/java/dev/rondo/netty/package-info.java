/// Netty on the loop of a scheduler: [WaitForNetty] drives Netty's event loop from the loop's own
/// sleep, so that channels and their handlers need no second thread. Tasks receive and send the
/// messages of a [NettyChannel] in straight-line code.
///
/// The package `dev.rondo.scheduler` states the conventions that hold for all methods.
@NullMarked
package dev.rondo.netty;

import org.jspecify.annotations.NullMarked;
