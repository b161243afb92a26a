package dev.rondo.simulation.threads.internal;

import static dev.rondo.simulation.threads.internal.HookMethod.chance;
import static dev.rondo.simulation.threads.internal.MethodPatch.afterCall;
import static dev.rondo.simulation.threads.internal.MethodPatch.afterRead;
import static dev.rondo.simulation.threads.internal.MethodPatch.anyMethod;
import static dev.rondo.simulation.threads.internal.MethodPatch.insteadOfRead;
import static dev.rondo.simulation.threads.internal.MethodPatch.patch;
import static dev.rondo.simulation.threads.internal.MethodPatch.result;
import static dev.rondo.simulation.threads.internal.MethodPatch.returnIf;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_byte;

import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.util.List;

/// The methods of the JDK about random numbers, and about orders that differ in each JVM.
final class ChancePatches {

  private static final ClassDesc SEEDS = ClassDesc.of("java.util.concurrent.atomic.AtomicLong");

  private static final ClassDesc PROBES = ClassDesc.of("java.util.concurrent.atomic.AtomicInteger");
  private static final ClassDesc THREAD = ClassDesc.of("java.lang.Thread");
  private static final ClassDesc BYTES = CD_byte.arrayType();
  private static final String THREADS = "java.util.concurrent.ThreadLocalRandom";
  private static final String SETS = "java.util.ImmutableCollections$";

  static final List<MethodPatch> ALL =
      List.of(
          patch(
              "java.security.SecureRandom",
              "nextBytes",
              returnIf(1, chance("randomBytes", CD_boolean, BYTES))),
          patch(
              "java.security.SecureRandom",
              "generateSeed",
              result(chance("seedBytes", BYTES, BYTES))),
          anyMethod(
              "java.util.Random",
              afterRead("seedUniquifier", chance("seedsOfRandom", SEEDS, SEEDS))),
          anyMethod(THREADS, afterCall("currentCarrierThread", chance("carrier", THREAD, THREAD))),
          anyMethod(THREADS, afterRead("seeder", chance("seedsOfThreads", SEEDS, SEEDS))),
          anyMethod(THREADS, afterRead("probeGenerator", chance("probes", PROBES, PROBES))),
          anyMethod(
              "java.util.SplittableRandom",
              afterRead("defaultGen", chance("seedsOfSplittable", SEEDS, SEEDS))),
          ofGenerator("L128X1024MixRandom", "defaultGen"),
          ofGenerator("L128X128MixRandom", "defaultGen"),
          ofGenerator("L128X256MixRandom", "defaultGen"),
          ofGenerator("L32X64MixRandom", "defaultGen"),
          ofGenerator("L64X1024MixRandom", "defaultGen"),
          ofGenerator("L64X128MixRandom", "defaultGen"),
          ofGenerator("L64X128StarStarRandom", "defaultGen"),
          ofGenerator("L64X256MixRandom", "defaultGen"),
          ofGenerator("Xoroshiro128PlusPlus", "defaultGen"),
          ofGenerator("Xoshiro256PlusPlus", "DEFAULT_GEN"),
          // The order of sets and maps that are immutable, which is another one in each JVM.
          anyMethod(SETS + "Set12", insteadOfRead("REVERSE", CodeBuilder::iconst_0)),
          anyMethod(SETS + "Set12$1", insteadOfRead("REVERSE", CodeBuilder::iconst_0)),
          anyMethod(SETS + "SetN$SetNIterator", insteadOfRead("REVERSE", CodeBuilder::iconst_0)),
          anyMethod(SETS + "SetN$SetNIterator", insteadOfRead("SALT32L", CodeBuilder::lconst_0)),
          anyMethod(SETS + "MapN$MapNIterator", insteadOfRead("REVERSE", CodeBuilder::iconst_0)),
          anyMethod(SETS + "MapN$MapNIterator", insteadOfRead("SALT32L", CodeBuilder::lconst_0)));

  private ChancePatches() {}

  /// A generator of `RandomGenerator.of(..)`.
  ///
  /// @param field where it draws its seeds from
  private static MethodPatch ofGenerator(String type, String field) {
    return anyMethod(
        "jdk.internal.random." + type, afterRead(field, chance("seeds", SEEDS, SEEDS)));
  }
}
