/** Reads the output of `npm run build:site` in `build/site/<env>`: the objects, the two functions, and the settings of the distribution. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** An entry of `objects` in manifest.json. */
interface ObjectEntry {
  readonly key: string;
  /** The path relative to the site's folder. */
  readonly file: string;
  readonly contentType: string;
  readonly contentEncoding?: string;
  readonly contentLanguage?: string;
  readonly cacheControl: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** An object of the site, as S3 stores it. */
export interface StoredObject extends ObjectEntry {
  readonly body: Buffer;
  /** The ETag that S3 gives to an object of a single PUT: the MD5 of the body in quotation marks. */
  readonly etag: string;
  readonly lastModified: Date;
}

/** The content of edge/distribution.json, which the stack reads, too. */
export interface DistributionSettings {
  /** The headers that the response headers policy adds, by lower-case name. */
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly removedHeaders: readonly string[];
  /** The key that CloudFront reads for `/` if no function rewrites the path. Without it, the root would list the bucket. */
  readonly defaultRootObject: string;
  /** The URI of the object that CloudFront sends if the origin answers 404. */
  readonly errorDocument: string;
}

export interface BuiltSite {
  /** The host that the functions expect, such as `app.example`. */
  readonly host: string;
  readonly viewerRequest: string;
  readonly viewerResponse: string;
  readonly distribution: DistributionSettings;
  object(key: string): StoredObject | undefined;
}

/** Returns a function that returns the site. It reads the site again if a build has replaced its manifest or its functions. */
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
