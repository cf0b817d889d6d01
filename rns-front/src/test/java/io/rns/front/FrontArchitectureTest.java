package io.rns.front;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.rns.front", importOptions = DoNotIncludeTests.class)
class FrontArchitectureTest {
  /** Messages are bytes and values, without channels. */
  @ArchTest static final ArchRule MESSAGES_NEED_BUFFERS_ONLY =
      classes()
          .that()
          .resideInAPackage("io.rns.front.message")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "io.rns.front.message", "io.rns.error", "io.netty.buffer", "java.io", "java.lang..", "java.nio",
              "java.nio.charset",
              "java.util", "java.util.regex", "org.jspecify..");

  /** A front knows the protocol and the selection of servers, nothing of their state. */
  @ArchTest static final ArchRule A_FRONT_NEEDS_LITTLE_OF_THE_SERVICE =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "io.rns.front..", "io.rns.api", "io.rns.client", "io.rns.client.http", "io.rns.client.operator",
              "io.rns.error", "io.rns.identity",
              "io.rns.referral",
              "io.rns.wire", "io.rns.xml", "io.netty..", "com.github.benmanes.caffeine.cache",
              "com.fasterxml.jackson..", "picocli", "java..",
              "javax.crypto..", "javax.net.ssl", "org.jspecify..");
}
