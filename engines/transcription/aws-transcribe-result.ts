/** Reads the JSON that Amazon Transcribe writes. */
import type { Word } from '../../shared/segments.ts';

/**
 * A result as the developer guide shows it under "Example diarization output (batch)". Jobs before 2023 name speakers in
 * `speaker_labels` only, later ones on every item as well. Times are seconds as strings.
 */
export type TranscribeResult = {
  results: {
    language_code?: string;
    items: Item[];
    speaker_labels?: {
      segments: { items: { start_time: string; end_time: string; speaker_label: string }[] }[];
    };
  };
};
type Item = {
  type: 'pronunciation' | 'punctuation';
  start_time?: string;
  end_time?: string;
  speaker_label?: string;
  alternatives: { content: string; confidence?: string }[];
};

/** Punctuation marks join the word before them; "spk_0" becomes "Speaker 1". */
export function readTranscribeResult({ results }: TranscribeResult, offset_ms: number): Word[] {
  const speakers = speakersByTime(results.speaker_labels);
  const words: Word[] = [];
  for (const item of results.items) {
    const { content = '', confidence } = item.alternatives[0] ?? {};
    if (item.type === 'punctuation') {
      const previous = words.at(-1);
      if (previous) previous.text += content;
      continue;
    }
    const label = item.speaker_label ?? speakers.get(`${item.start_time} ${item.end_time}`);
    words.push({
      text: content,
      start_ms: offset_ms + milliseconds(item.start_time),
      end_ms: offset_ms + milliseconds(item.end_time),
      confidence: confidence === undefined ? Number.NaN : Number(confidence),
      ...(label !== undefined && { speaker: speakerName(label) }),
    });
  }
  return words;
}

function speakersByTime(labels: TranscribeResult['results']['speaker_labels']): Map<string, string> {
  const items = labels?.segments.flatMap((segment) => segment.items) ?? [];
  return new Map(items.map((item) => [`${item.start_time} ${item.end_time}`, item.speaker_label]));
}

function speakerName(label: string): string {
  const number = /^spk_(\d+)$/.exec(label)?.[1];
  return number === undefined ? label : `Speaker ${Number(number) + 1}`;
}

const milliseconds = (seconds: string | undefined) => Math.round(Number(seconds ?? 0) * 1000);
