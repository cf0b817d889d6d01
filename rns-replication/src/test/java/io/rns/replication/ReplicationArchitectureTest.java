package io.rns.replication;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.rns.replication", importOptions = DoNotIncludeTests.class)
class ReplicationArchitectureTest {
  private static final String MEMBERSHIP = "io.rns.replication.membership";

  /** Decisions on values: no I/O, no threads. */
  @ArchTest static final ArchRule MEMBERSHIP_RULES_NEED_VALUES =
      classes()
          .that()
          .resideInAPackage(MEMBERSHIP)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "io.rns.replication",
              MEMBERSHIP,
              "java.lang",
              "java.lang.annotation",
              "java.lang.invoke",
              "java.lang.runtime",
              "java.time",
              "java.util",
              "java.util.function",
              "java.util.stream",
              "org.jspecify..");

  @ArchTest static final ArchRule MEMBERSHIP_RULES_HAVE_NO_CLOCK =
      noClasses()
          .that()
          .resideInAPackage(MEMBERSHIP)
          .should()
          .callMethodWhere(target(nameMatching("now|currentTimeMillis|nanoTime|systemUTC")));

  /** Code that acts uses code that decides, never the reverse. */
  @ArchTest static final ArchRule ROUTING_KNOWS_NO_MEMBERSHIP_RULES =
      noClasses().that().resideInAPackage("io.rns.replication").should().dependOnClassesThat()
          .resideInAPackage(MEMBERSHIP);
}
