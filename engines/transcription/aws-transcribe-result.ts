/** Reads the JSON results of Amazon Transcribe. */
import type { Word } from '../../shared/segments.ts';

/** The format: "Example diarization output (batch)" in the developer guide. Results from before 2023 contain speakers only in `speaker_labels`. */
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

/** Converts a result. Adds punctuation marks to the previous word. "spk_0" becomes "Speaker 1". */
export function readTranscribeResult(json: string, offset_ms: number) {
  const { results }: TranscribeResult = JSON.parse(json);
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
  return { words, language: results.language_code };
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
