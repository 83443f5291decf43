/**
 * Makes malicious files: playlists named as media, references to other files and addresses, bombs, wrong headers, and
 * truncated files. The test passes the targets of the references, so that it sees every access.
 */
import { bombs } from './evil/bombs.ts';
import { png } from './evil/bytes.ts';
import type { Bait, EvilFile } from './evil/kinds.ts';
import { lies } from './evil/lies.ts';
import { movie } from './evil/movies.ts';
import { references } from './evil/references.ts';
import { flac, mkv, mp3Frames, wav } from './evil/sounds.ts';

export type { Bait, EvilFile } from './evil/kinds.ts';

export const evilFiles = (bait: Bait): EvilFile[] => [...references(bait), ...lies, ...bombs, ...cut()];

const sound: Readonly<Record<string, () => Buffer>> = {
  MP4: () => movie({ tracks: [{ kind: 'sound' }, { kind: 'picture' }] }),
  Matroska: () => mkv(),
  WAV: () => wav(),
  MP3: () => mp3Frames(40),
  FLAC: () => flac(40, 4096),
  PNG: () => png(640, 480),
};

const cut = (): EvilFile[] =>
  Object.entries(sound).flatMap(([kind, make]) =>
    Array.from(
      { length: 9 },
      (_, at): EvilFile => ({
        name: `${at + 1} tenths of ${kind}`,
        bytes: () => make().subarray(0, Math.floor(((at + 1) * make().length) / 10)),
        expected: 'either',
      }),
    ),
  );
