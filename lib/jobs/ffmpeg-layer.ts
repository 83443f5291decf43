/** The layer that brings ffmpeg and ffprobe to the media steps, on `/opt/bin`. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AssetHashType } from 'aws-cdk-lib';
import { Architecture, Code, LayerVersion } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { stableId } from '../shared/logical-id.ts';

const folder = join(import.meta.dirname, '..', '..', 'build', 'layers');

/** The processor that npm's static builds in the layer were made for. */
export const layerArchitecture = Architecture.X86_64;

export function ffmpegLayer(scope: Construct): LayerVersion {
  const stamp = join(folder, 'ffmpeg.stamp');
  if (!existsSync(stamp)) {
    throw new Error(
      'There is no ffmpeg layer: `npm install --no-save --force @ffmpeg-installer/linux-x64 ' +
        '@ffprobe-installer/linux-x64` brings its programs to any platform, then `npm run build` stages them',
    );
  }
  const layer = new LayerVersion(scope, 'Ffmpeg', {
    description: 'ffmpeg and ffprobe, static builds',
    code: Code.fromAsset(join(folder, 'ffmpeg'), {
      // The versions say it all; hashing 147 MB at every synth would say it slowly.
      assetHashType: AssetHashType.CUSTOM,
      assetHash: readFileSync(stamp, 'utf8'),
    }),
    compatibleArchitectures: [layerArchitecture],
  });
  return stableId(layer, 'FfmpegLayer');
}
