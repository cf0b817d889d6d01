package io.rns.registrar;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.rns.registrar", importOptions = DoNotIncludeTests.class)
class RegistrarArchitectureTest {
  /** No network and no threads; java.io only for byte arrays. */
  @ArchTest static final ArchRule THE_REGISTRAR_NEEDS_MESSAGES_AND_THE_HANDLESPACE =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "io.rns.registrar",
              "io.rns.rserpool",
              "io.rns.handlespace",
              "io.rns.pool",
              "io.rns.api",
              "io.rns.error",
              "java.io",
              "java.lang",
              "java.lang.annotation",
              "java.lang.invoke",
              "java.lang.runtime",
              "java.nio",
              "java.nio.charset",
              "java.util",
              "java.util.function",
              "java.util.random",
              "java.util.regex",
              "java.util.stream",
              "org.jspecify..");

  @ArchTest static final ArchRule NEITHER_CLOCK_NOR_CHANCE_OF_ITS_OWN =
      noClasses()
          .should()
          .callMethodWhere(target(nameMatching("getenv|getProperty|now|currentTimeMillis|nanoTime|systemUTC")));

  @ArchTest static final ArchRule STATIC_STATE_NEVER_CHANGES = fields().that().areStatic().should().beFinal();
}
