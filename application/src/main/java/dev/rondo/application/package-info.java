/// [Application]: a scheduler with the add-ons for time, conditions, signals and IO. [Rondo] has
/// its methods without an object.
@NullMarked
package dev.rondo.application;

import org.jspecify.annotations.NullMarked;
