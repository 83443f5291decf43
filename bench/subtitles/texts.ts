/** The conversation that the benchmark reads and writes, in two alphabets. */
import type { Cue } from '../../lambdas/subtitles/rules/cue.ts';
import { rememberPlainLines } from '../../lambdas/subtitles/rules/text.ts';

/** V8 stores a `latin` character in one byte and a `greek` character in two bytes. Both texts have the same number of cues. */
export type Script = 'latin' | 'greek';

const CUE_COUNT = 2000;

const lines: Record<Script, [string, string][]> = {
  latin: [
    ['With me tonight is Dr. Elena Ruiz,', 'who has spent the last twelve years'],
    ['on the coast studying what happens', 'to the sea while no one is looking.'],
    ['Because it was there, I suppose.', 'Would you not say so yourself?'],
    ['And because my father told me never', 'to go near it, for example at night.'],
  ],
  greek: [
    ['Μαζί μου απόψε η Έλενα Ρουίς, που', 'πέρασε τα τελευταία δώδεκα χρόνια'],
    ['στην ακτή, μελετώντας τι συμβαίνει', 'στη θάλασσα όταν κανείς δεν κοιτά.'],
    ['Επειδή ήταν εκεί, υποθέτω, πάντα.', 'Δεν θα το λέγατε κι εσείς έτσι;'],
    ['Κι επειδή ο πατέρας μου έλεγε ποτέ', 'να μην πλησιάσω, ιδίως τη νύχτα.'],
  ],
};

/** Cues in the form that the layout returns. */
export function conversation(script: Script): Cue[] {
  const texts = lines[script];
  return Array.from({ length: CUE_COUNT }, (_, i) => ({
    start_ms: i * 3100,
    end_ms: i * 3100 + 2957,
    lines: rememberPlainLines([...texts[i % texts.length]!]),
    speaker: i % 4 < 2 ? 'Host' : 'Elena Ruiz',
  }));
}
