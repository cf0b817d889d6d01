package io.rns.server.partition;

import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Proxy;
import java.util.Map;

/** The parameters of a request that has nothing else. */
final class TestParameters {
  private TestParameters() {}

  static QueryParameters of(Map<String, String> parameters) {
    return new QueryParameters(
        (HttpServletRequest) Proxy.newProxyInstance(
            TestParameters.class.getClassLoader(), new Class<?>[]{HttpServletRequest.class},
            (proxy, asked, arguments) -> {
              if (asked.getName().equals("getParameter")) {
                return parameters.get(String.valueOf(arguments[0]));
              }
              throw new UnsupportedOperationException(asked.getName());
            }));
  }
}
