/** Results in the format of the Amazon Transcribe developer guide ("Example diarization output (batch)"). */
import type { TranscribeResult } from '../../../engines/transcription/aws-transcribe-result.ts';

export const item = (content: string, start_time: string, end_time: string, speaker_label?: string) => ({
  type: 'pronunciation' as const,
  start_time,
  end_time,
  alternatives: [{ confidence: '0.98', content }],
  ...(speaker_label && { speaker_label }),
});
export const mark = (content: string) => ({
  type: 'punctuation' as const,
  alternatives: [{ confidence: '0.0', content }],
});

export const result: TranscribeResult = {
  results: {
    language_code: 'en-US',
    items: [
      item("I've", '0.87', '1.02', 'spk_0'),
      item('waited', '1.02', '1.64', 'spk_0'),
      mark('.'),
      item('Sorry', '1.70', '1.98', 'spk_1'),
      mark('!'),
    ],
  },
};
