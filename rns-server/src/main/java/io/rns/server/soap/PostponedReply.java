package io.rns.server.soap;

import io.rns.wire.ReplyHeaders;
import io.rns.wire.SoapVersion;
import io.rns.xml.XmlBuffer;

/** Stands for an answer that takes time, and is to be asked for again by a thread that may wait. */
final class PostponedReply extends Reply {
  /** It waits for other servers, which says nothing about the work here. */
  static final PostponedReply WAITS = new PostponedReply(false);

  /** It is a write, or anything else that is not frequent. */
  static final PostponedReply WORKS = new PostponedReply(true);

  private final boolean works;

  private PostponedReply(boolean works) {
    super(ReplyHeaders.NONE);
    this.works = works;
  }

  /** Whether this server works at it meanwhile. */
  boolean works() {
    return works;
  }

  @Override
  String action() {
    return "";
  }

  @Override
  boolean writeNext(XmlBuffer out, SoapVersion version) {
    throw new IllegalStateException("this is no answer yet");
  }
}
