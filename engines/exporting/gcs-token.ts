/**
 * Gets access tokens of Google service accounts: Google exchanges a JWT, signed with the account's key, for a token.
 * https://developers.google.com/identity/protocols/oauth2/service-account#httprest
 */
import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { providerThrottled, providerUnavailable, storageAccessDenied } from '../../shared/job-errors.ts';
import { NoAnswer, type RequestLimits, sendRequest } from './send-request.ts';

const tokenUri = 'https://oauth2.googleapis.com/token';
const scope = 'https://www.googleapis.com/auth/devstorage.read_write';
/** The lifetime of the signed JWT, seconds: the maximum of Google. */
const LIFETIME_S = 3600;

export type ServiceAccount = Readonly<Record<string, unknown>>;

export interface TokenPlace extends RequestLimits {
  readonly now: Date;
  /** The URL schemes that `token_uri` of the credentials may have. */
  readonly schemes: readonly string[];
}

export async function accessToken(account: ServiceAccount, place: TokenPlace): Promise<string> {
  const uri = addressIn(account, place.schemes);
  const grant = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: assertionOf(account, uri, place.now),
  });
  const { status, body } = await sendRequest(
    {
      method: 'POST',
      url: uri,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: Buffer.from(grant.toString()),
    },
    place,
  ).catch((error: unknown) => {
    throw error instanceof NoAnswer ? unreached(error) : error;
  });
  const token = status === 200 ? membersOf(body).access_token : undefined;
  // The token becomes part of a header, so it must have no line breaks.
  if (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)) return token;
  if (status === 429) throw providerThrottled('Google gave no access token: too many requests.');
  if (status >= 500) throw providerUnavailable('Google gave no access token.');
  // RFC 6749 §5.2 lists the codes. Our error shows no other part of the answer, because the tenant chose the address.
  const { error } = membersOf(body);
  const code = typeof error === 'string' && /^[a-z_]{1,40}$/.test(error) ? error : `status ${status}`;
  throw storageAccessDenied(
    `Google gives no access token for the service account (${code}). Check that its key was not deleted and that \`credentials\` is the whole document.`,
  );
}

function addressIn({ token_uri }: ServiceAccount, schemes: readonly string[]): string {
  const uri = token_uri === undefined ? tokenUri : String(token_uri);
  const isUsable = URL.canParse(uri) && schemes.includes(new URL(uri).protocol.slice(0, -1));
  if (isUsable) return uri;
  throw storageAccessDenied('`token_uri` of the credentials must be an address that begins with https://.');
}

function assertionOf(account: ServiceAccount, aud: string, now: Date): string {
  const iat = Math.floor(now.getTime() / 1000);
  const kid = account.private_key_id;
  const header = { alg: 'RS256', typ: 'JWT', ...(typeof kid === 'string' && { kid }) };
  const claims = { iss: account.client_email, scope, aud, iat, exp: iat + LIFETIME_S };
  const text = [header, claims].map((part) => base64url(JSON.stringify(part))).join('.');
  return `${text}.${sign('RSA-SHA256', Buffer.from(text), keyOf(account)).toString('base64url')}`;
}

function keyOf({ private_key }: ServiceAccount): KeyObject {
  try {
    const key = createPrivateKey(String(private_key));
    if (key.asymmetricKeyType === 'rsa') return key;
  } catch {
    // The error below also covers valid keys of another type than RSA.
  }
  throw storageAccessDenied('`private_key` of the credentials must be an RSA key in PEM.');
}

const base64url = (text: string): string => Buffer.from(text).toString('base64url');

function membersOf(body: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(body) as Record<string, unknown> | null) ?? {};
  } catch {
    return {};
  }
}

function unreached({ code, message }: NoAnswer): Error {
  return code === null || code === 'ENOTFOUND'
    ? storageAccessDenied(`\`token_uri\` of the credentials cannot be reached: ${message}.`)
    : providerUnavailable(`\`token_uri\` of the credentials did not answer (${code}).`);
}
