package io.rns.server.dns;

import java.util.List;
import org.xbill.DNS.Record;

/** What comes of a question. */
sealed interface DnsAnswer {
  /**
   * Records that answer it.
   *
   * @param records the answer, in order
   * @param more what the asker will want to know next
   */
  record Found(List<Record> records, List<Record> more) implements DnsAnswer {
    /** Copies. */
    public Found {
      records = List.copyOf(records);
      more = List.copyOf(more);
    }
  }

  /** The name is there, and has nothing of that type. */
  record NoData() implements DnsAnswer {}

  /** There is no such name. */
  record NoSuchName() implements DnsAnswer {}

  /** None of our business. */
  record Refused() implements DnsAnswer {}

  /** Something that this server does not do. */
  record NotImplemented() implements DnsAnswer {}

  /** No question. */
  record Malformed() implements DnsAnswer {}

  /** A version of EDNS that is not known. */
  record BadVersion() implements DnsAnswer {}

  /** It cannot be answered now. */
  record Failed() implements DnsAnswer {}
}
