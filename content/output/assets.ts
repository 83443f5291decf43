/** Style sheet, script, fonts and icon: bundled, minified and named by content hash. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { BuildOptions } from 'esbuild';
import { defined, lastOf } from '../../shared/checked-access.ts';
import { contentFolder } from '../model/sources.ts';
import { type Cache, sha256 } from './write.ts';

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

export const contentTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  woff2: 'font/woff2',
  png: 'image/png',
};

export async function makeAssets(cache: Cache): Promise<Assets> {
  const sources = globSync('{styles,browser,static}/*', { cwd: contentFolder }).sort();
  const inputs = sources.map((file) => sha256(readFileSync(join(contentFolder, file))));
  const packed = await cache.get('assets.json', [...sources, ...inputs], bundleNow);
  const named = JSON.parse(packed.toString()) as Record<string, string>;

  const files = Object.entries(named).map(([name, body]) => asset(name, Buffer.from(body, 'base64')));
  const find = (pattern: RegExp): string => defined(files.find(({ path }) => pattern.test(path))).path;
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
  contentType: defined(contentTypes[lastOf(name.split('.'))]),
  body,
});

/** Bundles and minifies files of this folder. @param at the path from which the pages load the files */
export async function bundled(at: string, files: readonly string[], options: BuildOptions) {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: files.map((file) => join(contentFolder, file)),
    outdir: at,
    publicPath: at,
    assetNames: '[name].[hash]',
    bundle: true,
    minify: true,
    logLevel: 'warning',
    ...options,
    write: false,
  });
  return outputFiles;
}

async function bundleNow(): Promise<Buffer> {
  const outputFiles = await bundled('/assets', ['styles/site.css', 'browser/site.js', 'static/icon.svg'], {
    entryNames: '[name].[hash]',
    target: ['es2022', 'chrome109', 'firefox115', 'safari16.4'],
    loader: { '.woff2': 'file', '.svg': 'copy' },
  });
  const named = outputFiles.map(({ path, contents }) => [
    basename(path),
    Buffer.from(contents).toString('base64'),
  ]);
  return Buffer.from(JSON.stringify(Object.fromEntries(named)));
}
