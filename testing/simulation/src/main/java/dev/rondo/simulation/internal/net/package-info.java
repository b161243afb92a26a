/// The kernels and the wires of a simulated network: hosts, ports, TCP, UDP, pipes, links, and the
/// events that connect them. Knows nothing of channels and selectors.
///
/// Everything here is confined to the thread that drives the network.
package dev.rondo.simulation.internal.net;
