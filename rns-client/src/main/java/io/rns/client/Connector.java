package io.rns.client;

import io.rns.api.EndpointReference;
import io.rns.client.call.BoundedNameService;
import io.rns.client.call.Ticker;
import io.rns.client.http.HttpEndpoint;
import io.rns.client.http.HttpEndpoints;
import io.rns.client.message.ReferenceParts;
import io.rns.client.plain.PlainNameService;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * Makes what asks a server, in the dialect of the client.
 *
 * @param first the endpoint whose settings and thread all share
 * @param root the root directory at the first endpoint, if it is not that of the server
 * @param referrals the servers' reports of their group
 */
record Connector(HttpEndpoint first, Dialect dialect, Duration requestTimeout, Optional<EndpointReference> root,
    ReferralKeeper referrals)
    implements
      Function<URI, BoundedNameService> {
  @Override
  public BoundedNameService apply(URI uri) {
    boolean atFirst = uri.equals(first.uri());
    HttpEndpoint endpoint = atFirst ? first : first.sibling(uri);
    if (dialect == Dialect.RNS_1_0) {
      return new SoapNameService(endpoint, requestTimeout, referrals);
    }
    EndpointReference top = root.filter(given -> atFirst).orElseGet(() -> EndpointReference.ofAddress(uri.toString()));
    HttpEndpoints endpoints = new HttpEndpoints(endpoint);
    PlainNameService plain = new PlainNameService(endpoints, top, requestTimeout, Ticker.SYSTEM);
    boolean extensible = dialect == Dialect.RNS_1_1 && ReferenceParts.of(top).parameters().isEmpty();
    return extensible ? new LearningNameService(endpoint, requestTimeout, plain, referrals) : plain;
  }
}
