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
  @ArchTest static final ArchRule POLICIES_DEPEND_ON_ERRORS_ONLY =
      classes()
          .that()
          .areAssignableTo(Policy.class)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("io.rns.pool", "io.rns.error", "java.lang..", "java.util..", "org.jspecify..");

  @ArchTest static final ArchRule POOLS_DEPEND_ON_PATHS_AND_REFERENCES =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("io.rns.pool", "io.rns.error", "io.rns.api", "java.lang..", "java.nio..", "java.util..",
              "org.jspecify..");

  @ArchTest static final ArchRule NO_OWN_CLOCK_OR_RANDOMNESS =
      noClasses()
          .should()
          .callMethodWhere(target(nameMatching("getenv|getProperty|now|currentTimeMillis|nanoTime|systemUTC")))
          .orShould()
          .dependOnClassesThat()
          .haveNameMatching("java\\.util\\.(Random|SplittableRandom|concurrent\\.ThreadLocalRandom)");

  /** All state is in the standing. */
  @ArchTest static final ArchRule POLICIES_ARE_STATELESS =
      fields().that().areDeclaredInClassesThat().areAssignableTo(Policy.class).should().beStatic().andShould()
          .beFinal();

  @ArchTest static final ArchRule ALL_VALUES_ARE_IMMUTABLE = fields().should().beFinal();

  @ArchTest static final ArchRule RULES_ARE_HIDDEN_BEHIND_THEIR_TYPE =
      classes().that().areAssignableTo(Policy.class).and().areNotInterfaces().should().bePackagePrivate();
}
