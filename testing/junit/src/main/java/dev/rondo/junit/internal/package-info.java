/// What Rondo's other test modules give to tests.
@NullMarked
package dev.rondo.junit.internal;

import org.jspecify.annotations.NullMarked;
