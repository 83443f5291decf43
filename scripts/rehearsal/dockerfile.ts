/** Reads a Dockerfile, as far as ours goes: what it cannot follow, it refuses. */
export type Instruction =
  | { readonly kind: 'RUN'; readonly command: string }
  | { readonly kind: 'COPY'; readonly from?: string; readonly source: string; readonly target: string }
  | { readonly kind: 'WORKDIR'; readonly directory: string }
  | { readonly kind: 'ARG'; readonly name: string };

export interface Stage {
  /** `AS client`; the last stage, which becomes the image, has none. */
  readonly name?: string;
  readonly base: string;
  readonly steps: readonly Instruction[];
}

export interface Recipe {
  readonly stages: readonly Stage[];
  /** The program that the image starts; the command of a function follows it. */
  readonly entrypoint: readonly string[];
  /** Where it starts. */
  readonly directory: string;
}

/** @throws Error that names the line which it cannot follow */
export function readRecipe(text: string): Recipe {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const stages: { name?: string; base: string; steps: Instruction[] }[] = [];
  let entrypoint: string[] = [];
  for (const line of lines) {
    const from = /^FROM (\S+)(?: AS (\S+))?$/.exec(line);
    const start = /^ENTRYPOINT (\[.*\])$/.exec(line);
    if (from) stages.push({ base: from[1]!, ...(from[2] && { name: from[2] }), steps: [] });
    else if (start) entrypoint = JSON.parse(start[1]!) as string[];
    else stages.at(-1)!.steps.push(instruction(line));
  }
  const directories = stages.at(-1)!.steps.filter((step) => step.kind === 'WORKDIR');
  return { stages, entrypoint, directory: directories.at(-1)?.directory ?? '/' };
}

function instruction(line: string): Instruction {
  const run = /^RUN (.+)$/.exec(line);
  if (run && !line.endsWith('\\')) return { kind: 'RUN', command: run[1]! };
  const copy = /^COPY (?:--from=(\S+) )?(\S+) (\/\S+)$/.exec(line);
  if (copy) {
    const [, from, source, target] = copy;
    return { kind: 'COPY', ...(from && { from }), source: source!, target: target! };
  }
  const directory = /^WORKDIR (\/\S+)$/.exec(line);
  if (directory) return { kind: 'WORKDIR', directory: directory[1]! };
  const argument = /^ARG (\w+)$/.exec(line);
  if (argument) return { kind: 'ARG', name: argument[1]! };
  throw new Error(`The rehearsal cannot follow this line: ${line}`);
}
