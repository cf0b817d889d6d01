package io.rns.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * The URL of the web application itself, for those who try it in a browser; the OpenAPI document; and whatever no other
 * servlet has, which is refused.
 */
public final class HomeServlet extends ResourceServlet {
  private static final long serialVersionUID = 1L;
  private static final String OPEN_API = "/openapi.json";
  private static final String BUILD = "/META-INF/maven/io.rns/rns-server/pom.properties";
  private static final String HOUR = "max-age=3600";

  private final transient Map<String, String> links = new LinkedHashMap<>();
  private transient byte[] openApi = {};
  private transient String version = "";

  /** The page with links relative to it. */
  public HomeServlet() {
    super("GET", "HEAD");
    links.put("soap", "services/rns");
    links.put("wsdl", "services/rns?wsdl");
    links.put("rest", "names");
    links.put("pools", "pools");
    links.put("openapi", "openapi.json");
    links.put("health", "health");
    links.put("status", "status");
    links.put("metrics", "metrics");
  }

  @Override
  public void init() throws ServletException {
    try (InputStream document = getServletContext().getResourceAsStream("/WEB-INF" + OPEN_API);
        InputStream build = getServletContext().getResourceAsStream(BUILD)) {
      openApi = document.readAllBytes();
      Properties properties = new Properties();
      if (build != null) {
        properties.load(build);
      }
      version = properties.getProperty("version", "");
    } catch (IOException e) {
      throw new ServletException("the OpenAPI document cannot be read", e);
    }
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
    switch (request.getServletPath()) {
      case OPEN_API -> send(response, "application/json", openApi);
      case "", "/" -> home(request, response);
      default -> response.sendError(HttpServletResponse.SC_NOT_FOUND);
    }
  }

  private void home(HttpServletRequest request, HttpServletResponse response) throws IOException {
    response.setHeader("Vary", "Accept");
    String accept = Optional.ofNullable(request.getHeader("Accept")).orElse("");
    if (accept.contains("application/json") && !accept.contains("text/html")) {
      Map<String, String> document = new LinkedHashMap<>();
      document.put("name", "RNS");
      document.put("version", version);
      String base = RequestedHost.of(request).url() + "/";
      links.forEach((name, link) -> document.put(name, base + link));
      JsonReplies.send(response, document);
      return;
    }
    response.setHeader("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'");
    send(response, "text/html;charset=utf-8", page().getBytes(UTF_8));
  }

  private String page() {
    StringBuilder page = new StringBuilder(1_024);
    page.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>RNS</title>");
    page.append("<style>body{font-family:sans-serif;margin:3em auto;max-width:40em}</style></head><body>\n");
    page.append("<h1>Resource Namespace Service ").append(version).append("</h1>\n");
    page.append("<p>One tree of names for resources that live anywhere.</p>\n<ul>\n");
    item(page, "rest", "Names over plain HTTP, as JSON");
    item(page, "pools", "Server pools, as JSON");
    item(page, "openapi", "OpenAPI document of both");
    item(page, "wsdl", "WSDL of the SOAP service");
    item(page, "health", "Health");
    item(page, "status", "Status of the servers, as JSON");
    item(page, "metrics", "Metrics for Prometheus");
    page.append("</ul>\n<p>SOAP messages are posted to <code>").append(links.get("soap"))
        .append("</code> below this URL. ");
    page.append("The documentation is in the directory <code>docs</code> of the distribution.</p>\n</body></html>\n");
    return page.toString();
  }

  private void item(StringBuilder page, String name, String text) {
    page.append("<li><a href=\"").append(links.get(name)).append("\">").append(text).append("</a></li>\n");
  }

  private static void send(HttpServletResponse response, String type, byte[] bytes) throws IOException {
    response.setHeader("Cache-Control", HOUR);
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setContentType(type);
    response.setContentLength(bytes.length);
    response.getOutputStream().write(bytes);
  }
}
