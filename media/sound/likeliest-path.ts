/** Finds the sequence of states with the most evidence, minus the costs of changes between states (Viterbi 1967). */
export function createLikeliestPath(steps: number, states: number) {
  const before = new Uint8Array(steps * states);
  let scores = new Float64Array(states);
  let step = 0;
  return {
    /** Adds a step. @param cost the cost of a change of state before this step */
    add(evidence: ArrayLike<number>, cost: number): void {
      const best = largestOf(scores);
      const changed = scores[best]! - cost;
      scores = scores.map((score, state) => {
        const stays = score >= changed;
        before[step * states + state] = stays ? state : best;
        return (stays ? score : changed) + evidence[state]!;
      });
      step += 1;
    },
    end(): Uint8Array<ArrayBuffer> {
      const path = new Uint8Array(steps);
      let state = largestOf(scores);
      for (let at = steps - 1; at >= 0; at--) {
        path[at] = state;
        state = before[at * states + state]!;
      }
      return path;
    },
  };
}

const largestOf = (scores: Float64Array) => scores.indexOf(Math.max(...scores));
