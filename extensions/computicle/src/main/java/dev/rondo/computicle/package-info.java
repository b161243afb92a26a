/// Several schedulers in one process, each on a thread of its own: computicles, and the endpoints
/// that they exchange messages at.
///
/// The package `dev.rondo.scheduler` states the conventions that hold for all methods.
package dev.rondo.computicle;
