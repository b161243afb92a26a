/// A network of hosts in one process: channels and selectors for programs, unchanged, under virtual
/// time.
///
/// The package `dev.rondo.scheduler` states the conventions that hold for all methods.
package dev.rondo.simulation;
