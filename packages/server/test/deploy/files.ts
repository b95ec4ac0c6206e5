/** Reads the files of deploy/ as their users would. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../../../client/test/packed.js';

export const DEPLOY = path.join(ROOT, 'deploy');

export const HAPROXY_CFG = path.join(DEPLOY, 'haproxy.cfg');

/** The fields of a compose service that tests check. */
export interface ComposeService {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly command?: readonly string[];
  readonly ports?: readonly string[];
  readonly networks: readonly string[] | { readonly edge: { readonly ipv4_address: string } };
  readonly [other: string]: unknown;
}

export const readRoot = (file: string): Promise<string> => readFile(path.join(ROOT, file), 'utf8');

/** HAProxy's address in the compose file. */
export function haproxyAddress(services: Readonly<Record<string, ComposeService>>): string {
  const networks = services.haproxy?.networks;
  if (networks === undefined || !('edge' in networks)) throw new Error('HAProxy has no address of its own.');
  return networks.edge.ipv4_address;
}

export const readDeploy = (file: string): Promise<string> => readFile(path.join(DEPLOY, file), 'utf8');

/** Reads the services of deploy/compose.yaml, by name. */
export async function composeServices(): Promise<Readonly<Record<string, ComposeService>>> {
  return parse(await readDeploy('compose.yaml'), { merge: true, strict: true }).services;
}
