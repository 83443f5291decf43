/** Compares the parts that a caller lists with the parts that arrived. */
import { itemAt } from '../../../shared/checked-access.ts';
import { type Finding, Problem } from '../../../shared/problems.ts';

interface ArrivedPart {
  readonly part_number: number;
  readonly etag: string;
  readonly size: number;
}

/** The minimum bytes of a part, except for the last one (Amazon S3 User Guide, "multipart upload limits"). */
const MIN_PART_BYTES = 5 * 1024 * 1024;

/** Removes quotes and the prefix of weak ETags. S3 lists the ETags of parts in this form. */
export const bareEtags = (etags: readonly string[]): string[] =>
  etags.map((etag) => etag.trim().replace(/^W\//, '').replaceAll('"', ''));

/** Throws upload_parts_mismatch, with a finding for each missing, different, extra or too small part. */
export function requireSameParts(etags: readonly string[], arrived: readonly ArrivedPart[]): void {
  const findings = [...etags.flatMap((etag, at) => partFindings(etag, at, etags.length, arrived))];
  for (const part of arrived.filter(({ part_number }) => part_number > etags.length)) {
    findings.push({
      pointer: '/etags',
      code: 'too_few',
      detail: `Part ${part.part_number} arrived, but its ETag "${part.etag}" is not given.`,
    });
  }
  if (findings.length === 0) return;
  throw new Problem(
    'upload_parts_mismatch',
    `${itemAt(findings, 0).detail} All parts that arrived are kept. Correct the list and repeat the call.`,
    { findings: findings.slice(0, 50) },
  );
}

/** Returns the total size of the parts in bytes. Throws payload_too_large if it exceeds `max_bytes`. */
export function requireBytesWithin(arrived: readonly Pick<ArrivedPart, 'size'>[], max_bytes: number): number {
  const bytes = arrived.reduce((sum, { size }) => sum + size, 0);
  if (bytes <= max_bytes) return bytes;
  throw new Problem(
    'payload_too_large',
    `The parts have ${bytes} bytes; the maximum is ${max_bytes}. Delete this and upload a smaller file.`,
  );
}

function partFindings(etag: string, at: number, count: number, arrived: readonly ArrivedPart[]): Finding[] {
  const pointer = `/etags/${at}`;
  const part = arrived.find(({ part_number }) => part_number === at + 1);
  if (part === undefined) {
    return [{ pointer, code: 'part_missing', detail: `Part ${at + 1} has not arrived.` }];
  }
  if (part.etag !== etag) {
    return [
      { pointer, code: 'part_differs', detail: `Part ${at + 1} arrived with the ETag "${part.etag}".` },
    ];
  }
  const isTooSmall = at + 1 < count && part.size < MIN_PART_BYTES;
  return isTooSmall
    ? [
        {
          pointer,
          code: 'too_small',
          detail: `Part ${at + 1} has ${part.size} bytes; all but the last need 5 MiB.`,
        },
      ]
    : [];
}
