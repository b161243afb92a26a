/// Sockets by Linux's own calls: `epoll`, `recv` and `send` through the foreign function interface,
/// which take less CPU time than the JDK's selector. Not exported.
@NullMarked
package dev.rondo.io.internal.linux;

import org.jspecify.annotations.NullMarked;
