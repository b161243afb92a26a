/// WebSockets for servers and clients. Begin with [WebSocket].
///
/// The package `dev.rondo.scheduler` states the conventions that hold for all methods.
@NullMarked
package dev.rondo.http.websocket;

import org.jspecify.annotations.NullMarked;
