package io.rns.api;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.lang.ArchRule;

/** Environment variables and system properties are read in one place of a module. */
public final class EnvironmentRule {
  private EnvironmentRule() {}

  /**
   * Only one class reads them.
   *
   * @param module the package of a module, whose other classes and packages do not
   * @param reader the simple name of the class
   */
  public static ArchRule readOnlyBy(String module, String reader) {
    return noClasses()
        .that()
        .resideInAPackage(module + "..")
        .and()
        .doNotHaveSimpleName(reader)
        .should()
        .callMethodWhere(
            target(nameMatching("getenv|getProperty|getProperties")).and(target(owner(assignableTo(System.class)))));
  }
}
