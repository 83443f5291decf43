/** Returns true if the optional packages pocketsphinx and pocketsphinx-en-us are installed. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { settingsFor } from '../../../engines/selection.ts';
import { pocketsphinx } from '../../../engines/transcription/pocketsphinx.ts';

export function hasPocketsphinx(): boolean {
  const { POCKETSPHINX_PATH, POCKETSPHINX_MODEL_DIR } = settingsFor(pocketsphinx, process.env);
  try {
    execFileSync('sh', ['-c', `command -v ${POCKETSPHINX_PATH}`], { stdio: 'ignore' });
    return existsSync(POCKETSPHINX_MODEL_DIR!);
  } catch {
    return false;
  }
}
