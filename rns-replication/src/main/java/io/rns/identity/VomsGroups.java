package io.rns.identity;

import eu.emi.security.authn.x509.X509CertChainValidatorExt;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.italiangrid.voms.VOMSAttribute;
import org.italiangrid.voms.ac.VOMSValidationResult;
import org.italiangrid.voms.ac.impl.DefaultVOMSACParser;
import org.italiangrid.voms.ac.impl.DefaultVOMSValidationStrategy;
import org.italiangrid.voms.error.VOMSValidationErrorCode;
import org.italiangrid.voms.error.VOMSValidationErrorMessage;

/**
 * The groups and roles that VOMS servers attest in a proxy certificate. Attributes of organisations without a VOMS
 * server here mean nothing; those of others must be right in every respect.
 */
final class VomsGroups {
  private static final String METHOD = "voms:";
  private static final int MOST = 256;
  private static final String NULL_ROLE = "/Role=NULL";

  /** A group, perhaps with a role. Capabilities are no longer in use. */
  private static final Pattern FQAN =
      Pattern.compile("((?:/[A-Za-z0-9._-]+)+(?:/Role=[A-Za-z0-9._-]+)?)(?:/Capability=NULL)?");

  private static final int MOST_CHARACTERS = 256;

  private VomsGroups() {}

  /** What came of it. */
  sealed interface Outcome {
    /**
     * All that counts is right.
     *
     * @param until when the first of the attributes expires; {@link Instant#MAX} without any
     */
    record Attested(Set<String> groups, Instant until) implements Outcome {}

    /** Something is wrong. */
    record Wrong(String reason) implements Outcome {}
  }

  /** The groups in a valid chain. */
  static Outcome of(
      X509Certificate[] chain, VomsServers servers, X509CertChainValidatorExt authorities, Instant now) {
    DefaultVOMSValidationStrategy strategy = new DefaultVOMSValidationStrategy(servers, authorities);
    Set<String> groups = new HashSet<>();
    Instant until = Instant.MAX;
    for (VOMSAttribute attributes : new DefaultVOMSACParser().parse(chain)) {
      if (!servers.knows(attributes.getVO())) {
        continue;
      }
      Instant end = attributes.getNotAfter().toInstant();
      if (!now.isBefore(end)) {
        return new Outcome.Wrong("the VOMS attributes expired at " + end);
      }
      VOMSValidationResult result = strategy.validateAC(attributes, chain);
      if (!result.isValid()) {
        return new Outcome.Wrong("the VOMS attributes are not valid: " + reason(result));
      }
      for (String fqan : attributes.getFQANs()) {
        Matcher parts = FQAN.matcher(fqan);
        if (fqan.length() > MOST_CHARACTERS || !parts.matches()) {
          return new Outcome.Wrong("the VOMS attributes have a malformed group or role");
        }
        if (!isOf(attributes.getVO(), parts.group(1))) {
          return new Outcome.Wrong("the VOMS server attests a group of another organisation than its own");
        }
        groups.add(METHOD + withoutNull(parts.group(1)));
      }
      until = end.isBefore(until) ? end : until;
    }
    return groups.size() > MOST
        ? new Outcome.Wrong("the VOMS attributes have " + groups.size() + " groups and roles; allowed are " + MOST)
        : new Outcome.Attested(Set.copyOf(groups), until);
  }

  private static boolean isOf(String vo, String fqan) {
    return fqan.equals("/" + vo) || fqan.startsWith("/" + vo + "/");
  }

  private static String withoutNull(String fqan) {
    return fqan.endsWith(NULL_ROLE) ? fqan.substring(0, fqan.length() - NULL_ROLE.length()) : fqan;
  }

  /** What is wrong, without texts of the attributes. */
  private static String reason(VOMSValidationResult result) {
    List<VOMSValidationErrorCode> codes =
        result.getValidationErrors().stream().map(VOMSValidationErrorMessage::getErrorCode).toList();
    return codes.contains(VOMSValidationErrorCode.acNotValidAtCurrentTime) ? "expired, or not valid yet"
        : codes.contains(VOMSValidationErrorCode.lscFileNotFound) ? "this server does not know the VOMS server"
            : codes.contains(VOMSValidationErrorCode.acHolderDoesntMatchCertChain) ? "they are another user's"
                : codes.stream().findFirst().map(Enum::name).orElse("unknown reason");
  }
}
