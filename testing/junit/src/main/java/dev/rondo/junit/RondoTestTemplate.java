package dev.rondo.junit;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.platform.commons.support.AnnotationSupport;

/// Makes the runs of a [RondoTest].
final class RondoTestTemplate implements TestTemplateInvocationContextProvider {

  /// For JUnit.
  RondoTestTemplate() {}

  private record Run(Plan plan) implements TestTemplateInvocationContext {

    @Override
    public String getDisplayName(int index) {
      return plan.name();
    }

    @Override
    public List<Extension> getAdditionalExtensions() {
      return List.of(plan.isSearch() ? new SearchRun(plan) : new TestRun(plan));
    }
  }

  @Override
  public boolean supportsTestTemplate(ExtensionContext context) {
    return AnnotationSupport.isAnnotated(context.getTestMethod(), RondoTest.class);
  }

  @Override
  public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(
      ExtensionContext context) {
    RondoTest test =
        AnnotationSupport.findAnnotation(context.getTestMethod(), RondoTest.class).orElseThrow();
    return new Plans(test, context).all(TestMethods.needJUnit(context)).map(Run::new);
  }
}
