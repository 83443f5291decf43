/**
 * The transcription engine of this environment. A process keeps one engine until its settings change, since some
 * engines hold a model in memory.
 */
import { tmpdir } from 'node:os';
import { transcription as engines } from '../../engines/registry.ts';
import type { Settings } from '../../engines/selection.ts';
import type { TranscriptionEngine } from '../../engines/transcription/port.ts';
import { asTenantId } from '../../shared/ids.ts';
import { engineFor } from './engines.ts';
import { environment, settings } from './environment.ts';
import { mediaObjects } from './s3.ts';

let made: { readonly with: Settings; readonly engine: Promise<TranscriptionEngine> } | undefined;

export async function transcription(): Promise<TranscriptionEngine> {
  const current = settings();
  if (made?.with !== current) {
    const engine = Promise.resolve(
      engineFor('transcription', engines, {
        ...{ workDir: tmpdir(), environment: environment.name },
        ...{ readObject, writeObject },
      }),
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

/** The objects of a job are under the prefix of its tenant, `t/{tenant}/…`. */
const objectsOf = (key: string) => mediaObjects(asTenantId(key.split('/')[1] ?? ''));
