/// Parts of a world that know neither its program nor its tests.
package dev.rondo.simulation.internal.world;
