package io.rns.pool;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.rns.pool", importOptions = DoNotIncludeTests.class)
class PoolArchitectureTest {
  @ArchTest static final ArchRule POLICIES_NEED_ERRORS_ONLY =
      classes()
          .that()
          .areAssignableTo(Policy.class)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("io.rns.pool", "io.rns.error", "java.lang..", "java.util..", "org.jspecify..");

  @ArchTest static final ArchRule POOLS_NEED_PATHS_AND_REFERENCES =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("io.rns.pool", "io.rns.error", "io.rns.api", "java.lang..", "java.nio..", "java.util..",
              "org.jspecify..");

  @ArchTest static final ArchRule NEITHER_CLOCK_NOR_CHANCE_OF_THEIR_OWN =
      noClasses()
          .should()
          .callMethodWhere(target(nameMatching("getenv|getProperty|now|currentTimeMillis|nanoTime|systemUTC")))
          .orShould()
          .dependOnClassesThat()
          .haveNameMatching("java\\.util\\.(Random|SplittableRandom|concurrent\\.ThreadLocalRandom)");

  /** What is remembered is in the standing. */
  @ArchTest static final ArchRule POLICIES_REMEMBER_NOTHING =
      fields().that().areDeclaredInClassesThat().areAssignableTo(Policy.class).should().beStatic().andShould()
          .beFinal();

  @ArchTest static final ArchRule NOTHING_CHANGES = fields().should().beFinal();

  @ArchTest static final ArchRule RULES_ARE_BEHIND_THEIR_TYPE =
      classes().that().areAssignableTo(Policy.class).and().areNotInterfaces().should().bePackagePrivate();
}
