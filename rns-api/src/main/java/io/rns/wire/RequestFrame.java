package io.rns.wire;

import io.rns.api.Target;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a request element means beside what it says.
 *
 * @param target the entry the call is about
 * @param ifVersion the precondition of the message's header
 * @param page the page of the message's header
 * @param iterator the iterator that the call is about, in place of an entry
 * @param serviceUrl the address of this service: an endpoint reference with just this address is the root
 */
public record RequestFrame(
    Target target, OptionalLong ifVersion, Optional<PageOption> page, Optional<String> iterator, String serviceUrl) {
  /** The frame that the headers of a message give. */
  public static RequestFrame of(MessageHeaders headers, String serviceUrl) {
    return new RequestFrame(headers.target(), headers.ifVersion(), headers.page(), headers.iterator(), serviceUrl);
  }

  /** The resource that the call is about. */
  public ResourceTarget resource() {
    return new ResourceTarget(target, iterator);
  }

  /** The frame of an item of a batch. */
  public RequestFrame item(Target itemTarget) {
    return new RequestFrame(itemTarget, OptionalLong.empty(), Optional.empty(), Optional.empty(), serviceUrl);
  }
}
