package io.rns.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.rns.api.EnvironmentRule;

@AnalyzeClasses(packages = "io.rns.server", importOptions = DoNotIncludeTests.class)
class ServerArchitectureTest {
  @ArchTest static final ArchRule ONLY_THE_STORE_KNOWS_SQL =
      noClasses()
          .that()
          .resideOutsideOfPackages("io.rns.server.store", "io.rns.server.namespace")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("java.sql", "javax.sql", "com.zaxxer..", "org.flywaydb..", "com.mysql..");

  /** The namespace passes connections of the store on to the store, and makes no statement. */
  @ArchTest static final ArchRule THE_NAMESPACE_MAKES_NO_STATEMENT =
      noClasses()
          .that()
          .resideInAPackage("io.rns.server.namespace")
          .should()
          .dependOnClassesThat()
          .haveNameMatching(
              "java\\.sql\\.(.*Statement|ResultSet|DriverManager)|javax\\.sql\\..*|com\\.zaxxer\\..*|org\\.flywaydb\\..*");

  @ArchTest static final ArchRule ONLY_SOAP_KNOWS_JAX_WS =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.rns.server.soap")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("jakarta.xml.ws..", "com.sun.xml.ws..");

  @ArchTest static final ArchRule HTTP_CALLS_ARE_THE_CLIENTS =
      noClasses().should().dependOnClassesThat().resideInAPackage("java.net.http..");

  @ArchTest static final ArchRule ONLY_QUERIES_KNOW_SAXON =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.rns.server.query")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("net.sf.saxon..");

  @ArchTest static final ArchRule THE_NAMESPACE_KNOWS_NEITHER_TRANSPORT_NOR_CONFIGURATION =
      noClasses()
          .that()
          .resideInAnyPackage("io.rns.server.namespace", "io.rns.server.store")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.rns.server", "io.rns.server.soap", "io.rns.wire..", "jakarta..");

  @ArchTest static final ArchRule SOAP_KNOWS_THE_CONTRACT_ONLY =
      noClasses()
          .that()
          .resideInAPackage("io.rns.server.soap")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.rns.server", "io.rns.server.namespace", "io.rns.server.store");

  @ArchTest static final ArchRule CONFIGURATION_IS_READ_IN_ONE_PLACE =
      EnvironmentRule.readOnlyBy("io.rns.server", "RnsContextListener");

  @ArchTest static final ArchRule PACKAGES_HAVE_NO_CYCLES =
      slices().matching("io.rns.server.(*)..").should().beFreeOfCycles();
}
