/// A network of hosts in one process: channels and selectors for programs, unchanged, under virtual
/// time.
package dev.rondo.simulation;
