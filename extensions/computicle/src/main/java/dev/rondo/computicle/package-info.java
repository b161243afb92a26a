/// Several schedulers in one process, each on its own thread: computicles, and the endpoints at
/// which they exchange messages.
///
/// The package `dev.rondo.scheduler` states the conventions that hold for all methods.
package dev.rondo.computicle;
