/// The channels, selectors and socket adaptors of a simulated host: what the JDK's implementation
/// is to a real kernel.
///
/// Everything here is confined to the thread that drives the network, except waking a selector.
package dev.rondo.simulation.internal.nio;
