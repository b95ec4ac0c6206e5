import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

public class MayflyContainer extends GenericContainer<MayflyContainer> {
    public MayflyContainer() {
        super(DockerImageName.parse("ghcr.io/OWNER/mayfly:0.1"));
        withExposedPorts(2525, 8080);
        waitingFor(Wait.forHttp("/readyz").forPort(8080).forStatusCode(200));
    }

    public String url() {
        return "http://" + getHost() + ":" + getMappedPort(8080);
    }

    public int smtpPort() {
        return getMappedPort(2525);
    }
}
