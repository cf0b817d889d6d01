package io.rns.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.rns.api.EnvironmentRule;

@AnalyzeClasses(packages = "io.rns.cli", importOptions = DoNotIncludeTests.class)
class CliArchitectureTest {
  @ArchTest static final ArchRule THE_COMMAND_LINE_NEEDS_NO_MORE =
      classes()
          .that()
          .resideInAPackage("io.rns.cli")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "io.rns.cli",
              "io.rns.client..",
              "io.rns.api",
              "io.rns.error",
              "io.rns.file", "io.rns.network",
              "io.rns.wire..",
              "io.rns.pool",
              "io.rns.referral",
              "io.rns.audit",
              "io.rns.ticket",
              "io.rns.xml",
              "picocli..",
              "com.fasterxml.jackson.core..",
              "org.jspecify..",
              "java..",
              "javax.net.ssl");

  /** Loading the JSON writer costs time, which a command without --json saves. */
  @ArchTest static final ArchRule JSON_IS_WRITTEN_IN_FEW_PLACES =
      noClasses()
          .that()
          .doNotHaveSimpleName("JsonDocument")
          .and()
          .doNotHaveSimpleName("FlatJson")
          .should()
          .dependOnClassesThat()
          .haveNameMatching("com\\.fasterxml\\.jackson\\.core\\.(JsonFactory|JsonParser).*");

  /** A sign-in contacts a provider, no server. */
  @ArchTest static final ArchRule COMMANDS_ARE_OF_ONE_SHAPE =
      classes()
          .that()
          .resideInAPackage("io.rns.cli")
          .and()
          .haveSimpleNameEndingWith("Command")
          .and()
          .doNotHaveSimpleName("ServiceCommand")
          .and()
          .doNotHaveSimpleName("RnsCommand")
          .and()
          .doNotHaveSimpleName("CompletionCommand")
          .and()
          .doNotHaveSimpleName("LoginCommand")
          .and()
          .doNotHaveSimpleName("LogoutCommand")
          .should()
          .beAssignableTo("io.rns.cli.ServiceCommand");

  @ArchTest static final ArchRule THE_ENVIRONMENT_IS_READ_IN_ONE_PLACE =
      EnvironmentRule.readOnlyBy("io.rns.cli", "Terminal");
}
