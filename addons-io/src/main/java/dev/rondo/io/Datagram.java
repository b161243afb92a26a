package dev.rondo.io;

import java.net.InetSocketAddress;

/// What is known of a datagram that was received. Its bytes are in the receiver's buffer.
///
/// @param sender where it came from, to be answered
/// @param bytes how long it was on its way, at least zero
/// @param truncated whether the buffer was too small for it, and the rest of it is lost
public record Datagram(InetSocketAddress sender, int bytes, boolean truncated) {}
