/** The sound of a programme, as voice overs are made in it. */

/** Samples a second: what broadcasters use, and what pictures are put beside. */
export const PROGRAMME_RATE = 48_000;
/** How loud a programme is, LUFS: EBU R128 (2020). */
export const PROGRAMME_LUFS = -23;
