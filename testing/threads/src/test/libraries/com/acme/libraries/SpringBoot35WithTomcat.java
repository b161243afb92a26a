// DEPS org.springframework.boot:spring-boot-dependencies:3.5.7@pom
// DEPS org.springframework.boot:spring-boot-starter-web
// DEPS org.springframework.boot:spring-boot-starter-jdbc
// DEPS com.h2database:h2
package com.acme.libraries;

public final class SpringBoot35WithTomcat {

  public static void main(String[] args) throws Exception {
    SpringService.main(args);
  }
}
