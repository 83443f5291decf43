/** Reads the samples of a WAV file that a program wrote to a pipe. */
import { samplesOf } from '../../media/ffmpeg/extract-sound.ts';

export interface Sound {
  readonly samples: Int16Array;
  readonly sample_rate: number;
}

/** Returns null unless the file is 16-bit mono PCM. Ignores the length in the header: a program that writes to a pipe does not know it. */
export function readWav(file: Buffer): Sound | null {
  const isWav = file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 16) === 'WAVEfmt ';
  if (!isWav || file.length < 44) return null;
  const [format, channels, bits] = [file.readUInt16LE(20), file.readUInt16LE(22), file.readUInt16LE(34)];
  if (format !== 1 || channels !== 1 || bits !== 16) return null;
  let at = 20 + file.readUInt32LE(16);
  while (at + 8 <= file.length && file.toString('latin1', at, at + 4) !== 'data')
    at += 8 + file.readUInt32LE(at + 4);
  if (at + 8 > file.length) return null;
  const end = Math.min(file.length, at + 8 + file.readUInt32LE(at + 4));
  return { samples: samplesOf(file.subarray(at + 8, end)), sample_rate: file.readUInt32LE(24) };
}
