/// Functions that the whole module uses, and that do not depend on the engine. Not exported.
@NullMarked
package dev.rondo.scheduler.engine.util;

import org.jspecify.annotations.NullMarked;
