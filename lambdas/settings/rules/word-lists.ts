/** How much a word list or dictionary may hold. */
import { Problem } from '../../../platform/shared/problems.ts';

/** Bytes of UTF-8 JSON: an item of the table holds 400 KB, and the list is read whole by every job. */
export const MAX_INLINE_BYTES = 300 * 1024;

/** Throws payload_too_large where the list, with its other members, cannot be kept in one item. */
export function requireInline(member: string, content: unknown): void {
  const bytes = Buffer.byteLength(JSON.stringify(content));
  if (bytes <= MAX_INLINE_BYTES) return;
  throw new Problem(
    'payload_too_large',
    `${member} has ${bytes} bytes as JSON; at most ${MAX_INLINE_BYTES} are kept. Split it into several.`,
    {
      findings: [{ pointer: `/${member}`, code: 'too_large', detail: `At most ${MAX_INLINE_BYTES} bytes.` }],
    },
  );
}
