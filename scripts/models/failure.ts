/** A failure that the user can fix. Its message has the problem and the solution. It is shown without a stack trace. */
export class ModelFailure extends Error {}

const byCode: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full. Make room and run the command again: it goes on where it stopped.',
  EDQUOT:
    'Your share of the disk is used up. Make room and run the command again: it goes on where it stopped.',
  EACCES:
    'The folder of the models cannot be written to. Give it to your user (chown) and run the command again.',
  EROFS: 'The folder of the models cannot be written to: its disk is read-only.',
};

/** Converts an error of the file system to a ModelFailure with advice. Returns other errors unchanged. */
export function withCure(error: unknown): unknown {
  const cure = byCode[(error as NodeJS.ErrnoException)?.code ?? ''];
  return cure === undefined ? error : new ModelFailure(cure, { cause: error });
}
