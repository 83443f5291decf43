/** Serves a built site on loopback with the headers that matter to a browser. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { contentSecurityPolicy, type SiteManifest } from '../../../content/site.ts';

export interface PagesServer extends AsyncDisposable {
  readonly url: string;
}

/** @param folder `build/site/<env>` */
export async function servePages(folder: string): Promise<PagesServer> {
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as SiteManifest;
  const objects = new Map(manifest.objects.map((object) => [object.key, object]));
  const keys = new Map(manifest.pages.map(({ path, html }) => [path, html]));

  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const object = objects.get(keys.get(path) ?? path.slice(1)) ?? objects.get(`pages${path}`);
    if (object === undefined) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      'Content-Type': object.contentType,
      'Content-Security-Policy': contentSecurityPolicy,
    });
    response.end(readFileSync(join(folder, object.file)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
