import { UnusableStoreError } from '../../store.js';

export interface Place {
  /** For people: without user name and password. */
  readonly text: string;
  /** As `HOST:PORT`: some nodes of a cluster, or the one server. */
  readonly nodes: readonly string[];
  readonly isCluster: boolean;
  urlOf(node: string): string;
}

const DEFAULT_PORT = 6379;

const CLUSTER = /^(rediss?)\+cluster:\/\/(?:([^@/]*)@)?([^@/]+)\/?$/;

/** Throws a sentence, without the password, for an invalid URL. */
export function placeOf(url: string): Place {
  return /^rediss?\+/.test(url) ? placeOfCluster(url) : placeOfServer(url);
}

function placeOfServer(url: string): Place {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || parsed.hostname === '' || !/^\/?\d*$/.test(parsed.pathname)) {
    throw new UnusableStoreError(
      '--store: not a Redis server URL. Use redis://HOST:PORT or redis://HOST:PORT/DATABASE, with a database number. ' +
        'Percent-encode /, @, : and % in the user name and password.',
    );
  }
  return { text: parsed.host, nodes: [parsed.host], isCluster: false, urlOf: () => url };
}

function placeOfCluster(url: string): Place {
  const [, scheme = '', user, hosts = ''] = CLUSTER.exec(url) ?? [];
  const urlOf = (node: string) => `${scheme}://${user === undefined ? '' : `${user}@`}${node}`;
  const nodes = hosts.split(',').map((host) => (/:\d+$/.test(host) ? host : `${host}:${DEFAULT_PORT}`));
  if (scheme === '' || !nodes.every((node) => isHost(urlOf(node)))) {
    throw new UnusableStoreError(
      '--store: not a Redis cluster URL. Use redis+cluster://HOST:PORT,HOST:PORT, with some of its nodes and no database. ' +
        'Percent-encode /, @, : and % in the user name and password.',
    );
  }
  return { text: nodes.join(','), nodes, isCluster: true, urlOf };
}

function isHost(url: string): boolean {
  return URL.canParse(url) && new URL(url).hostname !== '';
}
