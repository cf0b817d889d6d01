package io.rns.guard;

import jakarta.inject.Inject;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectInstance;
import javax.management.ObjectName;
import org.glassfish.grizzly.filterchain.FilterChainBuilder;
import org.glassfish.grizzly.http.ChunkedTransferEncoding;
import org.glassfish.grizzly.http.HttpCodecFilter;
import org.glassfish.grizzly.http.TransferEncoding;
import org.glassfish.grizzly.http.server.AddOn;
import org.glassfish.grizzly.http.server.HttpServerFilter;
import org.glassfish.grizzly.http.server.NetworkListener;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.grizzly.ssl.SSLBaseFilter;

/**
 * Puts the guard into the filter chain of a listener. GlassFish finds it under the name {@code comet}, in place of a
 * built-in add-on that is not used here: this is the name that an HTTP listener can be configured to load.
 */
public final class GuardAddOn implements AddOn {
  private final Settings settings;
  private final Availability availability;

  /** Called by GlassFish. */
  @Inject
  public GuardAddOn(Availability availability) {
    this(Settings.from(System::getProperty), availability);
  }

  GuardAddOn(Settings settings, Availability availability) {
    this.settings = settings;
    this.availability = availability;
  }

  @Override
  public void setup(NetworkListener listener, FilterChainBuilder builder) {
    int container = builder.indexOfType(HttpServerFilter.class);
    HttpServerFilter filter = (HttpServerFilter) builder.get(container);
    filter.setHttpHandler(new GuardHandler(filter.getHttpHandler(), settings, availability));
    filter.getConfiguration().setDefaultErrorPageGenerator(
        (request, status, reason, description, cause) -> page(request, status));
    HeadDeadline heads = new HeadDeadline(settings.head());
    builder.add(container, new UpgradeFilter());
    builder.add(container, heads.end());
    HttpCodecFilter codec = (HttpCodecFilter) builder.get(builder.indexOfType(HttpCodecFilter.class));
    readStrictly(codec);
    // A listener with TLS of the container keeps it.
    boolean secures = settings.tls().isPresent() && builder.indexOfType(SSLBaseFilter.class) < 0;
    if (secures) {
      builder.add(1, tls(settings.tls().orElseThrow(), settings.clientChains()));
    }
    builder.add(1, new KeptAlive((org.glassfish.grizzly.http.HttpServerFilter) codec));
    builder.add(1, heads);
    if (secures) {
      builder.add(1, new PlainHttpFilter());
    }
    builder.add(1, new ConnectionLimit(settings.connections()));
  }

  /** TLS is ours: GlassFish's own takes keys from a store with a well-known password. */
  private static SSLBaseFilter tls(Settings.PemFiles files, boolean clientChains) {
    try {
      ServedCertificate certificate = new ServedCertificate(files.chain(), files.key(), clientChains);
      MBeanServer management = ManagementFactory.getPlatformMBeanServer();
      ObjectName name = new ObjectName("io.rns:type=ServedCertificate");
      if (!management.isRegistered(name)) {
        ObjectInstance unused = management.registerMBean(certificate, name);
      }
      SSLBaseFilter filter = new SSLBaseFilter(new TlsEngines(certificate, clientChains), false);
      filter.setRenegotiationDisabled(true);
      return filter;
    } catch (IOException | JMException e) {
      throw new IllegalStateException("HTTPS cannot be served: " + e.getMessage(), e);
    }
  }

  /** The page for what Grizzly refuses without the container, such as requests that arrive while the listener stops. */
  private String page(Request request, int status) {
    ErrorPage page = ErrorPage.of(Problem.ofContainer(status), request.getRequest(), settings.contexts());
    page.setHead(request.getResponse());
    return page.body();
  }

  private static void readStrictly(HttpCodecFilter codec) {
    for (TransferEncoding encoding : codec.getTransferEncodings()) {
      if (encoding instanceof ChunkedTransferEncoding) {
        codec.removeTransferEncoding(encoding);
        codec.addTransferEncoding(new StrictChunks(encoding));
      }
    }
  }
}
