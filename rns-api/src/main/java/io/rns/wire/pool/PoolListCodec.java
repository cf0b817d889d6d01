package io.rns.wire.pool;

import io.rns.api.RnsPath;
import io.rns.pool.PoolPage;
import io.rns.pool.PoolPage.ListedPool;
import io.rns.pool.PoolService;
import io.rns.pool.PoolsRequest;
import io.rns.wire.Namespaces;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@code x:poolList}: the pools at and below a path. */
final class PoolListCodec implements PoolOperationCodec<PoolsRequest, PoolPage> {
  @Override
  public String element() {
    return "poolList";
  }

  @Override
  public PoolPage call(PoolService pools, PoolsRequest item) {
    return pools.pools(item);
  }

  @Override
  public void writeRequest(XmlBuffer out, PoolsRequest item) {
    PoolParts.open(out, element()).attribute("below", item.below().toString()).attribute("size", item.pageSize());
    item.after().ifPresent(handle -> out.attribute("after", handle.toString()));
    out.raw("/>");
  }

  @Override
  public PoolsRequest readRequest(XmlPull pull) {
    String below = pull.attribute("", "below");
    String after = pull.attribute("", "after");
    long size = PoolParts.number(pull, "size", PoolsRequest.PAGE);
    PoolsRequest request =
        new PoolsRequest(
            below == null ? RnsPath.ROOT : RnsPath.parse(below),
            (int) Math.min(Integer.MAX_VALUE, size),
            Optional.ofNullable(after).map(RnsPath::parse));
    PoolParts.readEmpty(pull);
    return request;
  }

  @Override
  public void writeResponse(XmlBuffer out, PoolPage result) {
    PoolParts.open(out, responseElement());
    result.next().ifPresent(handle -> out.attribute("next", handle.toString()));
    out.raw(">");
    for (ListedPool pool : result.pools()) {
      out.raw("<_x:pool").attribute("handle", pool.handle().toString()).attribute("policy", pool.policy().toString());
      out.attribute("elements", pool.elements()).attribute("eligible", pool.eligible()).raw("/>");
    }
    PoolParts.close(out, responseElement());
  }

  @Override
  public PoolPage readResponse(XmlPull pull) {
    Optional<RnsPath> next = Optional.ofNullable(pull.attribute("", "next")).map(RnsPath::parse);
    List<ListedPool> pools = new ArrayList<>();
    while (pull.nextChild()) {
      if (pull.is(Namespaces.EXT, "pool")) {
        pools.add(
            new ListedPool(
                PoolParts.handle(pull, "handle"),
                PoolParts.policy(pull),
                PoolParts.count(pull, "elements"),
                PoolParts.count(pull, "eligible")));
      }
      pull.skip();
    }
    return new PoolPage(pools, next);
  }
}
