/// What WebSockets are made of, and no program uses.
@NullMarked
package dev.rondo.http.websocket.internal;

import org.jspecify.annotations.NullMarked;
