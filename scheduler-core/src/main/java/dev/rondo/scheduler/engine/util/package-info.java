/// Functions that the whole module uses, and that know nothing of the engine. Not exported.
@NullMarked
package dev.rondo.scheduler.engine.util;

import org.jspecify.annotations.NullMarked;
