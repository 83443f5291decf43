import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { operations } from '../../../contract/index.ts';
import type { OperationSpec } from '../../../contract/kit/operation.ts';

const folder = join(import.meta.dirname, '../../../content/samples');

interface Sample {
  readonly name: string;
  readonly method: string;
  /** The path without its query. */
  readonly path: string;
  readonly body: unknown;
  /** JSON that follows the request, if some does. */
  readonly answer: unknown;
}

/** Requests among the samples, with their answers. */
const samples: readonly Sample[] = globSync('*.md', { cwd: folder }).flatMap((name) => {
  const text = readFileSync(join(folder, name), 'utf8');
  const request = /^```http\n(\w+) (\S+)\n(.*?)```/ms.exec(text);
  if (request === null) return [];
  const [, method, target, rest] = request;
  const [, body] = /\n\n(.*)$/s.exec(rest!) ?? [];
  const [, answer] = /^```json\n(.*?)```/ms.exec(text) ?? [];
  const path = target!.split('?')[0]!;
  return { name, method: method!, path, body: parsed(body), answer: parsed(answer) };
});

function parsed(text: string | undefined): unknown {
  return text === undefined ? undefined : JSON.parse(text);
}

const specOf = ({ method, path }: Sample): OperationSpec | undefined =>
  operations.map(({ spec }) => spec).find((spec) => spec.method === method && matches(spec.path, path));

const matches = (template: string, path: string): boolean =>
  new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);

const described = samples.flatMap((sample) => {
  const spec = specOf(sample);
  return spec === undefined ? [] : [{ ...sample, spec }];
});

const ajv = new Ajv2020.default({ strict: false });
addFormats.default(ajv);

describe('the requests that the site shows', () => {
  it('include the upload from its first step to its subtitles', () => {
    const steps = ['createAsset', 'startUpload', 'finishUpload', 'getTranscription', 'getVtt', 'getSrt'];
    expect(described.map(({ spec }) => spec.id)).toEqual(expect.arrayContaining(steps));
  });

  it('end with the result of the local engine for the demo film', () => {
    const spoken = readFileSync(join(folder, '../demo/kinora-demo.txt'), 'utf8')
      // The engine gives no commas; full stops are restored.
      .replaceAll(',', '')
      .split('\n');
    // It mishears the end of the third cue.
    const heard = [...spoken.slice(0, 2), 'Some are on a train some of our network'];
    for (const [name, count] of Object.entries({ 'get-vtt.md': 3, 'srt.md': 3, 'first-subtitles.md': 1 })) {
      const [, cues] = /^```(?:vtt|srt)\n(.*?)```/ms.exec(readFileSync(join(folder, name), 'utf8'))!;
      const texts = cues!.split(/^\d\d:.*-->.*\n/m).slice(1);
      const lines = texts.map((text) => text.replace(/\n+\d*\n*$/, '').replaceAll('\n', ' '));
      const tag = name === 'get-vtt.md' ? '<v Speaker 1>' : '';
      expect(lines, name).toEqual(heard.slice(0, count).map((text) => `${tag}${text}`));
    }
    const shown = described.find(({ name }) => name === 'get-transcription.md')!.answer as {
      segments: { text: string; speaker: string; words: { text: string }[] }[];
    };
    expect(shown.segments.map(({ text, speaker }) => [text, speaker])).toEqual([[spoken[0], 'Speaker 1']]);
    expect(shown.segments[0]!.words.map(({ text }) => text).join(' ')).toBe(
      spoken[0]!.toLowerCase().replace('.', ''),
    );
  });

  it.each(samples.map((sample) => [sample.name, sample] as const))(
    'have credentials and a /v1 path: %s',
    (name, { path }) => {
      expect(path).toMatch(/^\/v1\//);
      expect(readFileSync(join(folder, name), 'utf8')).toContain('Authorization: Bearer <API_KEY>');
    },
  );

  it.each(described.map((sample) => [sample.name, sample] as const))(
    'are valid for the contract: %s',
    (_, { spec, body }) => {
      if (spec.body === undefined) expect(body).toBeUndefined();
      else expect(ajv.validate(spec.body, body), ajv.errorsText()).toBe(true);
    },
  );

  it.each(
    described.filter(({ answer }) => answer !== undefined).map((sample) => [sample.name, sample] as const),
  )('have responses whose members are in the contract: %s', (_, { spec, answer }) => {
    const schema = Object.values(spec.responses)[0]!.body as { properties: Record<string, object> };
    for (const [member, value] of Object.entries(answer as object)) {
      expect(schema.properties, member).toHaveProperty(member);
      expect(ajv.validate(schema.properties[member]!, value), `${member}: ${ajv.errorsText()}`).toBe(true);
    }
  });
});
