/**
 * The addresses to which requests for tenants may go: those of the public internet. Tenants must not reach our private
 * networks through us. IANA's special-purpose registries (RFC 6890) name the other addresses.
 */
import { BlockList, isIP } from 'node:net';

const special: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

/** IPv6: only global unicast, without documentation, Teredo and similar ranges, and 6to4. */
const globalUnicast = ['2000::', 3] as const;
const specialUnicast: readonly (readonly [network: string, prefix: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const blocked = new BlockList();
for (const [network, prefix] of special) blocked.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of specialUnicast) blocked.addSubnet(network, prefix, 'ipv6');
const allowed = new BlockList();
allowed.addSubnet(...globalUnicast, 'ipv6');

export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !blocked.check(address, 'ipv4');
  return version === 6 && allowed.check(address, 'ipv6') && !blocked.check(address, 'ipv6');
}

/** The fault of a target address; null if none is visible. */
export function addressFault(text: string, schemes: readonly string[] = ['https']): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  // URLs with non-web schemes keep `0177.0.0.1` and `%31` as they are. Read as web URLs, they are normalized.
  const asWeb = url && `https://${url.host}/`;
  if (url === null || !URL.canParse(asWeb!)) return 'It is not an absolute address.';
  if (!schemes.includes(url.protocol.slice(0, -1)))
    return `It must begin with ${schemes.join(':// or ')}://.`;
  if (url.username !== '' || url.password !== '') return 'It must not carry a name or password.';
  const host = bareHost(new URL(asWeb!));
  const isLocal =
    isIP(host) === 0 ? /(^|\.)(localhost|local|internal)$|^[^.]+$/.test(host) : !isPublicAddress(host);
  return isLocal ? 'Its host cannot be reached from the public internet.' : null;
}

/** The host of an address. URLs have IPv6 in brackets, and names may end in a dot. */
export const bareHost = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
