/** The function of the reference as it ships: its bundle and files, in this process. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { HttpEvent, HttpReply } from '../../../../platform/kernel/http.ts';
import { bundleFile } from '../../../../toolchain/bundle/paths.ts';
import { bundled } from '../../../infra/built.ts';
import { httpEvent } from '../../../support/http-event.ts';

export const siteUrl = 'https://site.kinora.test';
export const apiUrl = 'https://api.kinora.test';
export const filesFolder = join(bundleFile('Reference'), '..', 'files');

export interface Served extends HttpReply {
  readonly bytes: Buffer;
  readonly text: string;
}

export type Ask = (
  path: string,
  headers?: Readonly<Record<string, string>>,
  method?: string,
) => Promise<Served>;

export async function servedReference(): Promise<Ask> {
  bundled();
  process.env.SITE_URL = siteUrl;
  process.env.API_URL = apiUrl;
  const { handler } = (await import(pathToFileURL(bundleFile('Reference')).href)) as {
    handler: (event: HttpEvent) => Promise<HttpReply>;
  };
  return async (path, headers = {}, method = 'GET') => {
    const reply = await handler(httpEvent({ route: `${method} ${path}`, path, headers }));
    const bytes = Buffer.from(reply.body, reply.isBase64Encoded ? 'base64' : 'utf8');
    return { ...reply, bytes, text: bytes.toString('utf8') };
  };
}
