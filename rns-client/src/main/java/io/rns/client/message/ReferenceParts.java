package io.rns.client.message;

import io.rns.api.EndpointReference;
import io.rns.wire.Namespaces;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an endpoint reference.
 *
 * @param parameters the reference parameters, each self-contained XML: headers of every message to the resource
 * @param identifier its endpoint identifier (EPI)
 * @param identifierResolvers whom to ask what reference an identifier has now
 * @param referenceResolvers whom to ask what reference this resource has now
 */
public record ReferenceParts(
    List<String> parameters,
    Optional<String> identifier,
    List<EndpointReference> identifierResolvers,
    List<EndpointReference> referenceResolvers) {
  /** Copies the lists. */
  public ReferenceParts {
    parameters = List.copyOf(parameters);
    identifierResolvers = List.copyOf(identifierResolvers);
    referenceResolvers = List.copyOf(referenceResolvers);
  }

  /** Reads them; WS-Naming in its published namespace and in that of its draft, equal ones once. */
  public static ReferenceParts of(EndpointReference reference) {
    List<String> parameters = new ArrayList<>(1);
    String[] identifier = new String[1];
    Set<EndpointReference> identifierResolvers = new LinkedHashSet<>();
    Set<EndpointReference> referenceResolvers = new LinkedHashSet<>();
    try (XmlPull pull = XmlPull.document(reference.xml())) {
      while (pull.nextChild()) {
        if (pull.is(Namespaces.WSA, "ReferenceParameters")) {
          while (pull.nextChild()) {
            parameters.add(pull.fragment());
          }
        } else if (pull.is(Namespaces.WSA, "Metadata")) {
          readMetadata(pull, identifier, identifierResolvers, referenceResolvers);
        } else {
          pull.skip();
        }
      }
    }
    @Nullable
    String told = identifier[0];
    return new ReferenceParts(
        parameters,
        Optional.ofNullable(told),
        new ArrayList<>(identifierResolvers),
        new ArrayList<>(referenceResolvers));
  }

  private static void readMetadata(
      XmlPull pull,
      String[] identifier,
      Set<EndpointReference> identifierResolvers,
      Set<EndpointReference> referenceResolvers) {
    while (pull.nextChild()) {
      String element = isNaming(pull.namespace()) ? pull.localName() : "";
      switch (element) {
        case "EndpointIdentifier" -> {
          String text = pull.text().trim();
          identifier[0] = identifier[0] == null ? text : identifier[0];
        }
        case "EndpointIdentifierResolver" -> identifierResolvers.add(EndpointReference.read(pull));
        case "ReferenceResolver" -> referenceResolvers.add(EndpointReference.read(pull));
        default -> pull.skip();
      }
    }
  }

  static boolean isNaming(String namespace) {
    return namespace.equals(Namespaces.NAMING) || namespace.equals(Namespaces.OLD_NAMING);
  }

  /** Appends the parameters as headers of a message to the resource. */
  void writeHeaders(XmlBuffer out) {
    for (String parameter : parameters) {
      int name = 1;
      while (" \t\r\n/>".indexOf(parameter.charAt(name)) < 0) {
        name++;
      }
      out.raw(parameter.substring(0, name));
      if (!parameter.contains("IsReferenceParameter")) {
        String prefix = "_a";
        while (parameter.contains(prefix)) {
          prefix += "a";
        }
        out.raw(" xmlns:" + prefix + "=\"" + Namespaces.WSA + "\" " + prefix + ":IsReferenceParameter=\"true\"");
      }
      out.raw(parameter.substring(name));
    }
  }
}
