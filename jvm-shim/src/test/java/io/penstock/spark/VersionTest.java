package io.penstock.spark;

final class VersionTest {

  /** The build passes the version to both: to the jar as a resource, to this test as a property. */
  public void the_version_is_the_one_the_build_wrote() {
    Check.equal(System.getProperty("penstock.version"), Version.own());
  }
}
