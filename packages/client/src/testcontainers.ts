import { AbstractStartedContainer, GenericContainer, type StartedTestContainer, Wait } from 'testcontainers';
import { Mayfly } from './client.js';
import { LISTENING_VARIABLES, type MayflyContainerSettings, VARIABLES } from './container-settings.js';
import { MayflyOptionError } from './errors.js';
import { aSetting, checkOptions } from './options.js';
import { domainOfServer, type MayflyOptions } from './settings.js';

export type { MayflyContainerSettings };

/** Where the service listens in the image. */
const SMTP_PORT = 2525;
const HTTP_PORT = 8080;

const RULES = Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, aSetting])) as {
  [name in keyof MayflyContainerSettings]-?: typeof aSetting;
};

/**
 * A Mayfly in a container of its own, for Testcontainers. `start()` resolves once it accepts mail and answers requests.
 */
export class MayflyContainer extends GenericContainer {
  /** The image of this version. */
  static readonly IMAGE = 'ghcr.io/OWNER/mayfly:0.1';

  constructor(image: string = MayflyContainer.IMAGE) {
    super(image);
    this.withExposedPorts(SMTP_PORT, HTTP_PORT);
    // A setting that the service refuses ends its process: the error then holds its log, and comes at once.
    this.withWaitStrategy(Wait.forHttp('/readyz', HTTP_PORT, { abortOnContainerExit: true }).forStatusCode(200));
  }

  /**
   * Settings of the service, such as `{ domain: ['acme.test'], spaces: true }`. Throws `MayflyOptionError` for one that
   * does not exist; a value that is not valid ends the service, and `start()` rejects with its sentence.
   */
  withSettings(settings: MayflyContainerSettings): this {
    checkOptions('withSettings', settings, RULES);
    const given = Object.entries(settings).filter(([, value]) => value !== undefined);
    // Settings that take several values are separated by commas, which none of them contains.
    return this.withEnvironment(
      Object.fromEntries(given.map(([name, value]) => [VARIABLES[name as keyof typeof VARIABLES], `${value}`])),
    );
  }

  override async start(): Promise<StartedMayflyContainer> {
    return new StartedMayflyContainer(await super.start(), domainOfServer(this.environment.MAYFLY_DOMAIN));
  }

  /** Elsewhere, the service would never be found ready. */
  protected override async beforeContainerCreated(): Promise<void> {
    const moved = LISTENING_VARIABLES.find((variable) => variable in this.environment);
    if (moved === undefined) return;
    throw new MayflyOptionError(
      `${moved} cannot be set: Testcontainers publishes the ports ${SMTP_PORT} and ${HTTP_PORT} of the image on free ones. getSmtpPort() and getHttpUrl() name them.`,
    );
  }
}

/** A started `MayflyContainer`. */
export class StartedMayflyContainer extends AbstractStartedContainer {
  readonly #domain: string | undefined;

  constructor(started: StartedTestContainer, domain?: string) {
    super(started);
    this.#domain = domain;
  }

  /** The host that an application on this machine sends its mail to. */
  getSmtpHost(): string {
    return this.getHost();
  }

  /** The port for that. It changes with a restart. */
  getSmtpPort(): number {
    return this.getMappedPort(SMTP_PORT);
  }

  /** Base URL of the HTTP interface and of the inbox page. It changes with a restart. */
  getHttpUrl(): string {
    return `http://${this.getHost()}:${this.getMappedPort(HTTP_PORT)}`;
  }

  /** A client of this service, whose inboxes are in the first domain of its settings. */
  mayfly(options: Omit<MayflyOptions, 'baseUrl'> = {}): Mayfly {
    return new Mayfly({
      ...(this.#domain !== undefined && { domain: this.#domain }),
      ...options,
      baseUrl: this.getHttpUrl(),
    });
  }
}
