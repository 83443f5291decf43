/** The output of `npm run build:site` in `build/site/<env>`: objects, the two functions, the distribution's settings. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** An entry of manifest.json's `objects`. */
interface ObjectEntry {
  readonly key: string;
  /** Relative to the site's folder. */
  readonly file: string;
  readonly contentType: string;
  readonly contentEncoding?: string;
  readonly contentLanguage?: string;
  readonly cacheControl: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** An object of the site as S3 holds it. */
export interface StoredObject extends ObjectEntry {
  readonly body: Buffer;
  /** The entity tag that S3 gives to a single PUT: the body's MD5, quoted. */
  readonly etag: string;
  readonly lastModified: Date;
}

/** edge/distribution.json, which the stack reads as well. */
export interface DistributionSettings {
  /** Headers that the response headers policy adds, by lower-case name. */
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly removedHeaders: readonly string[];
  /** The key that CloudFront reads for `/` if no function has rewritten the path. Without it, the root would list the bucket. */
  readonly defaultRootObject: string;
  /** The URI of the object that CloudFront sends if the origin answers 404. */
  readonly errorDocument: string;
}

export interface BuiltSite {
  /** `kinora.example`, the host that the functions expect. */
  readonly host: string;
  readonly viewerRequest: string;
  readonly viewerResponse: string;
  readonly distribution: DistributionSettings;
  object(key: string): StoredObject | undefined;
}

/** Reads the site again after a build has replaced its manifest or its functions. */
export function watchSite(siteDir: string): () => BuiltSite {
  const files = [
    'manifest.json',
    'edge/viewer-request.js',
    'edge/viewer-response.js',
    'edge/distribution.json',
  ];
  const paths = files.map((file) => join(siteDir, file));
  let site: BuiltSite | undefined;
  let stamp = '';
  return () => {
    const missing = files.filter((_, index) => !existsSync(paths[index]!));
    if (missing.length > 0)
      throw new Error(`${siteDir} lacks ${missing.join(', ')}: run \`npm run build:site\``);
    const now = paths.map((path) => statSync(path).mtimeMs).join(' ');
    if (site === undefined || now !== stamp) site = readSite(siteDir);
    stamp = now;
    return site;
  };
}

function readSite(siteDir: string): BuiltSite {
  const text = (file: string) => readFileSync(join(siteDir, file), 'utf8');
  const manifest = JSON.parse(text('manifest.json')) as {
    hosts: { baseUrl: string };
    objects: ObjectEntry[];
  };
  const entries = new Map(manifest.objects.map((entry) => [entry.key, entry]));
  const read = new Map<string, StoredObject>();
  return {
    host: new URL(manifest.hosts.baseUrl).host,
    viewerRequest: text('edge/viewer-request.js'),
    viewerResponse: text('edge/viewer-response.js'),
    distribution: JSON.parse(text('edge/distribution.json')) as DistributionSettings,
    object: (key) => {
      const entry = entries.get(key);
      if (entry !== undefined && !read.has(key)) read.set(key, readObject(siteDir, entry));
      return read.get(key);
    },
  };
}

function readObject(siteDir: string, entry: ObjectEntry): StoredObject {
  const path = join(siteDir, entry.file);
  const body = readFileSync(path);
  const lastModified = new Date(Math.floor(statSync(path).mtimeMs / 1000) * 1000);
  return { ...entry, body, etag: `"${createHash('md5').update(body).digest('hex')}"`, lastModified };
}
