/// Several schedulers in one process, each on a thread of its own: computicles, the endpoints that
/// they exchange messages at, and pools of them.
package dev.rondo.computicle;
