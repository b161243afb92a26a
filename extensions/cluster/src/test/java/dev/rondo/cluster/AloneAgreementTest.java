package dev.rondo.cluster;

import java.util.stream.IntStream;

/// A node that is alone agrees with itself.
final class AloneAgreementTest extends AloneRig implements AgreementContract {

  @Override
  public void inAllParts(Code code) {
    runOn(
        scheduler,
        () -> {
          var parts =
              IntStream.range(0, PARTS)
                  .mapToObj(i -> new Part(i, i == 0, scheduler, cluster))
                  .map(part -> scheduler.spawn("part " + part.index(), () -> part.run(code)))
                  .toList();
          parts.forEach(each -> each.join());
          return null;
        });
  }
}
