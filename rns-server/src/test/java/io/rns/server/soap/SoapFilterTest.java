package io.rns.server.soap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.Caller;
import io.rns.api.ModelNameService;
import io.rns.api.RnsPath;
import io.rns.referral.Announcement;
import io.rns.referral.Referral;
import io.rns.server.RequestBytes;
import io.rns.server.ResponseBytes;
import io.rns.server.http.Callers;
import io.rns.server.http.RequestedHost;
import io.rns.server.overload.OverloadSettings;
import io.rns.server.overload.RequestAdmission;
import io.rns.wire.HostileMessages;
import io.rns.wire.Namespaces;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Admission at the entrance for plain messages. */
class SoapFilterTest {
  private static final String QUERY = HostileMessages.message("", "<r:query/>");

  private final AtomicLong nanos = new AtomicLong();
  private final RequestAdmission admission =
      new RequestAdmission(new OverloadSettings(OverloadSettings.Mode.FIXED, 2), nanos::get);
  private final SoapEndpoint endpoint =
      new SoapEndpoint(new SoapEndpoint.Parts(
          new ModelNameService(),
          null,
          SoapSettings.DEFAULT,
          Waits.NEVER,
          admission,
          () -> List.of(
              new Referral(RnsPath.ROOT, 3, 30_000, List.of(Announcement.unreachable("http://other/rns", "other")))),
          () -> SoapEndpoint.NOBODY, null, new WrittenPages(0)));
  private final SoapFilter filter = new SoapFilter();

  /** What came back. */
  private static final class Answer {
    private int status = HttpServletResponse.SC_OK;
    private final Map<String, Object> headers = new HashMap<>();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();

    private String text() {
      return body.toString(UTF_8);
    }
  }

  @BeforeEach
  void initialise() throws Exception {
    ServletContext context = stand(ServletContext.class, Map.of("getAttribute", endpoint));
    filter.init(stand(FilterConfig.class, Map.of("getServletContext", context)));
  }

  /** An object of the container that knows a few answers, and nothing else. */
  private static <T> T stand(Class<T> type, Map<String, Object> answers) {
    return stand(
        type,
        (proxy, method, arguments) -> {
          Object answer = answers.get(method.getName());
          if (answer instanceof Function<?, ?> function) {
            @SuppressWarnings("unchecked")
            Function<Object, Object> byName = (Function<Object, Object>) function;
            return byName.apply(arguments[0]);
          }
          if (answer != null) {
            return answer;
          }
          return method.getReturnType() == boolean.class ? (Object) false : null;
        });
  }

