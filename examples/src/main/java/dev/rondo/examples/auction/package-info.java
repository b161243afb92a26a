/// The auction of the demo: its server and its bidders.
@NullMarked
package dev.rondo.examples.auction;

import org.jspecify.annotations.NullMarked;
