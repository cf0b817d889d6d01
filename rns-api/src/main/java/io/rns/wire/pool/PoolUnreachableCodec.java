package io.rns.wire.pool;

import io.rns.pool.PoolService;
import io.rns.wire.pool.PoolParts.ElementName;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;

/** {@code x:poolUnreachable}: a user reports that an element did not answer. The response is empty and read as true. */
final class PoolUnreachableCodec implements PoolOperationCodec<ElementName, Boolean> {
  @Override
  public String element() {
    return "poolUnreachable";
  }

  @Override
  public Boolean call(PoolService pools, ElementName item) {
    pools.unreachable(item.handle(), item.id());
    return true;
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
    PoolParts.open(out, responseElement()).raw("/>");
  }

  @Override
  public Boolean readResponse(XmlPull pull) {
    pull.skip();
    return true;
  }
}
