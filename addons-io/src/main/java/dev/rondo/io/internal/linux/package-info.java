/// Sockets by Linux's own calls: `epoll`, `recv` and `send` through the foreign function interface.
/// A selector of the JDK does the same with more around it. Not exported.
@NullMarked
package dev.rondo.io.internal.linux;

import org.jspecify.annotations.NullMarked;
