/**
 * Amazon Bedrock by aws-sdk-client-mock, which answers in the shapes of the API reference (Converse): nothing here reaches
 * a model, and nothing proves that one does as it is asked.
 */
import { BedrockRuntimeClient, ConverseCommand, type StopReason } from '@aws-sdk/client-bedrock-runtime';
import { mockClient } from 'aws-sdk-client-mock';

export const service = mockClient(BedrockRuntimeClient);
export const answered = { $metadata: {}, message: '' };

/** An answer of a model. */
export const saying = (text: string, stopReason: StopReason = 'end_turn') => ({
  output: { message: { role: 'assistant' as const, content: [{ text }] } },
  stopReason,
});

/** Translates words into capitals and keeps all else. */
export const translated = (asked: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(JSON.parse(asked) as Record<string, string>).map(([number, sentence]) => [
      number,
      sentence.replace(/(?<!\S)\p{L}+(?=[.,?!]?(?!\S))/gu, (word) => word.toUpperCase()),
    ]),
  );

/** A model that does as it is asked. */
export function simulate(): void {
  service
    .on(ConverseCommand)
    .callsFake(({ messages }) => saying(JSON.stringify(translated(messages[0].content[0].text))));
}
