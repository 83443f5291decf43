/**
 * Reads a hosted zone of Route 53. This is the only call of Route 53, so the SDK client of another service signs it, and no package is
 * added. https://docs.aws.amazon.com/Route53/latest/APIReference/API_GetHostedZone.html
 */

import { defined } from '../../shared/checked-access.ts';
import type { Aws } from './clients.ts';

export interface HostedZone {
  /** The name without the dot at its end, such as `kinora.example`. */
  readonly name: string;
  /** Whether the zone is visible only in the account's own networks. */
  readonly isPrivate: boolean;
}

/** The host of Route 53 and the region for signatures, by region. Each partition has one host for all its regions. */
const places: readonly (readonly [regions: RegExp, host: string, region: string])[] = [
  // https://docs.aws.amazon.com/general/latest/gr/r53.html
  [/^cn-/, 'route53.amazonaws.com.cn', 'cn-northwest-1'],
  [/^us-gov-/, 'route53.us-gov.amazonaws.com', 'us-gov-west-1'],
  [/^/, 'route53.amazonaws.com', 'us-east-1'],
];

const ANSWER_MS = 10_000;

/** Null if the account has no zone with that id. Throws other errors of AWS, with their code as the name. */
export async function hostedZone({ region, sts }: Aws, id: string): Promise<HostedZone | null> {
  const [, hostname, signingRegion] = defined(places.find(([regions]) => regions.test(region)));
  const path = `/2013-04-01/hostedzone/${encodeURIComponent(id)}`;
  const signer = await sts.config.signer({
    ...{ name: 'sigv4', signingName: 'route53', signingRegion, properties: {} },
  });
  const { headers } = await signer.sign({
    ...{ method: 'GET', protocol: 'https:', hostname, path, query: {}, headers: { host: hostname } },
  });
  const { host: _, ...others } = headers;
  const response = await fetch(`https://${hostname}${path}`, {
    headers: others,
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const text = await response.text();
  if (response.ok) return zoneIn(text);
  const code = textOf('Code', text) ?? `Status ${response.status}`;
  if (code === 'NoSuchHostedZone') return null;
  throw Object.assign(new Error(textOf('Message', text) ?? text), { name: code });
}

function zoneIn(text: string): HostedZone {
  const [zone = ''] = /<HostedZone>.*<\/HostedZone>/s.exec(text) ?? [];
  const name = textOf('Name', zone);
  if (name === undefined) throw new Error(`Route 53 answered without the name of the zone: ${text}`);
  return { name: name.replace(/\.$/, ''), isPrivate: textOf('PrivateZone', zone) === 'true' };
}

/** Reads the text of an XML element. Domain names and codes contain no XML entities. */
const textOf = (element: string, text: string): string | undefined =>
  new RegExp(`<${element}>([^<]*)</${element}>`).exec(text)?.[1];
