package io.rns.server.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.rns.referral.Referral;
import java.util.List;

/**
 * The servers of each part of the tree as JSON. Clients that know no parts see the servers of the root, which lead to
 * all others.
 *
 * @param root the servers of the root
 * @param parts those of the other parts
 */
public record ServerList(@JsonUnwrapped Referral root,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Referral> parts) {
  /** The document of referrals, of which the first is the root's. */
  public static ServerList of(List<Referral> referrals) {
    return new ServerList(referrals.getFirst(), referrals.subList(1, referrals.size()));
  }
}
