package dev.rondo.io;

import java.net.InetSocketAddress;

/// The description of a received datagram. Its bytes are in the receiver's buffer.
///
/// @param sender the address to answer
/// @param bytes the length of the datagram as sent, at least zero
/// @param truncated whether the buffer was too small for the datagram, so that the rest is lost
public record Datagram(InetSocketAddress sender, int bytes, boolean truncated) {}
