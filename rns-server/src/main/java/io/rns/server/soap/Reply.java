package io.rns.server.soap;

import io.rns.api.Hop;
import io.rns.server.http.SharedLookup;
import io.rns.wire.Envelope;
import io.rns.wire.ReplyHeaders;
import io.rns.wire.SoapVersion;
import io.rns.xml.XmlBuffer;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An answer that is written piece by piece, so that its size in memory is bounded whatever its content. Belongs to one
 * thread and is written once.
 */
abstract sealed class Reply
    permits EntryReply, BatchReply, ListingReply, SubtreeReply, IterationReply, SearchReply, ResourceReply, PoolReply,
    FaultReply,
    NotUnderstoodReply, VersionMismatchReply {
  /** A piece ends as soon as it is this long. */
  static final int PIECE_BYTES = 65_536;

  private ReplyHeaders headers;
  private String more = "";
  private @Nullable SharedLookup lookup;

  Reply(ReplyHeaders headers) {
    this.headers = headers;
  }

  /** The headers of the answer. */
  final ReplyHeaders headers() {
    return headers;
  }

  /** Gives the answer the headers that belong to those of its request. */
  final Reply relatedTo(Addressing request) {
    more = request.headers(action());
    return this;
  }

  /** Whether it has headers that belong to those of its request. */
  final boolean isRelated() {
    return !more.isEmpty();
  }

  /**
   * What fronts learn if they may give it to others, too; empty if they may not.
   *
   * @param lookup as it was begun before the answer
   */
  Optional<String> shared(SharedLookup lookup) {
    return Optional.empty();
  }

  /** Says which lookup of a front it answers. */
  final void answers(SharedLookup begun) {
    lookup = begun;
  }

  /** What fronts learn if they may give it to others, too; empty if they may not. */
  final Optional<String> shared() {
    return lookup == null ? Optional.empty() : shared(lookup);
  }

  /** Gives the answer the way of its request. */
  final Reply explained(List<Hop> way) {
    headers = headers.explained(way);
    return this;
  }

  /** Appends all that stands before the payload. */
  final void open(XmlBuffer out, SoapVersion version) {
    String own = ownHeaders(version);
    Envelope.open(out, version, headers, own.isEmpty() ? more : more + own);
  }

  /** The headers that SOAP itself asks for in this answer, self-contained; usually empty. */
  String ownHeaders(SoapVersion version) {
    return "";
  }

  /** The HTTP status, as the binding of this version of SOAP has it. */
  int status(SoapVersion version) {
    return HttpServletResponse.SC_OK;
  }

  /** The WS-Addressing action of the answer. */
  abstract String action();

  /**
   * Appends the next piece of the payload.
   *
   * @return whether there is another one
   * @throws io.rns.error.RnsException if the rest cannot be had; what was written then stays a broken message
   */
  abstract boolean writeNext(XmlBuffer out, SoapVersion version);
}
