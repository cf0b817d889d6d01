package io.rns.client;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.rns.client", importOptions = DoNotIncludeTests.class)
class ClientArchitectureTest {
  @ArchTest static final ArchRule THE_LIBRARY_NEEDS_THE_API_AND_HTTP_ONLY =
      classes()
          .that()
          .resideInAPackage("io.rns.client")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "io.rns.client",
              "io.rns.api",
              "io.rns.error",
              "io.rns.wire",
              "io.rns.pool",
              "io.rns.referral",
              "io.rns.xml",
              "org.apache.hc.core5..",
              "org.jspecify..",
              "java..",
              "javax.net..");

  @ArchTest static final ArchRule WATCHING_NEEDS_JSON_BESIDE =
      classes()
          .that()
          .resideInAPackage("io.rns.client.watch")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "io.rns.client",
              "io.rns.client.watch",
              "io.rns.api",
              "io.rns.error",
              "com.fasterxml.jackson.core..",
              "org.jspecify..",
              "java..");

  @ArchTest static final ArchRule POOLS_NEED_THEIR_CONTRACT_ONLY =
      classes()
          .that()
          .resideInAPackage("io.rns.client.pool")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("io.rns.client.pool", "io.rns.api", "io.rns.error", "io.rns.pool", "org.jspecify..",
              "java..");

  @ArchTest static final ArchRule OPERATORS_NEED_SIGNATURES_ONLY =
      classes()
          .that()
          .resideInAPackage("io.rns.client.operator")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("io.rns.client.operator", "io.rns.operator", "io.rns.error", "org.jspecify..", "java..");
}
