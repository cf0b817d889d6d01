package io.rns.server.soap;

import io.rns.error.RnsError;
import io.rns.server.audit.RequestAudit;
import io.rns.wire.Fault;
import io.rns.wire.Faults;
import io.rns.wire.ReplyHeaders;
import io.rns.wire.SoapVersion;
import io.rns.xml.XmlBuffer;
import jakarta.servlet.http.HttpServletResponse;
import java.time.InstantSource;

/** A fault. */
final class FaultReply extends Reply {
  private final Fault fault;
  private final boolean extended;
  private final InstantSource clock;

  FaultReply(Fault fault, boolean extended, ReplyHeaders headers, InstantSource clock) {
    super(headers);
    this.fault = fault;
    this.extended = extended;
    this.clock = clock;
    RequestAudit.noteError(fault.error());
  }

  /**
   * SOAP 1.1 has 500 for every fault; SOAP 1.2 has 400 where the sender is to blame. Both leave 401 to HTTP, whose
   * clients authenticate then.
   */
  @Override
  int status(SoapVersion version) {
    if (fault.error() == RnsError.NOT_AUTHENTICATED) {
      return HttpServletResponse.SC_UNAUTHORIZED;
    }
    return version == SoapVersion.V1_2 && fault.error().kind() == RnsError.Kind.CALLER
        ? HttpServletResponse.SC_BAD_REQUEST
        : HttpServletResponse.SC_INTERNAL_SERVER_ERROR;
  }

  @Override
  String action() {
    return Actions.FAULT;
  }

  @Override
  boolean writeNext(XmlBuffer out, SoapVersion version) {
    Faults.write(out, version, fault, extended, clock.instant());
    return false;
  }
}