  private static <T> T stand(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(SoapFilterTest.class.getClassLoader(), new Class<?>[]{type}, handler));
  }

  private Answer post(String message, String address, FilterChain chain) throws Exception {
    return post(message, "text/xml", address, chain);
  }

  @SuppressWarnings("JdkObsolete") // the container's contract
  private Answer post(String message, String type, String address, FilterChain chain) throws Exception {
    byte[] bytes = message.getBytes(UTF_8);
    Map<String, Object> known = new HashMap<>();
    known.put("getMethod", "POST");
    known.put("getContentType", type);
    known.put("getContentLengthLong", (long) bytes.length);
    known.put("getInputStream", new RequestBytes(bytes));
    Map<String, Object> attributes =
        Map.of(
            RequestedHost.class.getName(), new RequestedHost("h", true, "http://h/rns"), Callers.ATTRIBUTE,
            Caller.ANONYMOUS);
    Function<Object, Object> attribute = attributes::get;
    known.put("getAttribute", attribute);
    known.put("getRequestURI", "/rns/services/rns");
    known.put("getServletPath", "/services/rns");
    known.put("getRemoteAddr", address);
    Answer answer = new Answer();
    filter.doFilter(stand(HttpServletRequest.class, known), response(answer), chain);
    return answer;
  }

  private static HttpServletResponse response(Answer answer) {
    return stand(
        HttpServletResponse.class,
        (proxy, method, arguments) -> {
          switch (method.getName()) {
            case "setStatus" -> answer.status = (int) arguments[0];
            case "setHeader" -> answer.headers.put((String) arguments[0], arguments[1]);
            case "setContentType" -> answer.headers.put("Content-Type", arguments[0]);
            case "getOutputStream" -> {
              return new ResponseBytes(answer.body::write);
            }
            case "isCommitted" -> {
              return false;
            }
            default -> {
            }
          }
          return null;
        });
  }

  private static final FilterChain NOBODY =
      (request, response) -> {
        throw new ServletException("JAX-WS was not to be asked");
      };

  @Test
  void whoFindsNoPlaceIsToldWhenToComeBack() throws Exception {
    assertThat(post(QUERY, "192.0.2.1", NOBODY).status).isEqualTo(200);
    RequestAdmission.Ticket one = admission.enter(() -> "a");
    RequestAdmission.Ticket other = admission.enter(() -> "a");
    Answer answer = post(QUERY, "192.0.2.1", NOBODY);
    assertThat(answer.status).isEqualTo(500);
    assertThat(answer.headers).containsEntry("Retry-After", "1");
    assertThat(answer.text()).contains("BUSY").contains("retryMillis>20<");
    one.close();
    other.close();
    assertThat(post(QUERY, "192.0.2.1", NOBODY).text()).contains("queryResponse");
    assertThat(admission.freePlaces()).isEqualTo(2);
  }

  @Test
  void whoFindsNoPlaceIsToldTheServersIfHeAsks() throws Exception {
    RequestAdmission.Ticket one = admission.enter(() -> "a");
    RequestAdmission.Ticket other = admission.enter(() -> "a");
    String asks = "<x:Extensions/><x:Servers/>";
    assertThat(busy(HostileMessages.message(asks, "<r:query/>"))).contains("url=\"http://other/rns\"", "epoch=\"3\"");
    assertThat(busy(HostileMessages.message(asks, "<r:query><r:nonsense/></r:query>"))).as("nobody looks at the body")
        .contains("http://other/rns");
    assertThat(busy(HostileMessages.message(asks + "<x:Site>a b</x:Site>", "<r:query/>"))).as("before what is no good")
        .contains("http://other/rns");
    assertThat(busy(HostileMessages.message("<f:f xmlns:f='urn:f'/>" + asks, "<r:query/>")))
        .as("behind a foreign header").doesNotContain("http://other");
    assertThat(busy(HostileMessages.message("<x:Extensions/>", "<r:query/>"))).doesNotContain("http://other");
    assertThat(busy("<broken")).doesNotContain("http://other");
    assertThat(busy("")).doesNotContain("http://other");
    one.close();
    other.close();
  }

  @Test
  void whoFindsNoPlaceIsToldInHisVersionOfSoap() throws Exception {
    RequestAdmission.Ticket one = admission.enter(() -> "a");
    RequestAdmission.Ticket other = admission.enter(() -> "a");
    String message = HostileMessages.message("<x:Extensions/><x:Servers/>", "<r:query/>").replace(Namespaces.SOAP_11,
        Namespaces.SOAP_12);
    Answer answer = post(message, "application/soap+xml", "192.0.2.1", NOBODY);
    assertThat(answer.headers).containsEntry("Retry-After", "1").containsEntry("Content-Type",
        "application/soap+xml;charset=utf-8");
    assertThat(answer.text()).contains(Namespaces.SOAP_12, "BUSY", "retryMillis>20<", "http://other/rns")
        .doesNotContain(Namespaces.SOAP_11);
    one.close();
    other.close();
  }

  private String busy(String message) throws Exception {
    Answer answer = post(message, "192.0.2.1", NOBODY);
    assertThat(answer.status).isEqualTo(500);
    assertThat(answer.headers).containsEntry("Retry-After", "1");
    assertThat(answer.text()).contains("BUSY", "retryMillis>20<", "Envelope>");
    return answer.text();
  }

  @Test
  void placesAreSharedAmongAddresses() throws Exception {
    RequestAdmission.Ticket one = admission.enter(() -> "\n192.0.2.9");
    RequestAdmission.Ticket other = admission.enter(() -> "\n192.0.2.9");
    assertThat(post(QUERY, "192.0.2.1", NOBODY).status).isEqualTo(500);
    other.close();
    assertThat(post(QUERY, "192.0.2.9", NOBODY).status).isEqualTo(500);
    assertThat(post(QUERY, "192.0.2.1", NOBODY).status).isEqualTo(200);
    one.close();
  }

  @Test
  void aPlaceIsGivenBackWhateverHappens() throws Exception {
    assertThat(post("<broken", "192.0.2.1", NOBODY).status).isEqualTo(500);
    String foreign = QUERY.replace("<s:Body>", "<s:Header><f:f xmlns:f='urn:f'/></s:Header><s:Body>");
    for (int i = 0; i < 5; i++) {
      try {
        Answer unused = post(foreign, "192.0.2.1", NOBODY);
      } catch (ServletException e) {
        assertThat(e).hasMessageContaining("JAX-WS");
      }
    }
    assertThat(admission.freePlaces()).isEqualTo(2);
  }
}
