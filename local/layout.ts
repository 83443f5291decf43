/** Files and folders of the local cloud's directory. */
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export type Layout = {
  root: string;
  /** Marks the directory as one of the local cloud, so that `npm run reset` may empty it. */
  marker: string;
  lock: string;
  /** Which process holds the lock. */
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
  /** Roles that the local Security Token Service knows. */
  roles: string;
  site: string;
  /** Models that `npm run models` has fetched. They are large, so `npm run reset` keeps them. */
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

/** Folders that other commands may make before the local cloud first runs here. */
const mayBeFirst = ['logs', 'models'];

/** The file of settings that functions read while they run. A command that changes a setting writes it. */
export const chosenSettings = ({ models }: Pick<Layout, 'models'>) => join(models, 'in-use.json');

/** Mode of folders: only their owner may enter them. They hold keys, uploads of tenants, and logs. */
export const OWNERS_ALONE = 0o700;

/** Makes the directory and its marker, and lets only its owner enter. Throws if the directory has files of another program. */
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
