package io.rns.wire.pool;

import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.pool.ElementPage;
import io.rns.pool.ElementPage.ListedElement;
import io.rns.pool.ElementPage.Loss;
import io.rns.pool.ElementPage.LostElement;
import io.rns.pool.ElementsRequest;
import io.rns.pool.PolicyType;
import io.rns.pool.PoolService;
import io.rns.pool.PoolsRequest;
import io.rns.pool.Registration;
import io.rns.wire.Markup;
import io.rns.wire.Namespaces;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** {@code x:poolElements}: the elements of a pool. */
final class PoolElementsCodec implements PoolOperationCodec<ElementsRequest, ElementPage> {
  @Override
  public String element() {
    return "poolElements";
  }

  @Override
  public ElementPage call(PoolService pools, ElementsRequest item) {
    return pools.elements(item);
  }

  @Override
  public void writeRequest(XmlBuffer out, ElementsRequest item) {
    PoolParts.open(out, element()).attribute("handle", item.handle().toString()).attribute("size", item.pageSize());
    PoolParts.writeIfSaid(out, "after", Integer.toUnsignedLong(item.after()));
    out.raw("/>");
  }

  @Override
  public ElementsRequest readRequest(XmlPull pull) {
    String after = pull.attribute("", "after");
    long size = PoolParts.number(pull, "size", PoolsRequest.PAGE);
    ElementsRequest request =
        new ElementsRequest(
            PoolParts.handle(pull, "handle"),
            (int) Math.min(Integer.MAX_VALUE, size),
            after == null ? 0 : PoolParts.unsigned32("after", after));
    PoolParts.readEmpty(pull);
    return request;
  }

  @Override
  public void writeResponse(XmlBuffer out, ElementPage result) {
    PoolParts.open(out, responseElement()).attribute("handle", result.handle().toString());
    result.policy().ifPresent(policy -> out.attribute("policy", policy.toString()));
    out.attribute("total", result.total());
    result.next().ifPresent(id -> out.attribute("next", Integer.toUnsignedString(id)));
    out.raw(">");
    for (ListedElement element : result.elements()) {
      write(out, element);
    }
    for (LostElement element : result.lost()) {
      out.raw("<_x:lost").attribute("id", Integer.toUnsignedString(element.id()));
      out.attribute("loss", element.loss().name().toLowerCase(Locale.ROOT))
          .attribute("lost-millis", element.lostMillis()).raw(">");
      PoolParts.writeEndpoints(out, element.endpoints());
      out.raw("</_x:lost>");
    }
    PoolParts.close(out, responseElement());
  }

  private static void write(XmlBuffer out, ListedElement element) {
    out.raw("<_x:element").attribute("id", Integer.toUnsignedString(element.id()));
    out.attribute("remaining-millis", element.remainingMillis()).attribute("home",
        Integer.toUnsignedString(element.home()));
    PoolParts.writeIfSaid(out, "unreachable-reports", element.unreachableReports());
    element.silentMillis().ifPresent(millis -> out.attribute("silent-millis", millis));
    element.keepAliveMillis().ifPresent(millis -> out.attribute("keep-alive-millis", millis));
    out.raw(">");
    PoolParts.writeEndpoints(out, element.endpoints());
    PoolParts.writeParameters(out, element.parameters());
    out.raw("</_x:element>");
  }

  @Override
  public ElementPage readResponse(XmlPull pull) {
    RnsPath handle = PoolParts.handle(pull, "handle");
    Optional<PolicyType> policy =
        pull.attribute("", "policy") == null ? Optional.empty() : Optional.of(PoolParts.policy(pull));
    int total = PoolParts.count(pull, "total");
    OptionalInt next =
        pull.attribute("", "next") == null ? OptionalInt.empty() : OptionalInt.of(PoolParts.id(pull, "next"));
    List<ListedElement> elements = new ArrayList<>();
    List<LostElement> lost = new ArrayList<>();
    while (pull.nextChild()) {
      if (pull.is(Namespaces.EXT, "element")) {
        elements.add(readElement(pull));
      } else if (pull.is(Namespaces.EXT, "lost")) {
        lost.add(readLost(pull));
      } else {
        pull.skip();
      }
    }
    return new ElementPage(handle, policy, total, elements, lost, next);
  }

  private static ListedElement readElement(XmlPull pull) {
    int id = PoolParts.id(pull, "id");
    long remaining = Markup.number("attribute 'remaining-millis'", Markup.required(pull, "remaining-millis"));
    if (remaining < 0 && remaining != Registration.FOREVER) {
      throw new RnsException(RnsError.INVALID_REQUEST, "attribute 'remaining-millis' is " + remaining);
    }
    int home = PoolParts.unsigned32("home", Markup.required(pull, "home"));
    int reports = (int) Math.min(Integer.MAX_VALUE, PoolParts.number(pull, "unreachable-reports", 0));
    OptionalLong silent = PoolParts.numberIfSaid(pull, "silent-millis");
    OptionalLong keepAlive = PoolParts.numberIfSaid(pull, "keep-alive-millis");
    PoolParts.Content content = PoolParts.readContent(pull);
    return new ListedElement(id, content.endpoints(), content.parameters(), remaining, home, reports, silent,
        keepAlive);
  }

  private static LostElement readLost(XmlPull pull) {
    int id = PoolParts.id(pull, "id");
    Loss loss = loss(Markup.required(pull, "loss"));
    long lostMillis = PoolParts.number(pull, "lost-millis", 0);
    return new LostElement(id, PoolParts.readContent(pull).endpoints(), loss, lostMillis);
  }

  private static Loss loss(String name) {
    for (Loss loss : Loss.values()) {
      if (loss.name().toLowerCase(Locale.ROOT).equals(name)) {
        return loss;
      }
    }
    throw new RnsException(RnsError.INVALID_REQUEST, "there is no loss '" + Markup.shown(name) + "'");
  }
}
