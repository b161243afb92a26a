package dev.rondo.condition.channel;

/// Makes one element of a pipeline out of another.
///
/// @param <A> what it is given
/// @param <B> what it makes
@FunctionalInterface
public interface Mapper<A, B> {

  /// Does it.
  ///
  /// @param element what came in
  /// @return what goes out; not null
  /// @throws Exception the stage ends with it, see [Receiver]
  B map(A element) throws Exception;
}
