package io.rns.server.soap;

import io.rns.wire.Fault;
import io.rns.wire.Faults;
import io.rns.wire.ReplyHeaders;
import io.rns.wire.SoapVersion;
import io.rns.xml.XmlBuffer;
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
  }

  @Override
  boolean isFault() {
    return true;
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
