package io.rns.rserpool;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.rns.rserpool", importOptions = DoNotIncludeTests.class)
class RserpoolArchitectureTest {
  /** Values and bytes only: no I/O, no clock, no name resolution. */
  @ArchTest static final ArchRule MESSAGES_NEED_VALUES =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "io.rns.rserpool",
              "io.rns.error",
              "io.rns.pool",
              "java.lang",
              "java.lang.annotation",
              "java.lang.invoke",
              "java.lang.runtime",
              "java.nio",
              "java.nio.charset",
              "java.util",
              "java.util.function",
              "org.jspecify..");

  @ArchTest static final ArchRule STATIC_STATE_NEVER_CHANGES = fields().that().areStatic().should().beFinal();
}
