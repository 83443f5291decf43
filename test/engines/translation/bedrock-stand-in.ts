/**
 * A stand-in for Amazon Bedrock (aws-sdk-client-mock) with the documented answers of Converse. Nothing reaches a model,
 * so it does not prove that a model follows its instructions.
 */
import { BedrockRuntimeClient, ConverseCommand, type StopReason } from '@aws-sdk/client-bedrock-runtime';
import { mockClient } from 'aws-sdk-client-mock';

export const service = mockClient(BedrockRuntimeClient);

/** Returns an answer of a model. */
export const saying = (text: string, stopReason: StopReason = 'end_turn') => ({
  output: { message: { role: 'assistant' as const, content: [{ text }] } },
  stopReason,
});

/** Translates words to capitals, and keeps everything else. */
export const translated = (asked: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(JSON.parse(asked) as Record<string, string>).map(([number, sentence]) => [
      number,
      sentence.replace(/(?<!\S)\p{L}+(?=[.,?!]?(?!\S))/gu, (word) => word.toUpperCase()),
    ]),
  );

/** A model that follows its instructions. */
export function simulate(): void {
  service
    .on(ConverseCommand)
    .callsFake(({ messages }) => saying(JSON.stringify(translated(messages[0].content[0].text))));
}
