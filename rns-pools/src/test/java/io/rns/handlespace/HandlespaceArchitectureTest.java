package io.rns.handlespace;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.rns.handlespace", importOptions = DoNotIncludeTests.class)
class HandlespaceArchitectureTest {
  /** No I/O and no threads. */
  @ArchTest static final ArchRule THE_HANDLESPACE_NEEDS_VALUES_AND_POLICIES =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "io.rns.handlespace",
              "io.rns.api",
              "io.rns.error",
              "io.rns.pool",
              "java.lang",
              "java.lang.annotation",
              "java.lang.invoke",
              "java.lang.runtime",
              "java.nio.charset",
              "java.util",
              "java.util.function",
              "java.util.random",
              "java.util.stream",
              "org.jspecify..");

  @ArchTest static final ArchRule NEITHER_CLOCK_NOR_CHANCE_OF_ITS_OWN =
      noClasses()
          .should()
          .callMethodWhere(target(nameMatching("getenv|getProperty|now|currentTimeMillis|nanoTime|systemUTC")))
          .orShould()
          .dependOnClassesThat()
          .haveNameMatching("java\\.util\\.(Random|SplittableRandom|concurrent\\.ThreadLocalRandom)");

  @ArchTest static final ArchRule STATIC_STATE_NEVER_CHANGES = fields().that().areStatic().should().beFinal();

  @ArchTest static final ArchRule VALUES_NEVER_CHANGE =
      fields().that().areDeclaredInClassesThat().areRecords().should().beFinal();
}
