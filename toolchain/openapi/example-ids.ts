/** Ids for the contract's examples, by the member that contains them. Examples refer to each other by these ids. */
import { operations } from '../../contract/index.ts';
import type { OperationSpec } from '../../contract/kit/operation.ts';

const unknownId = '019a9d2e-31aa-7d0e-9b0a-2f6f0d1c7e55';

/** Members whose name differs from the name of their path parameter. */
const sameAs: Readonly<Record<string, string>> = { video_id: 'video_clip_id' };

const known = new Map<string, string>();
for (const { spec } of operations) {
  for (const { example } of Object.values((spec as OperationSpec).responses)) collect(example);
}

function collect(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const isId = name.endsWith('_id') && typeof member === 'string';
    if (isId && !known.has(name)) known.set(name, member);
    collect(member);
  }
}

export const exampleId = (name: string): string => known.get(sameAs[name] ?? name) ?? unknownId;

export const examplePath = ({ path }: OperationSpec): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(exampleId(name)));
