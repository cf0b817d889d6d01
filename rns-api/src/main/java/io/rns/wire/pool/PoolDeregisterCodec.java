package io.rns.wire.pool;

import io.rns.pool.PoolService;
import io.rns.wire.Markup;
import io.rns.wire.pool.PoolParts.ElementName;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;

/** {@code x:poolDeregister}: removes an element. */
final class PoolDeregisterCodec implements PoolOperationCodec<ElementName, Boolean> {
  @Override
  public String element() {
    return "poolDeregister";
  }

  @Override
  public Boolean call(PoolService pools, ElementName item) {
    return pools.deregister(item.handle(), item.id());
  }

  @Override
  public void writeRequest(XmlBuffer out, ElementName item) {
    PoolParts.writeElementName(out, element(), item);
  }

  @Override
  public ElementName readRequest(XmlPull pull) {
    return PoolParts.readElementName(pull);
  }

  @Override
  public void writeResponse(XmlBuffer out, Boolean result) {
    PoolParts.open(out, responseElement()).attribute("removed", result.toString()).raw("/>");
  }

  @Override
  public Boolean readResponse(XmlPull pull) {
    String unused = Markup.required(pull, "removed");
    boolean removed = Markup.flag(pull, "", "removed");
    pull.skip();
    return removed;
  }
}
