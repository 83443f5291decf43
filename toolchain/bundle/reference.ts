/** Copies the API reference next to the bundle that serves it: `build/lambdas/Reference/files`. */
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { bundled, contentTypes } from '../../content/output/assets.ts';
import { type Manifest, manifestName, type ShippedFile } from '../../platform/kernel/shipped-files.ts';
import { defined } from '../../shared/checked-access.ts';
import { lambdasFolder, root } from './paths.ts';

/** The sources of the API reference, without packages. */
export const referenceSources = [
  'content/output/assets.ts',
  'content/reference',
  'content/static',
  'content/styles',
  'toolchain/openapi',
];

const folder = join(lambdasFolder, 'Reference', 'files');
const modules = join(root, 'node_modules');

interface Asset {
  /** The name of the asset in the template of the page. */
  readonly stem: string;
  /** The stem with a hash of the content, so that a name always has the same content. */
  readonly name: string;
  readonly bytes: Buffer;
}

type Staged = ShippedFile & { readonly bytes: Buffer };

export function isReferenceStaged(): boolean {
  return existsSync(join(folder, manifestName));
}

export async function stageReference(): Promise<void> {
  const assets = [...(await madeAssets()), ...copiedAssets()];
  const files = new Map<string, Staged>();
  const paths: Record<string, string> = {};
  for (const { stem, name, bytes } of assets) {
    paths[stem] = `/docs/${name}`;
    files.set(`/docs/${name}`, stagedAsset(name, bytes));
  }
  files.set('/docs', template('page.html', 'text/html; charset=utf-8', pageWith(paths)));
  files.set('/openapi.json', template('openapi.json', 'application/json', await documentText()));
  await write(files);
}

/** Bundles the style sheet with its fonts, and the script, with esbuild. */
async function madeAssets(): Promise<Asset[]> {
  const outputFiles = await bundled('/docs', ['reference/theme.css', 'reference/start.js'], {
    entryNames: '[name]',
    format: 'iife',
    target: ['es2022', 'chrome120', 'firefox121', 'safari17.4'],
    loader: { '.woff2': 'file' },
  });
  return outputFiles.map(({ path, contents }) =>
    path.endsWith('.woff2') ? font(path, contents) : asset(basename(path), Buffer.from(contents)),
  );
}

function copiedAssets(): Asset[] {
  return [
    asset('swagger-ui-bundle.js', readFileSync(join(modules, 'swagger-ui-dist', 'swagger-ui-bundle.js'))),
    asset('icon.svg', readFileSync(join(root, 'content', 'static', 'icon.svg'))),
    asset('licences.txt', Buffer.from(licences.map(licenceText).join('\n\n'))),
  ];
}

const licences = [
  ['Swagger UI', 'swagger-ui-dist/NOTICE'],
  ['Swagger UI', 'swagger-ui-dist/LICENSE'],
  ['Parts of Swagger UI', 'swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt'],
  ['Atkinson Hyperlegible Next', '@fontsource/atkinson-hyperlegible-next/LICENSE'],
] as const;

const licenceText = ([subject, file]: (typeof licences)[number]) =>
  `${subject}\n\n${readFileSync(join(modules, file), 'utf8').trim()}\n`;

const asset = (stem: string, bytes: Buffer): Asset => ({
  stem,
  name: stem.replace(/(?=\.\w+$)/, `.${hash('sha256', bytes).slice(0, 8)}`),
  bytes,
});

/** esbuild has already named the font by its content, and the style sheet uses that name. */
const font = (path: string, contents: Uint8Array): Asset => ({
  stem: basename(path).replace(/\.[0-9A-Z]{8}(?=\.woff2$)/, ''),
  name: basename(path),
  bytes: Buffer.from(contents),
});

const extensionOf = (name: string) => name.slice(name.lastIndexOf('.') + 1);

function stagedAsset(name: string, bytes: Buffer): Staged {
  return {
    name,
    contentType: defined(contentTypes[extensionOf(name)]),
    cacheControl: 'public, max-age=31536000, immutable',
    kind: name.endsWith('.woff2') ? 'plain' : 'compressed',
    bytes,
  };
}

function template(name: string, contentType: string, text: string): Staged {
  return { name, contentType, cacheControl: 'no-cache', kind: 'template', bytes: Buffer.from(text) };
}

/** Returns the page with the addresses of its files. The function replaces `{{site_url}}` for each request. */
function pageWith(paths: Readonly<Record<string, string>>): string {
  const source = readFileSync(join(root, 'content', 'reference', 'page.html'), 'utf8');
  return source.replace(/\{\{([\w.-]+\.\w+)\}\}/g, (_, stem: string) => {
    if (paths[stem] !== undefined) return paths[stem];
    throw new Error(`content/reference/page.html names ${stem}, which nothing makes`);
  });
}

/** The OpenAPI document. The function replaces its placeholders with the addresses of the environment. */
async function documentText(): Promise<string> {
  const { openApiDocument } = await import('../openapi/document.ts');
  return JSON.stringify(openApiDocument({ siteUrl: '{{site_url}}', apiUrl: '{{api_url}}' }));
}

/** Keeps existing files, because another process may be reading them, and compressing takes half a second. */
async function write(files: ReadonlyMap<string, Staged>): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await Promise.all([...files.values()].map(writeFile));
  const manifest: Manifest = Object.fromEntries(
    [...files].map(([path, { bytes: _, ...file }]) => [path, file]),
  );
  writeFileSync(join(folder, manifestName), `${JSON.stringify(manifest, null, 2)}\n`);
  const names = [...files.values()].flatMap(({ name }) => [name, `${name}.br`, `${name}.gz`]);
  const others = readdirSync(folder).filter((name) => ![...names, manifestName].includes(name));
  for (const name of others) rmSync(join(folder, name));
}

async function writeFile({ name, kind, bytes }: Staged): Promise<void> {
  const file = join(folder, name);
  const variants = kind === 'compressed' ? ['.br', '.gz'] : [];
  const isThere = ['', ...variants].every((suffix) => existsSync(file + suffix));
  if (isThere && readFileSync(file).equals(bytes)) return;
  if (kind === 'compressed') {
    const [brotli, gzipped] = await Promise.all([brotliOf(bytes), gzipOf(bytes)]);
    writeFileSync(`${file}.br`, brotli);
    writeFileSync(`${file}.gz`, gzipped);
  }
  writeFileSync(file, bytes);
}

/** Compresses with quality 9, which takes 0.4 s for Swagger UI. Quality 11 takes 6 s and saves 8 %. */
const brotliOf = (bytes: Buffer) =>
  promisify(brotliCompress)(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 9,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });

const gzipOf = (bytes: Buffer) => promisify(gzip)(bytes, { level: 9 });
