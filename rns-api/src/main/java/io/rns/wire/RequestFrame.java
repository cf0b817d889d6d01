package io.rns.wire;

import io.rns.api.Target;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The context of a request element.
 *
 * @param target the entry the call refers to
 * @param ifVersion the precondition in the header of the message
 * @param page the page in the header of the message
 * @param iterator the iterator the call refers to, in place of an entry
 * @param serviceUrl the address of this service; an endpoint reference with no more than this address denotes the root
 */
public record RequestFrame(
    Target target, OptionalLong ifVersion, Optional<PageOption> page, Optional<String> iterator, String serviceUrl) {
  /** The frame from the headers of a message. */
  public static RequestFrame of(MessageHeaders headers, String serviceUrl) {
    return new RequestFrame(headers.target(), headers.ifVersion(), headers.page(), headers.iterator(), serviceUrl);
  }

  /** The resource the call refers to. */
  public ResourceTarget resource() {
    return new ResourceTarget(target, iterator);
  }

  /** The frame of an item of a batch. */
  public RequestFrame item(Target itemTarget) {
    return new RequestFrame(itemTarget, OptionalLong.empty(), Optional.empty(), Optional.empty(), serviceUrl);
  }
}
