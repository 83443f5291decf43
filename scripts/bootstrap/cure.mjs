/** An error that the user can fix. Its message says how, and is shown without a stack trace. */
export class Cure extends Error {}
