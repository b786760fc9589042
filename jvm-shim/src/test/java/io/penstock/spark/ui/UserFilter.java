package io.penstock.spark.ui;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;

/** Believes whoever says who he is; a real one would ask for proof. */
public final class UserFilter implements Filter {

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain rest)
      throws IOException, ServletException {
    String user = ((HttpServletRequest) request).getHeader("User");
    rest.doFilter(
        new HttpServletRequestWrapper((HttpServletRequest) request) {
          @Override
          public String getRemoteUser() {
            return user;
          }
        },
        response);
  }
}
