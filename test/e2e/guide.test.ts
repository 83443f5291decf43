import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalCloud, localCloud } from '../support/local-cloud.ts';

/** A block of the guide: its commands, and the answer that is shown after them, if one is. */
interface Block {
  readonly section: string;
  readonly commands: string;
  readonly shown: string | undefined;
}

/** The guide up to its last section, which deletes what was made, the guides that go on from it, and that section. */
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

/** Between the outputs of two blocks; nothing that the guide prints has it. */
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

  it('has commands that all succeed, in its order', () => {
    expect(outcome).toEqual({ code: 0, errors: '' });
    expect(outputs).toHaveLength(blocks.length);
  });

  const shown = blocks.flatMap((block, at) => (block.shown === undefined ? [] : [{ ...block, at }]));
  it.each(shown)('shows answers of the shape that they have: $section', ({ at, shown }) => {
    const answer = lastJson(outputs[at]!);
    expect(shapeOf(answer)).toEqual(shapeOf(JSON.parse(shown!)));
  });

  it('shows every plain word and number of an answer that is the same each time', () => {
    const fixed = ['Create an asset', 'Follow the job', 'Correct a segment', 'List, filter, go on'];
    for (const { section, at, shown: text } of shown.filter(({ section }) => fixed.includes(section))) {
      const told = Object.entries(JSON.parse(text!) as object).filter(([name]) => constant.has(name));
      expect(lastJson(outputs[at]!), section).toMatchObject(Object.fromEntries(told));
    }
  });

  it('ends with subtitles, a replayed answer and a deleted asset', () => {
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

/** The last of several documents, which is the one that the guide shows. */
function lastJson(output: string): unknown {
  const start = output.lastIndexOf('\n{\n');
  return JSON.parse(start < 0 ? output : output.slice(start));
}

/** Names and types, without values; of a list its first member. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
}
