package io.rns.guard;

import java.io.IOException;
import org.glassfish.grizzly.filterchain.BaseFilter;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.filterchain.FilterChainEvent;
import org.glassfish.grizzly.filterchain.NextAction;
import org.glassfish.grizzly.http.HttpEvents.IncomingHttpUpgradeEvent;
import org.glassfish.grizzly.http.HttpHeader;

/**
 * Ignores {@code Upgrade}, as RFC 9110, section 7.8, permits. Grizzly would treat the body as belonging to the new
 * protocol and never find its end.
 */
final class UpgradeFilter extends BaseFilter {
  @Override
  public NextAction handleEvent(FilterChainContext ctx, FilterChainEvent event) throws IOException {
    if (event instanceof IncomingHttpUpgradeEvent upgrade) {
      HttpHeader header = upgrade.getHttpHeader();
      header.setIgnoreContentModifiers(false);
      header.getUpgradeDC().recycle();
      return ctx.getStopAction();
    }
    return ctx.getInvokeAction();
  }
}
