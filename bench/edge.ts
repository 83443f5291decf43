/** What the edge functions weigh, and what a call of them costs in V8 and in njs, the engine of CloudFront's runtime. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { median, type Report, type Row, shuffled } from './report.ts';

const site = join(import.meta.dirname, '..', 'build', 'site', 'prod');
const njs = '/usr/bin/njs';
const ROUNDS = 11;
/** Calls a round. */
const CALLS = 1_000;
/** Share that the same measurement may differ by before the run is void. */
const TOLERANCE = 0.03;

interface Case {
  readonly name: string;
  readonly source: 'viewer-request' | 'viewer-response';
  readonly event: object;
}

const browser =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8';

const cases: readonly Case[] = [
  request('a page for a browser', '/es/features', browser),
  request('the same again (A/A)', '/es/features', browser),
  request('a page for an agent', '/es/features', 'text/markdown, text/html, */*'),
  request('a twin', '/es/features.md', '*/*'),
  request('no page', '/wp-login.php', browser),
  request('nothing acceptable', '/contact', 'application/json'),
  request('a redirect', '//contact/', browser),
  request('below /api', '/api/v1/users', '*/*'),
  request('the longest Accept', '/contact', 'text/a;b="c";q=0.5,'.repeat(24)),
  request('the longest name', `/${'%61'.repeat(2_000)}`, browser),
  { name: 'the headers of a page', source: 'viewer-response', event: response('/pages/es/features.html') },
];

function request(name: string, uri: string, accept: string): Case {
  const headers = {
    host: { value: 'kinora.example' },
    accept: { value: accept },
    'accept-encoding': { value: 'gzip, deflate, br' },
  };
  const event = { request: { method: 'GET', uri, querystring: {}, headers, cookies: {} } };
  return { name, source: 'viewer-request', event };
}

function response(uri: string): object {
  const headers = {
    'content-type': { value: 'text/html; charset=utf-8' },
    'cache-control': { value: 'public, max-age=0, must-revalidate, s-maxage=86400' },
  };
  const request = { method: 'GET', uri, querystring: {}, headers: {}, cookies: {} };
  return { request, response: { statusCode: 200, headers } };
}

/** Runs in either engine; gives microseconds a call. Events are made beforehand, for functions change them. */
const loop = (text: string) => `(function () {
  var events = [], i;
  for (i = 0; i < ${CALLS}; i++) events.push(JSON.parse(${JSON.stringify(text)}));
  var started = Date.now();
  for (i = 0; i < ${CALLS}; i++) handler(events[i]);
  return (Date.now() - started) * 1000 / ${CALLS};
})()`;

function inV8(code: string, event: object): number {
  const context = createContext({});
  runInContext(code, context);
  runInContext(loop(JSON.stringify(event)), context);
  return runInContext(loop(JSON.stringify(event)), context) as number;
}

function inNjs(code: string, event: object): number {
  const folder = mkdtempSync(join(tmpdir(), 'kinora-bench-'));
  const file = join(folder, 'script.js');
  writeFileSync(file, `${code}\nconsole.log(${loop(JSON.stringify(event))});`);
  const output = execFileSync(njs, [file], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  return Number(output);
}

export async function run(): Promise<Report> {
  const code = {
    'viewer-request': read('viewer-request'),
    'viewer-response': read('viewer-response'),
  };
  const engines = existsSync(njs) ? [inV8, inNjs] : [inV8];
  const samples = new Map(cases.map(({ name }) => [name, engines.map((): number[] => [])]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { name, source, event } of shuffled(cases)) {
      engines.forEach((measure, engine) => {
        samples.get(name)![engine]!.push(measure(code[source], event));
      });
    }
  }
  const figures = new Map([...samples].map(([name, taken]) => [name, taken.map(median)]));
  return {
    title: 'Edge functions',
    method:
      `The bundles of build/site/prod: viewer-request ${Buffer.byteLength(code['viewer-request'])} bytes, ` +
      `viewer-response ${Buffer.byteLength(code['viewer-response'])} bytes, of 10,240 that CloudFront takes. ` +
      `Microseconds a call, median of ${ROUNDS} rounds of ${CALLS} calls in shuffled order; making the event is left ` +
      `out. V8 is warm; njs 0.7.9 interprets, as the runtime of CloudFront does.`,
    columns: ['V8, µs', ...(engines.length > 1 ? ['njs, µs'] : [])],
    rows: cases.map(
      ({ name }): Row => ({ name, values: figures.get(name)!.map((figure) => figure.toFixed(1)) }),
    ),
    void: deviation(figures.get(cases[0]!.name)!, figures.get(cases[1]!.name)!),
  };
}

function read(source: string): string {
  const file = join(site, 'edge', `${source}.js`);
  if (existsSync(file)) return readFileSync(file, 'utf8');
  throw new Error(`There is no ${file}: \`npm run build:site -- prod\` makes it`);
}

/** Judges by the slower engine, whose clock ticks often enough, whether a case differed from itself. */
function deviation(one: readonly number[], other: readonly number[]): string | null {
  const share = Math.abs(one.at(-1)! / other.at(-1)! - 1);
  return share <= TOLERANCE ? null : `The same case differed from itself by ${(share * 100).toFixed(1)} %.`;
}
