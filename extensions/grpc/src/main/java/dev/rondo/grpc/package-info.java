/// gRPC calls as tasks: [dev.rondo.grpc.GrpcCalls].
///
/// The package `dev.rondo.scheduler` states the conventions that hold for all methods.
@NullMarked
package dev.rondo.grpc;

import org.jspecify.annotations.NullMarked;
