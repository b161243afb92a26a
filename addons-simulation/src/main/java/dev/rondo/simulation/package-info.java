/// A network of hosts in one process: channels and selectors for programs, unchanged, under virtual
/// time.
///
/// What the comments leave out is in the package `dev.rondo.scheduler`.
package dev.rondo.simulation;
