/// The parts of WebSockets. No program uses them.
@NullMarked
package dev.rondo.http.websocket.internal;

import org.jspecify.annotations.NullMarked;
