/**
 * The transcription engine of this environment: one a process, since some hold a model in memory, until the settings that
 * it was made with change.
 */
import { tmpdir } from 'node:os';
import { transcription as engines } from '../../engines/registry.ts';
import type { Settings } from '../../engines/selection.ts';
import type { TranscriptionEngine } from '../../engines/transcription/port.ts';
import { asTenantId } from '../../shared/tenant.ts';
import { engineFor } from './engines.ts';
import { settings } from './environment.ts';
import { mediaObjects } from './s3.ts';

let made: { readonly with: Settings; readonly engine: Promise<TranscriptionEngine> } | undefined;

export async function transcription(): Promise<TranscriptionEngine> {
  const current = settings();
  if (made?.with !== current) {
    const engine = Promise.resolve(
      engineFor('transcription', engines, { workDir: tmpdir(), readObject, writeObject }),
    );
    made = { with: current, engine };
  }
  return made.engine;
}

async function readObject(key: string): Promise<string> {
  return Buffer.from((await objectsOf(key).read(key)) ?? '').toString('utf8');
}

const writeObject = (key: string, text: string) =>
  objectsOf(key).write(key, text, 'text/plain; charset=utf-8');

/** What belongs to a piece lies where its job was told to put it: under its tenant's own prefix, `t/{tenant}/…`. */
const objectsOf = (key: string) => mediaObjects(asTenantId(key.split('/')[1] ?? ''));
