/// Several schedulers in one process, each on a thread of its own: computicles, and the endpoints
/// that they exchange messages at.
package dev.rondo.computicle;
