/** What a command was given: one way to read it for all of them, so that what is mistyped is told in a line, with what would be right. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { Misuse, reportFailure } from './deployment/failure.ts';

/** How a command is used. */
export interface Usage {
  /** Shown by `--help`; given the words, so that it may tell of one subcommand alone. */
  readonly text: string | ((words: readonly string[]) => string);
  /** What shows it: `npm run keys -- --help`. */
  readonly help: string;
  /** How many words it takes beside options. */
  readonly words: number;
}

type Read<Config extends ParseArgsConfig> = ReturnType<
  typeof parseArgs<Config & { readonly allowPositionals: true }>
>;

/** Ends the process where help is asked for (0), and where what was given cannot be meant (2). */
export function argumentsOf<const Config extends ParseArgsConfig>(
  usage: Usage,
  config: Config,
  args: readonly string[] = process.argv.slice(2),
): Read<Config> {
  try {
    const given = parsed(usage, config, args);
    if (given !== null) return given;
  } catch (error) {
    reportFailure(error);
    process.exit();
  }
  return process.exit(0);
}

/** Null where help was asked for, and given. */
function parsed<const Config extends ParseArgsConfig>(
  { text, help, words }: Usage,
  config: Config,
  args: readonly string[],
): Read<Config> | null {
  const options = { ...config.options, help: { type: 'boolean', short: 'h' } as const };
  let read: ReturnType<typeof parseArgs>;
  try {
    read = parseArgs({ ...config, options, args: [...args], allowPositionals: true });
  } catch (error) {
    throw new Misuse({ says: mistakeOf(error), cure: help }, { cause: error });
  }
  const { values, positionals } = read;
  if (values.help) {
    console.log(typeof text === 'string' ? text : text(positionals));
    return null;
  }
  const extra = positionals[words];
  if (extra !== undefined) throw new Misuse({ says: `What is “${extra}” to mean here?`, cure: help });
  return read as Read<Config>;
}

/** The first sentence of Node's message, which goes on with how to mask dashes. */
function mistakeOf(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (!code.startsWith('ERR_PARSE_ARGS_')) throw error;
  const [first = message] = message.split(/\n|\. /);
  return first.replace(
    'argument is ambiguous',
    'has no value: what begins with a dash is taken for an option',
  );
}
