/** Style sheet, script, fonts and icon: bundled, minified and named by content hash. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { contentFolder } from '../model/sources.ts';
import { type Cache, sha256 } from './cache.ts';

/** A file that never changes under its name: its name contains a hash. */
export interface Asset {
  /** `/assets/site.3QKZ2M.css`. */
  readonly path: string;
  readonly contentType: string;
  readonly body: Buffer;
}

export interface Assets {
  readonly style: string;
  readonly script: string;
  readonly icon: string;
  /** Fonts of the first screen, to be loaded together with the style sheet. */
  readonly fonts: readonly string[];
  readonly files: readonly Asset[];
}

const contentTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
  png: 'image/png',
};

export async function makeAssets(cache: Cache): Promise<Assets> {
  const sources = globSync('{styles,browser,static}/*', { cwd: contentFolder }).sort();
  const inputs = sources.map((file) => sha256(readFileSync(join(contentFolder, file))));
  const packed = await cache.get('assets.json', [...sources, ...inputs], bundleNow);
  const named = JSON.parse(packed.toString()) as Record<string, string>;

  const files = Object.entries(named).map(([name, body]) => asset(name, Buffer.from(body, 'base64')));
  const find = (pattern: RegExp): string => files.find(({ path }) => pattern.test(path))!.path;
  return {
    style: find(/\/site\.\w+\.css$/),
    script: find(/\/site\.\w+\.js$/),
    icon: find(/\/icon\.\w+\.svg$/),
    fonts: files.map(({ path }) => path).filter((path) => path.endsWith('.woff2')),
    files,
  };
}

/** An asset whose body does not go through the bundler, named in the same way. */
export function namedAsset(stem: string, extension: string, body: Buffer): Asset {
  return asset(`${stem}.${sha256(body).slice(0, 8)}.${extension}`, body);
}

const asset = (name: string, body: Buffer): Asset => ({
  path: `/assets/${name}`,
  contentType: contentTypes[name.split('.').at(-1)!]!,
  body,
});

async function bundleNow(): Promise<Buffer> {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: ['styles/site.css', 'browser/site.js', 'static/icon.svg'].map((f) => join(contentFolder, f)),
    outdir: '/assets',
    publicPath: '/assets',
    entryNames: '[name].[hash]',
    assetNames: '[name].[hash]',
    bundle: true,
    minify: true,
    write: false,
    target: ['es2022', 'chrome109', 'firefox115', 'safari16.4'],
    loader: { '.woff2': 'file', '.svg': 'copy' },
    logLevel: 'warning',
  });
  const named = outputFiles.map(({ path, contents }) => [
    basename(path),
    Buffer.from(contents).toString('base64'),
  ]);
  return Buffer.from(JSON.stringify(Object.fromEntries(named)));
}
