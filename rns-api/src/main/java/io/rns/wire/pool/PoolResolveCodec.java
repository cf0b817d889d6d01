package io.rns.wire.pool;

import io.rns.api.RnsPath;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.pool.Distance;
import io.rns.pool.PolicyType;
import io.rns.pool.PoolResolution;
import io.rns.pool.PoolResolution.Selected;
import io.rns.pool.PoolService;
import io.rns.pool.SelectionState;
import io.rns.pool.SharedExperience;
import io.rns.wire.Namespaces;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.util.ArrayList;
import java.util.List;

/** {@code x:poolResolve}: elements in the order of the pool's policy. */
public final class PoolResolveCodec implements PoolOperationCodec<PoolResolveCodec.Item, PoolResolution> {
  private static final int DEFAULT_ITEMS = 3;

  /**
   * The content of a request.
   *
   * @param handle the path of the pool
   * @param items the number of elements wanted, 1 to {@value PoolService#RESOLUTION_ITEMS}
   */
  public record Item(RnsPath handle, int items) {
    public Item {
      if (items < 1) {
        throw new RnsException(RnsError.INVALID_REQUEST, "a resolution of " + items + " elements is invalid");
      }
      Limits.check("a resolution", items, PoolService.RESOLUTION_ITEMS, "elements");
    }
  }

  @Override
  public String element() {
    return "poolResolve";
  }

  @Override
  public PoolResolution call(PoolService pools, Item item) {
    return pools.resolve(item.handle(), item.items());
  }

  @Override
  public void writeRequest(XmlBuffer out, Item item) {
    PoolParts.open(out, element()).attribute("handle", item.handle().toString()).attribute("items", item.items())
        .raw("/>");
  }

  @Override
  public Item readRequest(XmlPull pull) {
    long items = PoolParts.number(pull, "items", DEFAULT_ITEMS);
    Item item = new Item(PoolParts.handle(pull, "handle"), (int) Math.min(Integer.MAX_VALUE, items));
    PoolParts.readEmpty(pull);
    return item;
  }

  @Override
  public void writeResponse(XmlBuffer out, PoolResolution result) {
    PoolParts.open(out, responseElement()).attribute("handle", result.handle().toString());
    out.attribute("policy", result.policy().toString()).attribute("ttl-millis", result.ttlMillis()).raw(">");
    for (Selected element : result.elements()) {
      write(out, element);
    }
    PoolParts.close(out, responseElement());
  }

  private static void write(XmlBuffer out, Selected element) {
    SelectionState standing = element.standing();
    out.raw("<_x:element").attribute("id", Integer.toUnsignedString(element.id()));
    out.attribute("reported-millis", element.reportedMillis()).attribute("number", standing.number());
    PoolParts.writeIfSaid(out, "distance-millis", standing.distance().millis());
    PoolParts.writeIfSaid(out, "round", standing.round());
    PoolParts.writeIfSaid(out, "charged", standing.charged());
    PoolParts.writeIfSaid(out, "carried", standing.carried());
    PoolParts.writeIfSaid(out, "experienced-millis", element.shared().millis());
    PoolParts.writeIfSaid(out, "failing-millis", element.shared().failingMillis());
    out.raw(">");
    PoolParts.writeEndpoints(out, element.endpoints());
    PoolParts.writeParameters(out, standing.parameters());
    out.raw("</_x:element>");
  }

  @Override
  public PoolResolution readResponse(XmlPull pull) {
    RnsPath handle = PoolParts.handle(pull, "handle");
    PolicyType policy = PoolParts.policy(pull);
    long ttlMillis = PoolParts.number(pull, "ttl-millis", 0);
    List<Selected> elements = new ArrayList<>();
    while (pull.nextChild()) {
      if (pull.is(Namespaces.EXT, "element")) {
        Limits.check("a resolution", elements.size() + 1L, PoolService.RESOLUTION_ITEMS, "elements");
        elements.add(read(pull));
      } else {
        pull.skip();
      }
    }
    if (elements.isEmpty()) {
      throw new RnsException(RnsError.INVALID_REQUEST, "a resolution has no element");
    }
    return new PoolResolution(handle, policy, elements, ttlMillis);
  }

  private static Selected read(XmlPull pull) {
    int id = PoolParts.id(pull, "id");
    long reportedMillis = PoolParts.number(pull, "reported-millis", 0);
    long number = PoolParts.number(pull, "number", 0);
    Distance distance = new Distance((int) Math.min(Integer.MAX_VALUE, PoolParts.number(pull, "distance-millis", 0)));
    long round = PoolParts.number(pull, "round", 0);
    long charged = PoolParts.number(pull, "charged", 0);
    long carried = PoolParts.number(pull, "carried", 0);
    SharedExperience shared =
        new SharedExperience(
            PoolParts.number(pull, "experienced-millis", 0), PoolParts.number(pull, "failing-millis", 0));
    PoolParts.Content content = PoolParts.readContent(pull);
    if (content.endpoints().isEmpty()) {
      throw new RnsException(RnsError.INVALID_REQUEST,
          "pool element " + Integer.toUnsignedString(id) + " has no endpoint");
    }
    SelectionState standing = new SelectionState(content.parameters(), distance, number, round, charged, carried);
    return new Selected(id, content.endpoints(), standing, reportedMillis, shared);
  }
}
