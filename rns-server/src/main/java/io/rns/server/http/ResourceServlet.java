package io.rns.server.http;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;

/** A servlet that says by which methods its resources are used, and refuses others as it refuses everything. */
public abstract class ResourceServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  private final transient List<String> methods;

  /** A servlet for these methods and OPTIONS. */
  protected ResourceServlet(String... methods) {
    this.methods = List.of(methods);
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws ServletException, IOException {
    if (answered(methods(request), request, response)) {
      return;
    }
    super.service(request, response);
  }

  /** The methods of the resource that a request is for; those of the servlet unless it says otherwise. */
  protected List<String> methods(HttpServletRequest request) {
    return methods;
  }

  /** Answers OPTIONS and whatever is none of the methods; false if there is more to do. */
  public static boolean answered(List<String> methods, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String method = request.getMethod();
    if (methods.contains(method)) {
      return false;
    }
    response.setHeader("Allow", String.join(", ", methods) + ", OPTIONS");
    if (method.equals("OPTIONS")) {
      tellMethods(request, response);
    } else {
      RnsException unknown =
          new RnsException(RnsError.UNKNOWN_OPERATION, "there is no " + method + " of this resource");
      JsonReplies.send(response, JsonReplies.refuse(response, unknown, HttpServletResponse.SC_METHOD_NOT_ALLOWED));
    }
    return true;
  }

  private static void tellMethods(HttpServletRequest request, HttpServletResponse response) throws IOException {
    try {
      // What can be no path has no methods.
      var unused = RequestUrl.path(request);
      response.setStatus(HttpServletResponse.SC_NO_CONTENT);
    } catch (RnsException e) {
      JsonReplies.send(response, JsonReplies.refuse(response, e));
    }
  }
}
