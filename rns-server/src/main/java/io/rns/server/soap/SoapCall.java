package io.rns.server.soap;

import io.rns.api.Caller;
import io.rns.api.EntryId;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.server.http.SharedAnswers;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the transport knows of a request.
 *
 * @param caller who is asking
 * @param url the URL of the service that was asked
 * @param target what the rest of the URL names, for messages whose headers name nothing
 * @param session the connection, for the access log; empty if there is none
 * @param client finds the address of who asks; few requests need it
 * @param origin finds where the request comes from, as {@link io.rns.api.CallContext#origin} has it
 * @param front finds how a front has passed the request on, as {@link io.rns.identity.FrontReport} has it; empty text
 *        if none says so
 * @param shared which answers a front may keep, if one asks for an anonymous client
 */
record SoapCall(
    Caller caller, String url, Target target, String session, Supplier<String> client, Supplier<String> origin,
    Supplier<String> front, Optional<SharedAnswers> shared) {
  /** The attribute of a request under which a later entrance finds what an earlier one made of it. */
  static final String ATTRIBUTE = "io.rns.server.soap.SoapCall";

  /**
   * What a URL names below the service: a path there, which may end with a slash, or the parameters {@code id} and
   * {@code path} of its query.
   *
   * @throws io.rns.error.RnsException if it is no path or no id
   */
  static Target target(String below, @Nullable String id, @Nullable String path) {
    EntryId start = id == null ? EntryId.ROOT : EntryId.parse(id);
    boolean slash = below.length() > 1 && below.endsWith("/");
    RnsPath names =
        below.isEmpty() ? RnsPath.ROOT : RnsPath.parse(slash ? below.substring(0, below.length() - 1) : below);
    return new Target(start, path == null ? names : names.resolve(RnsPath.parse(path)));
  }
}
