/** Only this file reads the environment of a Lambda. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Place } from '../../engines/engine.ts';
import { placeOf, type Settings } from '../../engines/selection.ts';
import { parseJson, recordOf, text } from '../../shared/parse.ts';
import { type Capacity, providerCapacities } from '../admission/capacity.ts';

export interface Environment {
  readonly name: string;
  readonly engines: Place;
  /** Whether requests for tenants may go to private addresses too: locally, receivers and storages run on the same machine. */
  readonly reachesAll: boolean;
  readonly siteUrl: string;
  /** Origin of the API, without `/v1`, for its own functions and for its callers. */
  readonly apiUrl: string;
  /** The secret of requests that came through CloudFront. Empty if CloudFront is not in front of the API. */
  readonly edgeSecret: string;
  readonly coreTable: string;
  readonly authTable: string;
  readonly ephemeralTable: string;
  readonly mediaBucket: string;
  /** ARN of a state machine by the name of its definition: `DeleteAsset`. */
  readonly machineArn: (machine: string) => string;
  /** Set by the local cloud: S3 then has one host, with bucket names in the path. */
  readonly localS3: boolean;
  readonly debug: boolean;
  /** The maximum number of jobs that may run at once, and that may use each provider at once. Null if there is no limit. */
  readonly capacity: Capacity | null;
}

const value = (name: string) => process.env[name] ?? '';

export const environment: Environment = {
  name: value('ENVIRONMENT'),
  engines: placeOf(process.env),
  reachesAll: value('REACHABLE_ADDRESSES') === 'all',
  siteUrl: value('SITE_URL'),
  apiUrl: value('API_URL'),
  edgeSecret: value('EDGE_SECRET'),
  coreTable: value('CORE_TABLE'),
  authTable: value('AUTH_TABLE'),
  ephemeralTable: value('EPHEMERAL_TABLE'),
  mediaBucket: value('MEDIA_BUCKET'),
  machineArn: (machine) => value(`${machine.replace(/(?<!^)([A-Z])/g, '_$1').toUpperCase()}_MACHINE_ARN`),
  localS3: process.env.AWS_ENDPOINT_URL_S3 !== undefined,
  debug: value('LOG_LEVEL') === 'debug',
  capacity: value('JOBS_AT_ONCE')
    ? {
        jobs: Number(value('JOBS_AT_ONCE')),
        providers: parseJson(providerCapacities, value('PROVIDER_LINES') || '{}'),
      }
    : null,
};

/** The settings that engines declare, by name. Returns the same object until a setting changes. */
export const settings = (): Settings => chosenSettings?.() ?? process.env;

/** The local cloud sets the path of a file with settings that its user may change while the functions run. */
const chosenSettings = process.env.SETTINGS_FILE
  ? settingsWithFile(process.env.SETTINGS_FILE, process.env)
  : null;

/**
 * Reads settings from the environment, and missing ones from a JSON file. The file contains names of settings, each with
 * a path relative to the folder of the file. Each call checks whether the file has changed (a `stat`, some 3 µs), and
 * returns the same object if it has not. A missing file, or one that is being replaced, adds nothing.
 */
export function settingsWithFile(file: string, environment: Settings): () => Settings {
  let version: string | null = null;
  let settings = environment;
  return () => {
    const found = statSync(file, { throwIfNoEntry: false });
    const current = found ? `${found.ino} ${found.size} ${found.mtimeMs}` : null;
    if (current !== version) {
      version = current;
      settings = current === null ? environment : merged(environment, pathsIn(file));
    }
    return settings;
  };
}

function merged(environment: Settings, chosen: Settings): Settings {
  const given = Object.entries(environment).filter(([, value]) => value);
  return { ...chosen, ...Object.fromEntries(given) };
}

function pathsIn(file: string): Settings {
  const paths = parseJson(recordOf(text), readFileSync(file, 'utf8'));
  return Object.fromEntries(
    Object.entries(paths).map(([name, path]) => [name, resolve(dirname(file), path)]),
  );
}
