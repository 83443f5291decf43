/** What went wrong between a command and AWS or whoever gave it, in words, with what helps. */

export interface Advice {
  readonly says: string;
  readonly cure: string;
}

/** What a person can mend: shown without a stack. */
export class Failure extends Error implements Advice {
  readonly says: string;
  readonly cure: string;

  constructor({ says, cure }: Advice, options?: ErrorOptions) {
    super(says, options);
    this.says = says;
    this.cure = cure;
  }
}

/** What was typed cannot be meant, or names what is not there: nothing was done. */
export class Misuse extends Failure {}

/** Tells what a command ended of, and has it end so: with 2 where it was mistyped, with 1 otherwise. */
export function reportFailure(error: unknown): void {
  const { says, cure } = adviceOf(error);
  console.error(`✗ ${says}\n  → ${cure}`);
  process.exitCode = error instanceof Misuse ? 2 : 1;
}

const signIn =
  'Sign in again (aws sso login, aws login), or set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and AWS_SESSION_TOKEN where there is one.';

/** By name, code or message of the error; the first that fits counts. */
const known: readonly (readonly [fits: RegExp, says: string, cure: string])[] = [
  [
    /CredentialsProviderError|TokenProviderError|Could not load credentials|SSO session|CredentialsError/,
    'There are no AWS credentials here',
    signIn,
  ],
  [/ExpiredToken|RequestExpired|InvalidIdentityToken/, 'The AWS credentials have expired', signIn],
  [
    /InvalidClientTokenId|UnrecognizedClient|InvalidAccessKeyId|SignatureDoesNotMatch|InvalidToken/,
    'AWS does not know these credentials',
    `${signIn} If they are right: a region that the account has not switched on answers the same (Account, AWS Regions).`,
  ],
  [
    /Region is missing/,
    'No region is named',
    'Name it: --region where the command has it, or AWS_REGION=eu-central-1 before the command.',
  ],
  [
    /ResourceNotFoundException|NoSuchBucket/,
    'There is nothing of that name',
    'Compare the name and the region with those of the environment: the outputs of its stacks have them.',
  ],
  [
    /SubscriptionRequired|OptInRequired|AccountSetupInProgress|not subscribed|subscription/i,
    'The account may not use the service yet',
    'A new account is activated within a day, once its payment method and telephone number are confirmed; console, Billing, says what is missing.',
  ],
  [
    /AccessDenied|UnauthorizedOperation|AuthorizationError|not authorized|NotAuthorized/i,
    'The credentials may not do this',
    'Use credentials that may (AdministratorAccess can everything here), or have the action that the message names allowed; a service control policy of the organization may forbid it.',
  ],
  [
    /ENOTFOUND|EAI_AGAIN|UnknownEndpoint|InaccessibleHost/,
    'The service has no address here',
    'Check the network and the spelling of the region; where both are right, the service is not offered in this region: name another in the environment’s file.',
  ],
  [
    /ECONNREFUSED|ECONNRESET|ETIMEDOUT|TimeoutError|NetworkingError|socket hang up/,
    'AWS cannot be reached',
    'Check the network, a proxy (HTTPS_PROXY) or a firewall, and run the command again.',
  ],
  [
    /Throttl|TooManyRequests|Rate exceeded|SlowDown/,
    'AWS wants fewer requests',
    'Run the command again in a minute.',
  ],
];

export function adviceOf(error: unknown): Advice {
  if (error instanceof Failure) return error;
  const { name = '', message = String(error), code = '' } = error as NodeJS.ErrnoException;
  const found = known.find(([fits]) => [name, code, message].some((text) => fits.test(text)));
  const detail = message.replace(/\s+/g, ' ').trim();
  if (found === undefined)
    return {
      says: `${name}: ${detail}`,
      cure: 'Run the command again; if it stays, the message is AWS’s own.',
    };
  return { says: `${found[1]}: ${detail}`, cure: found[2] };
}
