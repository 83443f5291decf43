/** An error that people can do something about: its message says what, and is shown without a stack. */
export class Cure extends Error {}
