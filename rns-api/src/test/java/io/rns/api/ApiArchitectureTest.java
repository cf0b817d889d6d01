package io.rns.api;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The layers, bottom up: error, xml, api, pool and referral, wire. Each depends only on those below it and a few
 * libraries.
 */
@AnalyzeClasses(packages = {"io.rns.error", "io.rns.xml", "io.rns.api", "io.rns.access", "io.rns.operator",
    "io.rns.audit", "io.rns.file", "io.rns.network", "io.rns.referral",
    "io.rns.wire"}, importOptions = DoNotIncludeTests.class)
class ApiArchitectureTest {
  @ArchTest static final ArchRule ERRORS_DEPEND_ON_NOTHING = needs("io.rns.error");

  @ArchTest static final ArchRule XML_DEPENDS_ON_ERRORS_AND_THE_PARSER =
      needs("io.rns.xml", "io.rns.error", "java.io", "java.nio..", "javax.xml..", "com.ctc.wstx..",
          "org.codehaus.stax2..");

  @ArchTest static final ArchRule VALUES_DEPEND_ON_XML_AND_ERRORS =
      needs("io.rns.api", "io.rns.error", "io.rns.xml", "java.nio..", "java.time..", "com.google.re2j..");

  private static final String[] OF_MESSAGES = {
      "io.rns.wire", "io.rns.error", "io.rns.xml", "io.rns.api", "io.rns.pool", "io.rns.referral", "java.io",
      "java.nio.charset", "java.time..", "javax.xml.namespace"};

  @ArchTest static final ArchRule MESSAGES_DEPEND_ON_VALUES_XML_AND_ERRORS = needs("io.rns.wire", OF_MESSAGES);

  @ArchTest static final ArchRule RNS_MESSAGES_DEPEND_ON_THEIR_FRAME = needs("io.rns.wire.rns", OF_MESSAGES);

  @ArchTest static final ArchRule POOL_MESSAGES_DEPEND_ON_THEIR_FRAME = needs("io.rns.wire.pool", OF_MESSAGES);

  @ArchTest static final ArchRule OTHER_SPECIFICATIONS_REUSE_THE_ENTRIES_OF_RNS =
      needs("io.rns.wire.resource", concat(OF_MESSAGES, "io.rns.wire.rns"));

  @ArchTest static final ArchRule THE_TABLE_OF_OPERATIONS_DEPENDS_ON_ALL_CODECS =
      needs("io.rns.wire.operation",
          concat(OF_MESSAGES, "io.rns.wire.rns", "io.rns.wire.pool", "io.rns.wire.resource"));

  private static String[] concat(String[] some, String... others) {
    return Stream.concat(Stream.of(some), Stream.of(others)).toArray(String[]::new);
  }

  @ArchTest static final ArchRule THE_CHOICE_OF_SERVERS_DEPENDS_ON_VALUES_AND_ERRORS =
      needs("io.rns.referral", "io.rns.api", "io.rns.error");

  @ArchTest static final ArchRule ACCESS_LOGS_ARE_TEXT = needs("io.rns.access", "java.time..");

  @ArchTest static final ArchRule NETWORKS_ARE_ADDRESSES =
      needs("io.rns.network", "io.rns.error", "java.io", "java.net");

  @ArchTest static final ArchRule PRIVATE_FILES_DEPEND_ON_THE_PLATFORM_ONLY =
      needs("io.rns.file", "java.io", "java.nio..", "java.time..");

  @ArchTest static final ArchRule SIGNATURES_DEPEND_ON_THE_PLATFORM_ONLY =
      needs("io.rns.operator", "java.nio.charset", "java.security..", "javax.crypto..");

  @ArchTest static final ArchRule AUDIT_LOGS_ARE_FILES_WITH_SIGNATURES =
      needs("io.rns.audit", "io.rns.error", "io.rns.operator", "java.io", "java.nio..", "java.security..",
          "javax.crypto..");

  private static ArchRule needs(String name, String... others) {
    String[] all = Stream.concat(Stream.of(name, "java.lang..", "java.util..", "org.jspecify.."), Stream.of(others))
        .toArray(String[]::new);
    return classes().that().resideInAPackage(name).should().onlyDependOnClassesThat().resideInAnyPackage(all);
  }

  /** A random request id begins with its creation time. */
  @ArchTest static final ArchRule NO_CODE_READS_SETTINGS_OR_THE_CLOCK =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName("io.rns.api.RequestId")
          .should()
          .callMethodWhere(target(
              nameMatching("getenv|getProperty|getInteger|getBoolean|now|currentTimeMillis|nanoTime|systemUTC")));

  @ArchTest static final ArchRule STATIC_FIELDS_ARE_FINAL = fields().that().areStatic().should().beFinal();

  @ArchTest
  static void packagesAreDocumented(JavaClasses classes) throws IOException {
    Set<String> open =
        classes.stream()
            .filter(c -> c.getModifiers().contains(JavaModifier.PUBLIC))
            .map(JavaClass::getPackageName)
            .collect(Collectors.toSet());
    assertThat(open).isNotEmpty();
    for (String name : open) {
      Path source = Path.of("src/main/java", name.replace('.', '/'), "package-info.java");
      assertThat(source).as("documentation of package %s", name).exists();
      assertThat(Files.readString(source)).as("documentation of package %s", name).startsWith("/**")
          .contains("Entry class").containsPattern("thread|immutable");
    }
  }
}
