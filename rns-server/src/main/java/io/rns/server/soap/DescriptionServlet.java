package io.rns.server.soap;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.http.RequestedHost;
import io.rns.wire.SoapVersion;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Serves the documents that describe the service, WSDL and schemas, under their names. They import each other by
 * relative references and are sent as they are, but for the address of the service.
 */
public final class DescriptionServlet extends HttpServlet {
  private static final String SERVLET_PATH = "/wsdl/";
  private static final String DOCUMENTS = "/WEB-INF/wsdl/";
  private static final String ADDRESS = "location=\"http://localhost:8080/rns/services/rns\"";

  private transient Map<String, String> documents = Map.of();

  /** For the container. */
  public DescriptionServlet() {}

  /** The path of the document that the query of the service's URL asks for; null if it asks for none. */
  static @Nullable String path(@Nullable String query) {
    return switch (query == null ? "" : query.toLowerCase(Locale.ROOT)) {
      case "wsdl" -> SERVLET_PATH + "rns.wsdl";
      case "wsdl=rns-1.1" -> SERVLET_PATH + "rns-11-only.wsdl";
      case "wsdl=soap12" -> SERVLET_PATH + "rns-soap12.wsdl";
      case "wsdl=naming" -> SERVLET_PATH + "rns-naming.wsdl";
      default -> null;
    };
  }

  /** A document that says the service is at {@code url}. */
  static String addressed(String document, String url) {
    // The URL may have come with the request: it must not be able to end the attribute.
    String value = url.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    return document.replace(ADDRESS, "location=\"" + value + "\"");
  }

  @Override
  public void init() throws ServletException {
    Map<String, String> read = new HashMap<>();
    Set<String> paths = getServletContext().getResourcePaths(DOCUMENTS);
    for (String path : paths == null ? Set.<String>of() : paths) {
      try (InputStream in = getServletContext().getResourceAsStream(path)) {
        read.put("/" + path.substring(DOCUMENTS.length()), new String(in.readAllBytes(), UTF_8));
      } catch (IOException e) {
        throw new ServletException("the description of the service cannot be read: " + path, e);
      }
    }
    documents = Map.copyOf(read);
  }

  /** Answers all methods, so that none gets a page of the container. */
  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws ServletException, IOException {
    if (request.getMethod().equals("GET") || request.getMethod().equals("HEAD")) {
      super.service(request, response);
      return;
    }
    response.setHeader("Allow", "GET, HEAD");
    RnsException other = new RnsException(RnsError.INVALID_REQUEST, "the description of the service is read by GET");
    PlainFault.send(response, SoapVersion.V1_1, HttpServletResponse.SC_METHOD_NOT_ALLOWED, other);
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
    String name = request.getPathInfo();
    String document = name == null ? null : documents.get(name);
    if (document == null) {
      RnsException unknown =
          new RnsException(RnsError.INVALID_REQUEST, "no document of this name describes the service");
      PlainFault.send(response, SoapVersion.V1_1, HttpServletResponse.SC_NOT_FOUND, unknown);
      return;
    }
    byte[] bytes = addressed(document, url(request)).getBytes(UTF_8);
    response.setContentType("text/xml;charset=utf-8");
    response.setContentLength(bytes.length);
    response.getOutputStream().write(bytes);
  }

  /** Where callers reach the service: what the operator says, else what this caller does. */
  private String url(HttpServletRequest request) {
    String asked = RequestedHost.of(request).soapUrl();
    Object endpoint = getServletContext().getAttribute(SoapEndpoint.ATTRIBUTE);
    return endpoint instanceof SoapEndpoint ready ? ready.settings().publicUrl().orElse(asked) : asked;
  }
}
