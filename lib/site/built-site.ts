/** Reads the output of `npm run build:site` for one environment: objects, edge functions, settings of the distribution. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../environments.ts';
import type { ArchivedObject, ObjectHeaders } from './archive.ts';
import { apiOriginOf, siteOriginOf } from './placeholders.ts';

interface ObjectEntry extends ObjectHeaders {
  readonly key: string;
  /** Path relative to the site's folder. */
  readonly file: string;
}

interface SiteHosts {
  /** Origin of the site, without a trailing slash. */
  readonly baseUrl: string;
  readonly apiUrl: string;
  readonly host: string;
  readonly alternateHosts: readonly string[];
}

export interface DistributionSettings {
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly removedHeaders: readonly string[];
  /** The key of the object for `/`, if no function rewrote the path. Without it, the root would list the bucket. */
  readonly defaultRootObject: string;
  /** The URI of the object that is sent if the origin answers 404. */
  readonly errorDocument: string;
}

export interface BuiltSite {
  readonly hosts: SiteHosts;
  readonly settings: DistributionSettings;
  readonly viewerRequest: string;
  readonly viewerResponse: string;
  readonly deployer: string;
  objects(): ArchivedObject[];
}

const sites = join(import.meta.dirname, '..', '..', 'build', 'site');

/** @param folder default: `build/site/<env>` */
export function readBuiltSite(environment: Environment, folder = join(sites, environment.name)): BuiltSite {
  const { name } = environment;
  const read = (file: string) => {
    if (existsSync(join(folder, file))) return readFileSync(join(folder, file), 'utf8');
    throw new Error(`There is no ${join(folder, file)}: \`npm run build:site -- ${name}\` makes it`);
  };
  const { hosts, objects } = JSON.parse(read('manifest.json')) as {
    hosts: SiteHosts;
    objects: ObjectEntry[];
  };
  const wanted = [siteOriginOf(environment), apiOriginOf(environment)];
  const given = [hosts.baseUrl, hosts.apiUrl];
  if (given.join() !== wanted.join()) {
    throw new Error(
      `${folder} was built for ${given.join(' and ')}, the environment is at ${wanted.join(' and ')}: ` +
        `\`npm run build:site -- ${name}\` builds it anew`,
    );
  }
  return {
    hosts,
    settings: JSON.parse(read('edge/distribution.json')) as DistributionSettings,
    viewerRequest: read('edge/viewer-request.js'),
    viewerResponse: read('edge/viewer-response.js'),
    deployer: join(folder, 'deployer'),
    objects: () => objects.map((entry) => archived(folder, entry)),
  };
}

function archived(folder: string, entry: ObjectEntry): ArchivedObject {
  const { key, file, contentType, contentEncoding, contentLanguage, cacheControl, metadata } = entry;
  return {
    key,
    contentType,
    ...(contentEncoding && { contentEncoding }),
    ...(contentLanguage && { contentLanguage }),
    cacheControl,
    metadata,
    body: readFileSync(join(folder, file)),
  };
}
