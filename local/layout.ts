/** The files and folders in the directory of the local cloud. */
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export type Layout = {
  root: string;
  /** A file that marks the directory as a directory of the local cloud. Only then may `npm run reset` empty it. */
  marker: string;
  lock: string;
  /** Names the process that holds the lock. */
  owner: string;
  ports: string;
  credentials: string;
  ready: string;
  s3Options: string;
  processes: string;
  logs: string;
  temporary: string;
  compileCache: string;
  dynamodb: string;
  s3: string;
  stepfunctions: string;
  /** The folder of the roles for the local Security Token Service. */
  roles: string;
  site: string;
  /** The models that `npm run models` has downloaded. `npm run reset` keeps them, because they are large. */
  models: string;
};

export function layoutOf(directory: string): Layout {
  const root = resolve(directory);
  const at = (name: string) => join(root, name);
  return {
    root,
    marker: at('kinora-local-cloud'),
    lock: at('lock'),
    owner: at('owner.json'),
    ports: at('ports.json'),
    credentials: at('credentials.json'),
    ready: at('ready.json'),
    s3Options: at('s3.json'),
    processes: at('processes'),
    logs: at('logs'),
    temporary: at('tmp'),
    compileCache: at('compile-cache'),
    dynamodb: at('dynamodb'),
    s3: at('s3'),
    stepfunctions: at('stepfunctions'),
    roles: at('roles'),
    site: at('site'),
    models: at('models'),
  };
}

/** `KINORA_LOCAL_DIR`, or `.local` in the working directory. */
export const localDirectory = () => process.env.KINORA_LOCAL_DIR ?? '.local';

/** Folders that other commands may create before the first start of the local cloud. */
const mayBeFirst = ['logs', 'models'];

/** The file of settings that functions read while they run. Commands that change a setting write it. */
export const chosenSettings = ({ models }: Pick<Layout, 'models'>) => join(models, 'in-use.json');

/** The mode of folders: only their owner has access, because they contain keys, uploads of tenants, and logs. */
export const OWNERS_ALONE = 0o700;

/** Creates the directory and its marker, with access only for the owner. Throws if the directory contains files of another program. */
export function prepare(layout: Layout): void {
  mkdirSync(layout.root, { recursive: true, mode: OWNERS_ALONE });
  const others = readdirSync(layout.root).filter((name) => !mayBeFirst.includes(name));
  if (!existsSync(layout.marker) && others.length > 0) {
    throw new Error(`${layout.root} is not empty and not Kinora's; set KINORA_LOCAL_DIR to a new directory`);
  }
  writeFileSync(layout.marker, 'State of a Kinora local cloud. `npm run reset` empties this directory.\n');
  chmodSync(layout.root, OWNERS_ALONE);
  for (const directory of [layout.logs, layout.dynamodb, layout.s3, layout.stepfunctions, layout.roles]) {
    mkdirSync(directory, { recursive: true, mode: OWNERS_ALONE });
  }
}
