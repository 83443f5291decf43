/** Failures of commands, with advice for the user. */
export interface Advice {
  readonly says: string;
  readonly cure: string;
}

/** A failure that the user can fix. It is shown without a stack trace. */
export class Failure extends Error implements Advice {
  readonly says: string;
  readonly cure: string;

  constructor(says: string, cure: string, options?: ErrorOptions) {
    super(says, options);
    this.says = says;
    this.cure = cure;
  }
}

/** Wrong arguments. The command did nothing. */
export class Misuse extends Failure {}

/** Prints the failure and sets the exit code: 2 for wrong arguments, 1 otherwise. */
export function reportFailure(error: unknown): void {
  const { says, cure } = adviceOf(error);
  console.error(`✗ ${says}\n  → ${cure}`);
  process.exitCode = error instanceof Misuse ? 2 : 1;
}

const signIn =
  'Sign in again (aws sso login, aws login), or set AWS_PROFILE, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and AWS_SESSION_TOKEN for a session).';

/** Patterns for the name, code and message of the error. The first pattern that matches counts. */
const known: readonly (readonly [fits: RegExp, says: string, cure: string])[] = [
  [
    /CredentialsProviderError|TokenProviderError|Could not load credentials|SSO session|CredentialsError/,
    'No AWS credentials found',
    signIn,
  ],
  [/ExpiredToken|RequestExpired|InvalidIdentityToken/, 'The AWS credentials have expired', signIn],
  [
    /InvalidClientTokenId|UnrecognizedClient|InvalidAccessKeyId|SignatureDoesNotMatch|InvalidToken/,
    'AWS does not accept these credentials',
    `${signIn} If they are correct, the region may be disabled for the account (console, Account, AWS Regions).`,
  ],
  [
    /Region is missing/,
    'No region is set',
    'Set it: --region if the command has that option, or AWS_REGION=eu-central-1 before the command.',
  ],
  [
    /ResourceNotFoundException|NoSuchBucket/,
    'AWS has no resource with that name',
    'Compare the name and the region with the outputs of the stacks.',
  ],
  [
    /SubscriptionRequired|OptInRequired|AccountSetupInProgress|not subscribed|subscription/i,
    'The account may not use the service yet',
    'AWS activates a new account within a day, after the payment method and telephone number are confirmed. The console, Billing, shows what is missing.',
  ],
  [
    /AccessDenied|UnauthorizedOperation|AuthorizationError|not authorized|NotAuthorized/i,
    'The credentials do not allow this',
    'Use credentials with AdministratorAccess, or allow the action in the message. A service control policy of the organization may deny it.',
  ],
  [
    /ENOTFOUND|EAI_AGAIN|UnknownEndpoint|InaccessibleHost/,
    'The service has no address in this region',
    'Check the network and the spelling of the region. If both are correct, AWS does not offer the service there: choose another region in the environment’s file.',
  ],
  [
    /ECONNREFUSED|ECONNRESET|ETIMEDOUT|TimeoutError|NetworkingError|socket hang up/,
    'AWS is not reachable',
    'Check the network, a proxy (HTTPS_PROXY) or a firewall, and run the command again.',
  ],
  [
    /Throttl|TooManyRequests|Rate exceeded|SlowDown/,
    'AWS throttled the requests',
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
      cure: 'Run the command again. If the error persists, search for the message: it is from AWS.',
    };
  return { says: `${found[1]}: ${detail}`, cure: found[2] };
}
