/**
 * `npm run models [list|get|use|remove] [NAME]`: models for real speech, instead of the PocketSphinx of the local cloud.
 * Only `get` downloads anything. The next job uses the chosen model, without a restart.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { setGlobalProxyFromEnv } from 'node:http';
import { join } from 'node:path';
import { type Kind, kinds } from '../engines/transcription/sherpa-model.ts';
import { OWNERS_ALONE } from '../local/layout.ts';
import { takeLock } from '../local/lock.ts';
import { defined } from '../shared/checked-access.ts';
import { argumentsOf } from './arguments.ts';
import { done, line } from './demo/screen.ts';
import { catalogue, type Entry } from './models/catalogue.ts';
import { ModelFailure } from './models/failure.ts';
import { getModel, megabytes } from './models/get.ts';
import { type Installed, isModelName, modelStore } from './models/store.ts';

const usage = `Usage:
  npm run models                what there is, what is installed, what is in use
  npm run models get NAME       fetches a model, and uses it  (--no-use: only fetches)
  npm run models use NAME       uses one that is installed, from the next job on
  npm run models remove NAME
A model of your own: npm run models -- get NAME --from URL [--languages en,de] [--kind KIND] [--sha256 HEX]
  URL: a .tar.bz2 of a folder with the model's files and tokens.txt; KIND: ${kinds.join(', ')}`;

const { values, positionals } = argumentsOf(
  { text: usage, help: 'npm run models -- --help', words: 2 },
  {
    options: {
      'no-use': { type: 'boolean', default: false },
      from: { type: 'string' },
      languages: { type: 'string' },
      kind: { type: 'string' },
      sha256: { type: 'string' },
    },
  },
);

const store = modelStore();
const commands: Record<string, (name: string) => void | Promise<void>> = { get, use, remove };
const [command = 'list', name] = positionals;

try {
  if (command === 'list') list();
  else if (!(command in commands) || name === undefined) fail(usage);
  else await alone(() => defined(commands[command])(name));
} catch (error) {
  if (!(error instanceof ModelFailure)) throw error;
  fail(error.message);
}

function list(): void {
  const installed = store.installed();
  const own = installed.filter(({ name }) => !catalogue.some((entry) => entry.name === name));
  const width = Math.max(...[...catalogue, ...own].map(({ name }) => name.length));
  const row = (mark: string, name: string, size: string, about: string) =>
    line(`${mark} ${name.padEnd(width)}  ${size.padStart(8)}  ${about}`);
  for (const entry of catalogue) {
    const found = installed.find(({ name }) => name === entry.name);
    row(found ? markOf(found) : ' ', entry.name, sizeOf(entry), entry.about);
    line(`  ${' '.repeat(width)}            ${entry.licence}; ${languagesOf(entry)}`);
  }
  for (const model of own) {
    row(markOf(model), model.name, megabytes(model.unpacked_bytes), `your own; ${languagesOf(model)}`);
  }
  line('');
  line('* in use, + installed. Fetch and use one: npm run models get NAME');
  if (!store.hasSpeechInUse()) line('In use: PocketSphinx, which is for clear English only.');
  warnOfVariable();
}

function markOf(model: Installed): string {
  return store.isInUse(model) ? '*' : '+';
}

/** Returns the size of the download. If it is unknown, returns the unpacked size as an upper limit, because archives are a little smaller. */
function sizeOf({ sources, unpacked_mb }: Entry): string {
  const known = sources.every(({ bytes }) => bytes !== null);
  return known
    ? megabytes(sources.reduce((sum, { bytes }) => sum + defined(bytes), 0))
    : `< ${unpacked_mb} MB`;
}

function languagesOf({ languages }: { languages?: readonly string[] | null | undefined }): string {
  if (!languages) return 'any language';
  return languages.length > 30 ? `${languages.slice(0, 20).join(' ')} …` : languages.join(' ');
}

async function get(name: string): Promise<void> {
  const entry = values.from === undefined ? known(name) : own(name, values.from);
  const size =
    entry.unpacked_mb > 0 ? `${sizeOf(entry)} to fetch, ${entry.unpacked_mb} MB on the disk` : entry.about;
  line(`${entry.name}: ${size}`);
  line(`  Languages: ${languagesOf(entry)}`);
  line(`  Licence:   ${entry.licence}`);
  line(`  From:      ${entry.sources.map(({ url }) => url).join('\n             ')}`);
  const packageFile = await getModel(store, entry);
  done('Installed', store.folderOf(entry.name));
  if (!values['no-use']) choose(entry, packageFile);
}

function use(name: string): void {
  choose(found(name));
}

function choose(model: Pick<Entry, 'name' | 'role'>, packageFile?: string): void {
  store.use(model, packageFile);
  line(`${model.name} is in use from the next job on.`);
  warnOfVariable();
}

function remove(name: string): void {
  const model = found(name);
  const wasInUse = store.isInUse(model);
  store.remove(model);
  const isSpeech = wasInUse && model.role === 'speech';
  line(`${name} is removed.${isSpeech ? ' From the next job on, PocketSphinx is used again.' : ''}`);
}

/** Warns that the environment variable overrides the choice of this command. */
function warnOfVariable(): void {
  if (process.env.SHERPA_MODEL_DIR)
    line(`SHERPA_MODEL_DIR is set here: a local cloud started with it uses ${process.env.SHERPA_MODEL_DIR}.`);
}

function known(name: string): Entry {
  const entry = catalogue.find((one) => one.name === name);
  if (entry) return entry;
  const names = catalogue.map((one) => one.name).join(', ');
  return fail(`There is no model ${name} in the list. There are: ${names}.\nFrom elsewhere: --from URL`);
}

function own(name: string, from: string): Entry {
  if (!isModelName(name) || catalogue.some((entry) => entry.name === name))
    return fail(
      `${name} cannot be the name of a model of your own: letters, digits and inner . _ -, none of the list.`,
    );
  if (!URL.canParse(from) || !/^https?:/.test(from)) return fail(`--from is no HTTP address: ${from}`);
  const kind = values.kind as Kind | undefined;
  if (kind !== undefined && !kinds.includes(kind)) return fail(`--kind is one of: ${kinds.join(', ')}`);
  return {
    name,
    role: 'speech',
    about: 'a model of your own',
    ...(kind && { kind }),
    languages: values.languages?.split(',').map((language) => language.trim().toLowerCase()) ?? null,
    licence: 'not known: as its source says',
    page: from,
    sources: [{ url: from, bytes: null, sha256: values.sha256?.toLowerCase() ?? null }],
    unpacked_mb: 0,
  };
}

function found(name: string): Installed {
  const model = store.installed().find((one) => one.name === name);
  return model ?? fail(`${name} is not installed. Fetch it: npm run models get ${name}`);
}

/** Runs `work` under a lock, because two commands at once would write to the same downloads. */
async function alone(work: () => void | Promise<void>): Promise<void> {
  // By default, Node ignores HTTPS_PROXY.
  setGlobalProxyFromEnv();
  if (!existsSync(store.root)) mkdirSync(store.root, { recursive: true, mode: OWNERS_ALONE });
  const lock = takeLock(join(store.root, '.lock'));
  if (lock === undefined) return fail('Another npm run models is at work; wait until it has ended.');
  try {
    await work();
  } finally {
    lock.release();
  }
}

function fail(message: string): never {
  console.error(`\n${message}`);
  process.exit(1);
}
