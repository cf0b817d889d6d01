package io.rns.guard;

import java.io.CharConversionException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.glassfish.grizzly.http.util.CharChunk;
import org.glassfish.grizzly.http.util.DataChunk;
import org.glassfish.grizzly.http.util.RequestURIRef;

/**
 * The path of a request as the container maps it to an application. A path that the container cannot decode, for
 * example with {@code %2F}, {@code %5C}, {@code %00} or {@code %zz}, is mapped as sent: the application decodes it
 * itself.
 */
final class RequestPath {
  /** The destination of a path. */
  enum Target {
    /** An application. */
    APPLICATION,
    /** The context root of an application, without the trailing slash. */
    ROOT,
    /** The SOAP service with an undecodable path: the service takes names from the decoded path. */
    UNDECODABLE,
    /** Nothing accessible. */
    ELSEWHERE
  }

  private static final Pattern SOAP = Pattern.compile("/+services/");

  private RequestPath() {}

  /** The destination of a path, given the context roots of the applications. */
  static Target of(List<String> contexts, RequestURIRef uri, boolean slashes) {
    DataChunk decoded;
    try {
      decoded = uri.getDecodedRequestURIBC(slashes);
    } catch (CharConversionException | IllegalArgumentException | IllegalStateException | IndexOutOfBoundsException e) {
      // An index is out of bounds where a path ends with two dots.
      return undecoded(contexts, uri, slashes);
    }
    return of(contexts, decoded.getCharChunk());
  }

  private static Target of(List<String> contexts, CharChunk path) {
    int length = path.getEnd() - path.getStart();
    for (int i = 0; i < contexts.size(); i++) {
      String context = contexts.get(i);
      if (length >= context.length() && path.startsWith(context)) {
        if (length == context.length()) {
          return Target.ROOT;
        }
        if (path.getBuffer()[path.getStart() + context.length()] == '/') {
          return Target.APPLICATION;
        }
      }
    }
    return Target.ELSEWHERE;
  }

  private static Target undecoded(List<String> contexts, RequestURIRef uri, boolean slashes) {
    String sent = uri.getURI(StandardCharsets.ISO_8859_1);
    String context = contexts.stream().filter(one -> sent.startsWith(one + "/")).findFirst().orElse(null);
    if (context == null || climbs(sent)) {
      return Target.ELSEWHERE;
    }
    if (SOAP.matcher(sent.substring(context.length())).lookingAt()) {
      return Target.UNDECODABLE;
    }
    DataChunk path = uri.getRequestURIBC();
    Charset charset = StandardCharsets.ISO_8859_1;
    try {
      // The container requests the decoded path and reuses an existing result, so set that to the path as sent.
      path.setBytes(sent.replace("%", "%25").getBytes(charset));
      uri.getDecodedRequestURIBC(slashes);
      return Target.APPLICATION;
    } catch (CharConversionException | IllegalArgumentException | IllegalStateException | IndexOutOfBoundsException e) {
      return Target.ELSEWHERE;
    } finally {
      path.setBytes(sent.getBytes(charset));
    }
  }

  /** Whether a segment is {@code .} or {@code ..} in any encoding, or contains a backslash. */
  private static boolean climbs(String sent) {
    for (String step : sent.substring(1).split("/", -1)) {
      String plain = step.replace("%2e", ".").replace("%2E", ".");
      int parameter = plain.indexOf(';');
      plain = parameter < 0 ? plain : plain.substring(0, parameter);
      if (plain.equals(".") || plain.equals("..") || plain.indexOf('\\') >= 0) {
        return true;
      }
    }
    return false;
  }
}
