package io.rns.loadtest.page;

import io.rns.loadtest.load.LoadReport;
import java.util.Base64;

/** A report as one HTML page, plots included. */
public final class LoadPage {
  private static final String STYLE =
      "body{font:15px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#222}"
          + "pre{overflow-x:auto;background:#f6f6f6;padding:1rem;font-size:12px}"
          + "img{max-width:100%;display:block;margin:1.5rem 0}"
          + "table{border-collapse:collapse;font-size:13px}"
          + "td,th{padding:.2rem .7rem;text-align:right;border-bottom:1px solid #ddd}";

  private final StringBuilder html = new StringBuilder();

  private LoadPage() {}

  /**
   * The page.
   *
   * @param text the report for people, shown as it is
   */
  public static String html(LoadReport report, String text) {
    LoadPage page = new LoadPage();
    String title = "rns load: " + report.settings().operation() + ", " + report.settings().serviceUrl();
    page.html.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>").append(escaped(title));
    page.html.append("</title><style>").append(STYLE).append("</style></head><body>\n<h1>").append(escaped(title));
    page.html.append("</h1>\n<pre>").append(escaped(text)).append("</pre>\n");
    if (report.steps().size() > 1) {
      page.picture("requests per second for each number of clients", Plots.throughput(report));
      page.picture("latencies for each number of clients", Plots.latencies(report));
    }
    page.picture("latency of all but one in N requests", Plots.distribution(report));
    Plots.seconds(report).forEach(png -> page.picture("what each second gave", png));
    page.table(LoadTable.csv(report));
    return page.html.append("</body></html>\n").toString();
  }

  private void picture(String what, byte[] png) {
    html.append("<img alt=\"").append(what).append("\" src=\"data:image/png;base64,");
    html.append(Base64.getEncoder().encodeToString(png)).append("\">\n");
  }

  private void table(String csv) {
    html.append("<table>\n");
    String cell = "th";
    for (String line : csv.lines().toList()) {
      html.append("<tr>");
      for (String value : line.split(",", -1)) {
        html.append('<').append(cell).append('>').append(escaped(value)).append("</").append(cell).append('>');
      }
      html.append("</tr>\n");
      cell = "td";
    }
    html.append("</table>\n");
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
  }
}
