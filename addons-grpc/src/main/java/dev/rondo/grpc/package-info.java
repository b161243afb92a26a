/// Calls of gRPC as tasks: [dev.rondo.grpc.GrpcCalls].
///
/// What the comments leave out is in the package `dev.rondo.scheduler`.
@NullMarked
package dev.rondo.grpc;

import org.jspecify.annotations.NullMarked;
