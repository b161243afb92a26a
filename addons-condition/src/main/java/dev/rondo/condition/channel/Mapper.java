package dev.rondo.condition.channel;

/// A function in a pipeline, which may throw checked exceptions.
///
/// @param <A> the elements that come in
/// @param <B> the elements that go out
@FunctionalInterface
public interface Mapper<A, B> {

  /// Applies the function, in a task of its stage. May suspend at any depth.
  ///
  /// @param element the element that came in
  /// @return the element that goes out; not null
  /// @throws Exception the stage fails with it, see [Receiver]
  B map(A element) throws Exception;
}
