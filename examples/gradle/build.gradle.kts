// A program with Rondo and its test, on the BOUND backend: gradle run test. Needs Gradle 9.1 or newer, and a JDK 25.
plugins {
  application
}

java {
  toolchain {
    languageVersion = JavaLanguageVersion.of(25)
  }
}

dependencies {
  implementation(platform("dev.rondo:rondo-bom:0.1.0-SNAPSHOT"))
  implementation("dev.rondo:rondo-application")
  runtimeOnly("org.slf4j:slf4j-simple:2.0.20")

  testImplementation("dev.rondo:rondo-junit")
  testImplementation(platform("org.junit:junit-bom:5.14.4"))
  testImplementation("org.junit.jupiter:junit-jupiter")
  testRuntimeOnly("org.junit.platform:junit-platform-launcher")
}

// CONTINUATION has jdk.internal.vm in place of java.lang.
val bound = listOf("--add-opens", "java.base/java.lang=ALL-UNNAMED")

application {
  mainClass = "com.acme.Hello"
  applicationDefaultJvmArgs = bound
}

tasks.test {
  useJUnitPlatform()
  jvmArgs(bound)
}
