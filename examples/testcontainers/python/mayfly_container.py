from __future__ import annotations

from mayfly_client import Mayfly
from testcontainers.core.container import DockerContainer
from testcontainers.core.wait_strategies import HttpWaitStrategy


class MayflyContainer(DockerContainer):
    def __init__(self, image: str = "ghcr.io/OWNER/mayfly:0.1") -> None:
        super().__init__(image)
        self.with_exposed_ports(2525, 8080)
        self.waiting_for(HttpWaitStrategy(8080, "/readyz").for_status_code(200))

    def smtp(self) -> tuple[str, int]:
        return self.get_container_host_ip(), self.get_exposed_port(2525)

    def mayfly(self) -> Mayfly:
        return Mayfly(f"http://{self.get_container_host_ip()}:{self.get_exposed_port(8080)}")
