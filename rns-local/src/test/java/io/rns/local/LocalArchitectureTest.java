package io.rns.local;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.rns.api.EnvironmentRule;

@AnalyzeClasses(packages = "io.rns.local", importOptions = DoNotIncludeTests.class)
class LocalArchitectureTest {
  /** The service is a separate process here: only calls to the servers of a group are known. */
  @ArchTest static final ArchRule PROCESSES_NEED_LITTLE_OF_THE_SERVICE =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "io.rns.local",
              "io.rns.certificate",
              "io.rns.client",
              "io.rns.client.http",
              "io.rns.client.operator",
              "io.rns.error",
              "io.rns.identity",
              "io.rns.replication",
              "com.fasterxml.jackson..",
              "picocli",
              "java..",
              "javax.security.auth.x500",
              "org.bouncycastle..",
              "javax.xml..",
              "org.jspecify..",
              "org.w3c.dom..",
              "org.xml.sax..");

  @ArchTest static final ArchRule THE_ENVIRONMENT_IS_READ_IN_ONE_PLACE =
      EnvironmentRule.readOnlyBy("io.rns.local", "LocalEnvironment");

  @ArchTest static final ArchRule HTTP_IS_THE_CLIENTS =
      noClasses().should().dependOnClassesThat().resideInAPackage("java.net.http..");
}
