package io.rns.wire.pool;

import io.rns.api.RnsPath;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.pool.ElementExperience;
import io.rns.pool.PoolService;
import io.rns.wire.Namespaces;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.util.ArrayList;
import java.util.List;

/** {@code x:poolExperience}: a user tells how elements answered. The response is empty and read as true. */
public final class PoolExperienceCodec implements PoolOperationCodec<PoolExperienceCodec.Item, Boolean> {
  /**
   * The content of a request.
   *
   * @param handle the path of the pool
   * @param experiences of different elements, 1 to {@value PoolService#RESOLUTION_ITEMS}
   */
  public record Item(RnsPath handle, List<ElementExperience> experiences) {
    public Item {
      experiences = List.copyOf(experiences);
      if (experiences.isEmpty()) {
        throw new RnsException(RnsError.INVALID_REQUEST, "a report of experiences has no element");
      }
      Limits.check("a report of experiences", experiences.size(), PoolService.RESOLUTION_ITEMS, "elements");
    }
  }

  @Override
  public String element() {
    return "poolExperience";
  }

  @Override
  public Boolean call(PoolService pools, Item item) {
    pools.experienced(item.handle(), item.experiences());
    return true;
  }

  @Override
  public void writeRequest(XmlBuffer out, Item item) {
    PoolParts.open(out, element()).attribute("handle", item.handle().toString()).raw(">");
    for (ElementExperience experience : item.experiences()) {
      out.raw("<_x:element").attribute("id", Integer.toUnsignedString(experience.id()));
      if (experience.answered()) {
        out.attribute("millis", experience.millis());
      }
      out.raw("/>");
    }
    PoolParts.close(out, element());
  }

  @Override
  public Item readRequest(XmlPull pull) {
    RnsPath handle = PoolParts.handle(pull, "handle");
    List<ElementExperience> experiences = new ArrayList<>();
    while (pull.nextChild()) {
      if (pull.is(Namespaces.EXT, "element")) {
        Limits.check("a report of experiences", experiences.size() + 1L, PoolService.RESOLUTION_ITEMS, "elements");
        int id = PoolParts.id(pull, "id");
        experiences.add(
            PoolParts.numberIfSaid(pull, "millis").stream().mapToObj(millis -> new ElementExperience(id, true, millis))
                .findFirst().orElseGet(() -> ElementExperience.failed(id)));
        PoolParts.readEmpty(pull);
      } else {
        PoolParts.passOver(pull);
      }
    }
    return new Item(handle, experiences);
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
