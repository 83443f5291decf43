/** Judges our WebVTT files with the W3C's own parser and validator (webvtt-parser). */
import { createRequire } from 'node:module';

type Node = { type: string; value?: string; children?: Node[] };
type JudgedCue = { startTime: number; endTime: number; id: string; tree: Node };
type Parser = { parse(file: string): { cues: JudgedCue[]; errors: { message: string; line: number }[] } };

const require = createRequire(import.meta.url);
const { WebVTTParser } = require('webvtt-parser') as { WebVTTParser: new (entities: object) => Parser };
// The judge needs the package's table of entities. Without the table, it reads `&amp;` as `&;`.
const entities = require('webvtt-parser/html-entities.json') as object;

export function judgeVtt(file: string) {
  const { cues, errors } = new WebVTTParser(entities).parse(file);
  const texts = cues.map(({ tree }) => textOf(tree));
  return {
    errors: errors.map(({ message, line }) => `${line}: ${message}`),
    texts,
    cues: cues.map(({ startTime, endTime }, i) => ({
      start_ms: Math.round(startTime * 1000),
      end_ms: Math.round(endTime * 1000),
      lines: texts[i]!.split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== ''),
    })),
  };
}

function textOf(node: Node): string {
  const own = node.type === 'text' ? (node.value ?? '') : '';
  return own + (node.children ?? []).map(textOf).join('');
}
