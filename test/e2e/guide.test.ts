import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalCloud, localCloud } from '../support/local-cloud.ts';

interface Block {
  readonly section: string;
  readonly commands: string;
  readonly shown: string | undefined;
}

/**
 * The guide without its last section, then the guides that continue it, then the last section, which deletes
 * everything.
 */
const guide = readFileSync('docs/api.md', 'utf8');
const end = guide.lastIndexOf('\n## ') + 1;
const further = ['docs/languages.md', 'docs/exports.md', 'docs/clips.md'].map((file) =>
  readFileSync(file, 'utf8'),
);
const order = [guide.slice(0, end), ...further, guide.slice(end)];
const blocks = order.flatMap((text) => text.split(/^## /m).slice(1)).flatMap(blocksOf);

function blocksOf(part: string): Block[] {
  const section = part.slice(0, part.indexOf('\n'));
  const found = part.matchAll(/^```sh\n(.*?)^```\n(?:\n```json\n(.*?)^```\n)?/gms);
  return [...found].map(([, commands, shown]) => ({ section, commands: commands!, shown }));
}

/** Separates the outputs of two blocks. No output of the guide contains it. */
const mark = '\x1e';

const hasTools = ['curl', 'jq'].every((tool) => spawnSync(tool, ['--version']).status === 0);

let cloud: LocalCloud;
let outputs: string[];
let outcome: { code: number | null; errors: string };

async function follow() {
  cloud = await localCloud();
  const script = blocks.map(({ commands }) => commands).join(`printf '${mark}'\n`);
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    env: { ...process.env, KINORA_LOCAL_DIR: cloud.folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<number | null>((resolve) => shell.once('exit', resolve));
  const [output, errors] = await Promise.all([text(shell.stdout), text(shell.stderr)]);
  outcome = { code: await exited, errors };
  outputs = output.split(mark);
}

const outputOf = (section: string) =>
  blocks.flatMap((block, at) => (block.section === section ? [outputs[at] ?? ''] : []));

describe.skipIf(!hasTools)('the guide to the API with curl', () => {
  beforeAll(follow);
  afterAll(() => cloud.remove());

  it('has commands that all succeed, in order', () => {
    expect(outcome).toEqual({ code: 0, errors: '' });
    expect(outputs).toHaveLength(blocks.length);
  });

  const shown = blocks.flatMap((block, at) => (block.shown === undefined ? [] : [{ ...block, at }]));
  it.each(shown)('shows responses with the members of real responses: $section', ({ at, shown }) => {
    const answer = lastJson(outputs[at]!);
    expect(shapeOf(answer)).toEqual(shapeOf(JSON.parse(shown!)));
  });

  it('shows the real words and numbers of responses that are always the same', () => {
    const fixed = ['Create an asset', 'Follow the job', 'Correct a segment', 'List, filter, go on'];
    for (const { section, at, shown: text } of shown.filter(({ section }) => fixed.includes(section))) {
      const told = Object.entries(JSON.parse(text!) as object).filter(([name]) => constant.has(name));
      expect(lastJson(outputs[at]!), section).toMatchObject(Object.fromEntries(told));
    }
  });

  it('ends with subtitles, a replayed response and a deleted asset', () => {
    expect(outputOf('Read the transcription and its subtitles').at(-1)).toMatch(/^WEBVTT\n/);
    expect(outputOf('Repeat a request safely')[0]).toMatch(/idempotent-replayed: true/i);
    expect(outputOf('Delete')[0]).toBe('204\n');
  });
});

const constant = new Set([
  'name',
  'external_id',
  'status',
  'progress',
  'error',
  'code',
  'text',
  'page',
  'total',
  'names',
]);

function lastJson(output: string): unknown {
  const start = output.lastIndexOf('\n{\n');
  return JSON.parse(start < 0 ? output : output.slice(start));
}

/** Returns names and types without values. For a list, only the type of its first item. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
}
