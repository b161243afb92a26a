rootProject.name = "hello"

dependencyResolutionManagement {
  repositories {
    mavenLocal() // mvn -q install -DskipTests
    mavenCentral()
  }
}
