/// Whether operations that overlapped can be put into one order. Knows neither histories nor
/// models: operations are numbers.
///
/// Everything here is confined to the thread that searches.
package dev.rondo.simulation.internal.linear;
