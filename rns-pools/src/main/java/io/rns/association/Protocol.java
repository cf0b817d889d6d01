package io.rns.association;

import io.rns.rserpool.AsapCodec;
import io.rns.rserpool.AsapMessage;
import io.rns.rserpool.Decoded;
import io.rns.rserpool.EnrpCodec;
import io.rns.rserpool.EnrpMessage;
import io.rns.rserpool.ErrorCause;
import io.rns.rserpool.Message;
import java.util.List;

/** The protocol of a connection, determined by the port. */
public enum Protocol {
  /** Between a registrar and elements or users. */
  ASAP,

  /** Between registrars. */
  ENRP;

  static Protocol of(Message message) {
    return switch (message) {
      case AsapMessage asap -> ASAP;
      case EnrpMessage enrp -> ENRP;
    };
  }

  Decoded<? extends Message> decode(byte[] bytes) {
    return this == ASAP ? AsapCodec.decode(bytes) : EnrpCodec.decode(bytes);
  }

  static byte[] encode(Message message) {
    return switch (message) {
      case AsapMessage asap -> AsapCodec.encode(asap);
      case EnrpMessage enrp -> EnrpCodec.encode(enrp);
    };
  }

  /** The report about a message that was not understood. */
  Message report(int self, List<ErrorCause> causes) {
    return this == ASAP ? new AsapMessage.ErrorReport(causes) : new EnrpMessage.ErrorReport(self, 0, causes);
  }
}
