/// What rewritten code calls. The loader of the JDK has these classes, so they use nothing else.
@NullMarked
package dev.rondo.simulation.threads.hook;

import org.jspecify.annotations.NullMarked;
