import org.jspecify.annotations.NullMarked;

/// gRPC calls as tasks.
@NullMarked
@SuppressWarnings({
  "requires-automatic",
  "requires-transitive-automatic"
}) // gRPC has no descriptors
module dev.rondo.grpc {
  requires transitive dev.rondo.netty;
  requires transitive dev.rondo.scheduler;
  requires transitive io.grpc;
  requires transitive io.grpc.netty;
  requires transitive io.grpc.stub;
  requires static org.jspecify;

  exports dev.rondo.grpc;
}
