package dev.rondo.http.server;

import java.time.InstantSource;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What a server was built with.
///
/// @param routes which handler answers which request
/// @param limits what clients may demand
/// @param clock the time of day
/// @param accessLog receives each request; null for none
/// @param compression of responses; null for none
/// @param origins of which pages a browser may open a WebSocket
/// @param errors what is answered instead of a handler
record HttpSetup(
    Routes routes,
    HttpLimits limits,
    InstantSource clock,
    @Nullable Consumer<HttpAccess> accessLog,
    @Nullable HttpCompression compression,
    WebSocketOrigins origins,
    HttpErrors errors) {}
