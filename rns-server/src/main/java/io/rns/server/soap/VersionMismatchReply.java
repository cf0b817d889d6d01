package io.rns.server.soap;

import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.wire.Fault;
import io.rns.wire.Faults;
import io.rns.wire.Namespaces;
import io.rns.wire.ReplyHeaders;
import io.rns.wire.SoapVersion;
import io.rns.xml.XmlBuffer;
import jakarta.servlet.http.HttpServletResponse;
import java.time.InstantSource;

/** The fault of an envelope whose namespace is not the one that the content type stands for. */
final class VersionMismatchReply extends Reply {
  private static final String UPGRADE =
      "<_s:Upgrade xmlns:_s=\"" + Namespaces.SOAP_12 + "\">"
          + "<_s:SupportedEnvelope qname=\"_q:Envelope\" xmlns:_q=\"" + Namespaces.SOAP_12 + "\"/>"
          + "<_s:SupportedEnvelope qname=\"_q:Envelope\" xmlns:_q=\"" + Namespaces.SOAP_11 + "\"/></_s:Upgrade>";

  private static final int NAMESPACE_CHARS = 200;

  private final String namespace;
  private final InstantSource clock;

  /** The fault of an envelope of {@code namespace}. */
  VersionMismatchReply(String namespace, InstantSource clock) {
    super(ReplyHeaders.NONE);
    this.namespace = namespace.length() > NAMESPACE_CHARS ? namespace.substring(0, NAMESPACE_CHARS) + "..." : namespace;
    this.clock = clock;
  }

  @Override
  int status(SoapVersion version) {
    return HttpServletResponse.SC_INTERNAL_SERVER_ERROR;
  }

  @Override
  String action() {
    return Actions.FAULT;
  }

  @Override
  String ownHeaders(SoapVersion version) {
    return version == SoapVersion.V1_2 ? UPGRADE : "";
  }

  @Override
  boolean writeNext(XmlBuffer out, SoapVersion version) {
    String message =
        "the SOAP envelope has the namespace '" + namespace + "'; with this content type it is '" + version.namespace()
            + "'";
    Fault fault = Fault.of(new RnsException(RnsError.MALFORMED_MESSAGE, message), RnsPath.ROOT);
    Faults.writeVersionMismatch(out, version, fault, clock.instant());
    return false;
  }
}
