/** Compares the parts that a caller lists with the parts that arrived and with those that were promised. */
import { type Finding, Problem } from '../../../shared/problems.ts';

interface ArrivedPart {
  readonly part_number: number;
  readonly etag: string;
  readonly size: number;
}

/** The caller's description of the whole file. */
export interface Promised {
  /** The largest number of parts in the requests of start_upload for this upload; 0 if unknown. */
  readonly parts: number;
  /** The size of the file in bytes, if the caller states it. It decides how many parts the file has. */
  readonly size_bytes?: number | undefined;
}

/** The minimum bytes of a part, except for the last one (Amazon S3 User Guide, "multipart upload limits"). */
const MIN_PART_BYTES = 5 * 1024 * 1024;
const MOST_FINDINGS = 50;

/** Removes quotes and the prefix of weak ETags. S3 lists the ETags of parts in this form. */
export const bareEtags = (etags: readonly string[]): string[] =>
  etags.map((etag) => etag.trim().replace(/^W\//, '').replaceAll('"', ''));

/**
 * Returns the bytes of the listed parts. Throws upload_parts_mismatch, with a finding for each missing, different,
 * extra or too small part, and for a file of another size. S3 itself joins only the listed parts, without an error. If
 * the listed parts have the stated size, the file needs no other part, even if more were promised.
 */
export function requireSameParts(
  etags: readonly string[],
  arrived: readonly ArrivedPart[],
  promised: Promised,
): number {
  const listed = arrived.filter(({ part_number }) => part_number <= etags.length);
  const bytes = listed.reduce((sum, { size }) => sum + size, 0);
  const { size_bytes } = promised;
  const needed = bytes === size_bytes ? etags.length : Math.max(etags.length, promised.parts);
  const numbers = new Set(arrived.map(({ part_number }) => part_number));
  const missing = Array.from({ length: needed }, (_, at) => at + 1).filter((part) => !numbers.has(part));
  const findings: Finding[] = [
    ...missing.map((part) => ({
      pointer: part > etags.length ? '/etags' : `/etags/${part - 1}`,
      code: 'part_missing',
      detail: `Part ${part} has not arrived.`,
    })),
    ...listed.flatMap((part) => partFindings(part, etags)),
    ...(bytes === size_bytes ? [] : arrived.filter((part) => !listed.includes(part)).map(unlisted)),
  ];
  const isOtherSize = size_bytes !== undefined && bytes !== size_bytes;
  if (isOtherSize) {
    const detail = `The listed parts have ${bytes} bytes; the file has ${size_bytes}.`;
    findings.push({ pointer: '/size_bytes', code: 'size_differs', detail });
  }
  const [first] = findings;
  if (first === undefined) return bytes;
  const isTooMany = size_bytes === undefined && missing.some((part) => part > etags.length);
  const reason = missing.length > 1 ? `Parts ${ranges(missing)} have not arrived.` : first.detail;
  const hint = isTooMany ? ` If the file has only ${etags.length}, send its \`size_bytes\` too.` : '';
  throw new Problem(
    'upload_parts_mismatch',
    `${reason} All parts that arrived are kept. Correct the list and repeat the call.${hint}`,
    { findings: findings.slice(0, MOST_FINDINGS) },
  );
}

/** Throws payload_too_large if the parts have more than `max_bytes`. */
export function requireBytesWithin(bytes: number, max_bytes: number): void {
  if (bytes <= max_bytes) return;
  throw new Problem(
    'payload_too_large',
    `The parts have ${bytes} bytes; the maximum is ${max_bytes}. Delete this and upload a smaller file.`,
  );
}

function partFindings({ part_number, etag, size }: ArrivedPart, etags: readonly string[]): Finding[] {
  const pointer = `/etags/${part_number - 1}`;
  if (etag !== etags[part_number - 1]) {
    const detail = `Part ${part_number} arrived with the ETag "${etag}".`;
    return [{ pointer, code: 'part_differs', detail }];
  }
  if (part_number === etags.length || size >= MIN_PART_BYTES) return [];
  const detail = `Part ${part_number} has ${size} bytes; all but the last need 5 MiB.`;
  return [{ pointer, code: 'too_small', detail }];
}

const unlisted = ({ part_number, etag }: ArrivedPart): Finding => ({
  pointer: '/etags',
  code: 'too_few',
  detail: `Part ${part_number} arrived, but its ETag "${etag}" is not given.`,
});

/** Writes ascending numbers as ranges: "2, 4-9". */
function ranges(numbers: readonly number[]): string {
  const found: [first: number, last: number][] = [];
  for (const number of numbers) {
    const open = found.at(-1);
    if (open?.[1] === number - 1) open[1] = number;
    else found.push([number, number]);
  }
  return found.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(', ');
}
