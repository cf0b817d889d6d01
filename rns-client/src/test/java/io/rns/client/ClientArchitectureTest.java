package io.rns.client;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.stream.Stream;

@AnalyzeClasses(packages = "io.rns.client", importOptions = DoNotIncludeTests.class)
class ClientArchitectureTest {
  private static final String[] LIBRARY = {
      "io.rns.api", "io.rns.error", "io.rns.wire..", "io.rns.pool", "io.rns.referral", "io.rns.xml",
      "org.apache.hc.core5..", "org.jspecify..", "java..", "javax.net.."};

  @ArchTest static final ArchRule CALLS_NEED_THE_API_ONLY = onlyNeeds("io.rns.client.call");

  @ArchTest static final ArchRule HTTP_CARRIES_CALLS = onlyNeeds("io.rns.client.http", "io.rns.client.call");

  @ArchTest static final ArchRule MESSAGES_NEED_THE_API_ONLY = onlyNeeds("io.rns.client.message");

  @ArchTest static final ArchRule STANDARDS_ONLY_SERVERS_NEED_MESSAGES_HTTP_AND_THE_API =
      onlyNeeds("io.rns.client.plain", "io.rns.client.message", "io.rns.client.http", "io.rns.client.call");

  @ArchTest static final ArchRule THE_LIBRARY_NEEDS_THE_API_AND_HTTP_ONLY =
      onlyNeeds(
          "io.rns.client", "io.rns.client.plain", "io.rns.client.message", "io.rns.client.http", "io.rns.client.call",
          "io.rns.client.subtree");

  @ArchTest static final ArchRule SUBTREES_NEED_JSON_BESIDE =
      classes()
          .that()
          .resideInAPackage("io.rns.client.subtree")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "io.rns.client.subtree",
              "io.rns.client.http",
              "io.rns.client.call",
              "io.rns.api",
              "io.rns.error",
              "io.rns.wire",
              "com.fasterxml.jackson.core..",
              "org.jspecify..",
              "java..");

  @ArchTest static final ArchRule NO_CIRCLES = slices().matching("io.rns.client.(*)..").should().beFreeOfCycles();

  private static ArchRule onlyNeeds(String name, String... others) {
    String[] all =
        Stream.of(new String[]{name}, others, LIBRARY).flatMap(Stream::of).toArray(String[]::new);
    return classes().that().resideInAPackage(name).should().onlyDependOnClassesThat().resideInAnyPackage(all);
  }

  @ArchTest static final ArchRule WATCHING_NEEDS_JSON_BESIDE =
      classes()
          .that()
          .resideInAPackage("io.rns.client.watch")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "io.rns.client",
              "io.rns.client.watch",
              "io.rns.client.http",
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
          .resideInAnyPackage("io.rns.client.pool", "io.rns.client.call", "io.rns.api", "io.rns.error",
              "io.rns.network", "io.rns.pool",
              "com.netflix.concurrency.limits..",
              "org.jspecify..",
              "java..");

  @ArchTest static final ArchRule OPERATORS_NEED_SIGNATURES_ONLY =
      classes()
          .that()
          .resideInAPackage("io.rns.client.operator")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("io.rns.client.operator", "io.rns.client.http", "io.rns.operator", "io.rns.error",
              "org.jspecify..", "java..");

  @ArchTest static final ArchRule THE_HTTP_CLIENT_OF_JAVA_IS_NOT_USED =
      noClasses().should().dependOnClassesThat().resideInAPackage("java.net.http..");
}
