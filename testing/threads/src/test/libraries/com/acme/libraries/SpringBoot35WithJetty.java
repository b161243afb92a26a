// DEPS org.springframework.boot:spring-boot-dependencies:3.5.7@pom
// DEPS org.springframework.boot:spring-boot-starter-web
// WITHOUT org.springframework.boot:spring-boot-starter-tomcat
// DEPS org.springframework.boot:spring-boot-starter-jetty
// DEPS org.springframework.boot:spring-boot-starter-jdbc
// DEPS com.h2database:h2
package com.acme.libraries;

public final class SpringBoot35WithJetty {

  public static void main(String[] args) throws Exception {
    SpringService.main(args);
  }
}
