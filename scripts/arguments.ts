/** Reads the arguments of all commands in the same way. A mistake is reported in one line, with the correct usage. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { Misuse, reportFailure } from './deployment/failure.ts';

export interface Usage {
  /** The text that `--help` shows. A function returns the text for these words, such as that of a subcommand. */
  readonly text: string | ((words: readonly string[]) => string);
  /** The command that shows the text: `npm run keys -- --help`. */
  readonly help: string;
  /** The number of words that the command accepts in addition to options. */
  readonly words: number;
}

type Read<Config extends ParseArgsConfig> = ReturnType<
  typeof parseArgs<Config & { readonly allowPositionals: true }>
>;

/** Ends the process after showing the help (exit code 0) or a mistake (2). */
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

/** Returns the arguments. Shows the help and returns null for `--help`. */
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
    throw new Misuse(mistakeOf(error), help, { cause: error });
  }
  const { values, positionals } = read;
  if (values.help) {
    console.log(typeof text === 'string' ? text : text(positionals));
    return null;
  }
  const extra = positionals[words];
  if (extra !== undefined) throw new Misuse(`Unexpected argument “${extra}”`, help);
  return read as Read<Config>;
}

/** Returns the first sentence of Node's message, without its explanation of dashes. */
function mistakeOf(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (!code.startsWith('ERR_PARSE_ARGS_')) throw error;
  const [first = message] = message.split(/\n|\. /);
  return first.replace(
    'argument is ambiguous',
    'has no value: an argument that begins with a dash is an option',
  );
}
