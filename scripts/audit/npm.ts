/** What the registry knows of advisories, by npm's own command. */
import { spawnSync } from 'node:child_process';
import type { Advisory, AdvisoryRecord } from './findings.ts';

interface Report {
  readonly vulnerabilities?: Readonly<
    Record<
      string,
      {
        via: readonly (
          | string
          | { name: string; title: string; url: string; severity: string; range: string }
        )[];
      }
    >
  >;
}

/** @param today ISO date @throws Error where the registry does not answer */
export function askRegistry(folder: string, today: string): AdvisoryRecord {
  const { stdout } = spawnSync('npm', ['audit', '--json', '--package-lock-only'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  const { vulnerabilities } = JSON.parse(stdout || '{}') as Report;
  if (vulnerabilities === undefined) throw new Error('The registry did not say what it knows of advisories');
  const advisories = Object.values(vulnerabilities)
    .flatMap(({ via }) => via)
    .filter((one) => typeof one !== 'string')
    .map(
      ({ name, title, url, severity, range }): Advisory => ({
        ...{ id: url.split('/').at(-1)!, package: name, range, severity, title },
      }),
    );
  const distinct = new Map(advisories.map((one) => [`${one.package} ${one.id}`, one]));
  return { recorded: today, advisories: [...distinct.values()] };
}
