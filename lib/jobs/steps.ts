/**
 * Reads the settings of steps, schedules and listeners from their files in `lambdas/<subject>/steps/`
 * (platform/steps/define-step.ts). It reads only the constant `settings` of each file, so synthesis loads no handler.
 */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import type { ListenerSettings, ScheduleSettings, StepSettings } from '../../platform/steps/define-step.ts';
import { pascalCase } from '../shared/names.ts';

type Declared =
  | ({ readonly kind: 'step' } & StepSettings)
  | ({ readonly kind: 'schedule' } & ScheduleSettings)
  | ({ readonly kind: 'listener' } & ListenerSettings);
type ByName<Settings> = Readonly<Record<string, Settings>>;

const subjects = join(import.meta.dirname, '..', '..', 'lambdas');

/** Matches the parts of a file that are evaluated: the constant `settings`, and the imports that it may use. */
const READ = /^import [^;]*(?:define-step|job-kinds)\.ts';$|^export const settings = [\s\S]*?^\}\);$/gm;

const settingsOnly: Plugin = {
  name: 'settings-only',
  setup(build) {
    build.onLoad({ filter: /\/lambdas\/[a-z-]+\/steps\/[a-z-]+\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').match(READ)?.join('\n') ?? '',
      loader: 'ts',
    }));
  },
};

async function readSettings(): Promise<Declared[]> {
  const files = globSync('*/steps/*.ts', { cwd: subjects }).sort();
  const { outputFiles } = await build({
    stdin: {
      contents: files.map((file, at) => `export { settings as _${at} } from './${file}';`).join('\n'),
      resolveDir: subjects,
    },
    bundle: true,
    write: false,
    format: 'esm',
    logLevel: 'silent',
    plugins: [settingsOnly],
  });
  const source = Buffer.from(outputFiles[0]!.contents).toString('base64');
  const module = (await import(`data:text/javascript;base64,${source}`)) as Record<
    string,
    Declared | undefined
  >;
  return files.map((file, at) => named(module[`_${at}`], file));
}

/** @throws Error if the file has no settings, or if their name is not the name of the file */
function named(settings: Declared | undefined, file: string): Declared {
  const name = pascalCase(basename(file, '.ts'));
  if (settings === undefined)
    throw new Error(`lambdas/${file} declares no step. Add: export const settings = defineStep({ … });`);
  if (settings.name === name) return settings;
  throw new Error(`lambdas/${file} names its function ${settings.name}. Use ${name}, the name of the file.`);
}

const declared = await readSettings();

const byName = <Settings extends Declared>(settings: readonly Settings[]): ByName<Settings> =>
  Object.fromEntries(settings.map((one) => [one.name, one]));

export const steps: ByName<StepSettings> = byName(declared.filter((one) => one.kind === 'step'));
export const schedules: ByName<ScheduleSettings> = byName(declared.filter((one) => one.kind === 'schedule'));
export const listeners: ByName<ListenerSettings> = byName(declared.filter((one) => one.kind === 'listener'));

/** @throws Error if a state machine names a step for which no file exists */
export function settingsOf(name: string): StepSettings {
  const settings = steps[name];
  if (settings !== undefined) return settings;
  throw new Error(`A state machine names the step ${name}, which no file in lambdas/*/steps/ declares`);
}

export const mediaSteps: readonly string[] = Object.keys(steps).filter((name) => steps[name]!.ffmpeg);
