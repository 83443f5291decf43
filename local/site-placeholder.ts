/** The site's origin until the site is served from here: one page that says what runs. */
import { createServer } from 'node:http';
import { type Listening, listen } from './listen.ts';

export async function startSite(port: number, apiUrl: string): Promise<Listening> {
  const server = createServer((request, response) => {
    const isHome = request.url === '/';
    const body = isHome ? home(apiUrl) : missing;
    response.writeHead(isHome ? 200 : 404, {
      'content-type': 'text/html; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  });
  return listen(server, port);
}

const page = (title: string, content: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>body { font: 1.1rem/1.6 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem }</style>
<h1>${title}</h1>
${content}
</html>
`;

const home = (apiUrl: string) =>
  page(
    'Kinora runs on this machine',
    `<p>The API answers on <a href="${apiUrl}/v1/languages">${apiUrl}</a>. This is where the site will be.</p>
<p>Try <code>npm run demo</code>: it uploads a video and writes its subtitles.</p>`,
  );

const missing = page('There is no such page', '<p><a href="/">Back to the start</a></p>');
