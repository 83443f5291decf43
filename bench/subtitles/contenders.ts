/** The contenders: our readers and writers of subtitles, and those of npm libraries. */
import { createRequire } from 'node:module';
import { parseSrt, writeSrt } from '../../lambdas/subtitles/rules/srt.ts';
import { parseVtt, writeVtt } from '../../lambdas/subtitles/rules/vtt.ts';
import { conversation, type Script } from './texts.ts';

export type Task = 'read' | 'write';

export type Prepared = {
  once: () => unknown;
  /** The size of the text that one call reads or writes, in megabytes of UTF-8. */
  megabytes: number;
};

export const OURS = 'WebVTT, simplified: ours';

/** Prepares a contender for texts in a script. Loads only this contender's package. */
export function prepare(task: Task, name: string, script: Script): Prepared {
  return task === 'read' ? readers[name]!(script) : writers[name]!(script);
}

/** Loads a package by its name. The few types that are used here are below. */
const load = createRequire(import.meta.url) as <Package>(name: string) => Package;

const simplified = (script: Script) => writeVtt(conversation(script), { flavor: 'simplified' });
const standard = (script: Script) => writeVtt(conversation(script), { flavor: 'standard', language: 'en' });

const reader =
  (file: (script: Script) => string, parser: () => (text: string) => unknown) =>
  (script: Script): Prepared => {
    // Makes a flat string, like the content of a file. A text that was just built is a rope, which is slow to read.
    const text = Buffer.from(file(script)).toString();
    const parse = parser();
    return { once: () => parse(text), megabytes: Buffer.byteLength(text) / 1e6 };
  };

export const readers: Record<string, (script: Script) => Prepared> = {
  [OURS]: reader(simplified, () => parseVtt),
  'WebVTT, simplified: webvtt-parser': reader(simplified, () => {
    const parser = new (load<W3c>('webvtt-parser').WebVTTParser)();
    return (text) => parser.parse(text);
  }),
  'WebVTT, simplified: @plussub/srt-vtt-parser': reader(
    simplified,
    () => load<Plussub>('@plussub/srt-vtt-parser').parse,
  ),
  'WebVTT, simplified: subsrt-ts': reader(simplified, () => {
    const { parse } = load<Subsrt>('subsrt-ts');
    return (text) => parse(text, vtt);
  }),
  'WebVTT, simplified: node-webvtt': reader(simplified, () => {
    const { parse } = load<NodeWebvtt>('node-webvtt');
    return (text) => parse(text);
  }),
  'WebVTT, simplified: media-captions': reader(
    simplified,
    () => load<MediaCaptions>('media-captions').parseText,
  ),
  'WebVTT, standard: ours': reader(standard, () => parseVtt),
  'SubRip: ours': reader(
    (script) => writeSrt(conversation(script)),
    () => parseSrt,
  ),
};

const writer =
  (maker: (script: Script) => () => string) =>
  (script: Script): Prepared => {
    const make = maker(script);
    // The libraries' files differ from ours by a few spaces. All speeds count the bytes of our file.
    return { once: () => flat(make()), megabytes: Buffer.byteLength(simplified(script)) / 1e6 };
  };

export const writers: Record<string, (script: Script) => Prepared> = {
  [OURS]: writer((script) => {
    const cues = conversation(script);
    return () => writeVtt(cues, { flavor: 'simplified' });
  }),
  'WebVTT, simplified: webvtt-parser': writer((script) => {
    const { WebVTTParser, WebVTTSerializer } = load<W3c>('webvtt-parser');
    const { cues } = new WebVTTParser().parse(simplified(script));
    const serializer = new WebVTTSerializer();
    return () => serializer.serialize(cues);
  }),
  'WebVTT, simplified: subsrt-ts': writer((script) => {
    const { parse, build } = load<Subsrt>('subsrt-ts');
    const captions = parse(simplified(script), vtt);
    return () => build(captions, vtt);
  }),
  'WebVTT, simplified: node-webvtt': writer((script) => {
    const { parse, compile } = load<NodeWebvtt>('node-webvtt');
    const tree = parse(simplified(script));
    return () => compile(tree);
  }),
  'WebVTT, standard: ours': writer((script) => {
    const cues = conversation(script);
    return () => writeVtt(cues, { flavor: 'standard', language: 'en' });
  }),
  'SubRip: ours': writer((script) => {
    const cues = conversation(script);
    return () => writeSrt(cues);
  }),
};

type W3c = {
  WebVTTParser: new () => { parse(file: string): { cues: object[] } };
  WebVTTSerializer: new () => { serialize(cues: object[]): string };
};
type NodeWebvtt = { parse(file: string): object; compile(tree: object): string };
type Subsrt = {
  parse(file: string, options: { format: 'vtt' }): object[];
  build(captions: object[], options: { format: 'vtt' }): string;
};
type Plussub = { parse(file: string): object };
type MediaCaptions = { parseText(file: string): Promise<object> };

const vtt = { format: 'vtt' } as const;

/** Flattens the string, because V8 builds strings as ropes, which must be flattened before they are sent. */
function flat(text: string): string {
  text.charCodeAt(text.length - 1);
  return text;
}
