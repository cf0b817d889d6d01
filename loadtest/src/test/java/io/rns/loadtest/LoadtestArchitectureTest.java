package io.rns.loadtest;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.rns.api.EnvironmentRule;

@AnalyzeClasses(packages = "io.rns", importOptions = DoNotIncludeTests.class)
class LoadtestArchitectureTest {
  @ArchTest static final ArchRule THE_LOAD_MEETS_THE_SERVER_ON_THE_WIRE_ONLY =
      noClasses().that().resideInAPackage("io.rns.loadtest..").should().dependOnClassesThat()
          .resideInAPackage("io.rns.server..");

  @ArchTest static final ArchRule ONLY_ONE_PACKAGE_KNOWS_SQL =
      noClasses()
          .that()
          .resideInAPackage("io.rns.loadtest..")
          .and()
          .resideOutsideOfPackage("io.rns.loadtest.jdbc")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("java.sql..", "javax.sql..", "com.mysql..");

  @ArchTest static final ArchRule THE_YARDSTICK_WAR_NEEDS_NOTHING_OF_OURS =
      classes()
          .that()
          .resideInAPackage("io.rns.loadtest.yardstick")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("io.rns.loadtest.yardstick", "java..", "jakarta..", "org.jspecify..");

  @ArchTest static final ArchRule THE_SAMPLER_NEEDS_NOTHING_BUT_JMETER_AND_THE_CLIENT =
      classes()
          .that()
          .resideInAPackage("io.rns.loadtest.jmeter")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "io.rns.loadtest.jmeter", "io.rns.api", "io.rns.client", "io.rns.error", "java..", "org.apache.jmeter..",
              "org.jspecify..");

  @ArchTest static final ArchRule ONLY_THE_SAMPLER_KNOWS_JMETER =
      noClasses()
          .that()
          .resideInAPackage("io.rns.loadtest..")
          .and()
          .resideOutsideOfPackage("io.rns.loadtest.jmeter")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.jmeter..", "io.rns.loadtest.jmeter");

  @ArchTest static final ArchRule MEASURING_KNOWS_NOTHING_OF_WHAT_IS_MEASURED =
      noClasses()
          .that()
          .resideInAnyPackage("io.rns.loadtest.measure", "io.rns.loadtest.http")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.rns.api..", "io.rns.wire..", "io.rns.client..", "io.rns.loadtest",
              "io.rns.loadtest.cli");

  @ArchTest static final ArchRule HISTORIES_ARE_JUDGED_WITHOUT_INPUT_AND_OUTPUT =
      classes()
          .that()
          .resideInAPackage("io.rns.loadtest.history")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("io.rns.loadtest.history", "io.rns.api", "java.lang", "java.util..", "java.time",
              "org.jspecify..");

  @ArchTest static final ArchRule THE_ENVIRONMENT_IS_READ_IN_ONE_PLACE =
      EnvironmentRule.readOnlyBy("io.rns.loadtest", "LoadtestEnvironment");

  @ArchTest static final ArchRule PACKAGES_HAVE_NO_CYCLES =
      slices().matching("io.rns.loadtest.(**)").should().beFreeOfCycles();
}
