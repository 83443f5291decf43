/** Rules of channels, which are live sources. */
import { itemAt } from '../../../shared/checked-access.ts';
import { Inconsistent } from '../../../shared/problems.ts';

export interface ChannelSource {
  readonly protocol: 'rtmp' | 'srt' | 'hls';
  readonly mode: 'push' | 'pull';
  readonly url?: string | undefined;
  readonly passphrase?: string | undefined;
}

export const schemes: Readonly<Record<ChannelSource['protocol'], readonly string[]>> = {
  rtmp: ['rtmp', 'rtmps'],
  srt: ['srt'],
  hls: ['http', 'https'],
};

export function requireFittingSource({ protocol, mode, url, passphrase }: ChannelSource): void {
  const rules: readonly [isBroken: boolean, member: string, code: string, detail: string][] = [
    [protocol === 'hls' && mode === 'push', 'mode', 'not_allowed', 'hls can only be pulled.'],
    [mode === 'pull' && url === undefined, 'url', 'required', 'pull needs the url to pull from.'],
    [
      mode === 'push' && url !== undefined,
      'url',
      'not_allowed',
      'push takes no url, because the source sends to Kinora.',
    ],
    [
      url !== undefined && !schemes[protocol].includes(itemAt(url.split(':'), 0)),
      'url',
      'invalid_format',
      `The url of ${protocol} begins with ${schemes[protocol].join(':// or ')}://.`,
    ],
    [
      passphrase !== undefined && protocol !== 'srt',
      'passphrase',
      'not_allowed',
      'Only srt has a passphrase.',
    ],
  ];
  const findings = rules
    .filter(([isBroken]) => isBroken)
    .map(([, member, code, detail]) => ({ pointer: `/source/${member}`, code, detail }));
  if (findings.length > 0) throw new Inconsistent(findings);
}
