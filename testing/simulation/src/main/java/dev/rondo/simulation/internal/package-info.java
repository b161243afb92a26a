/// Types that the parts of the simulation share.
package dev.rondo.simulation.internal;
