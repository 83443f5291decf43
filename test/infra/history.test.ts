import { describe, expect, it } from 'vitest';
import { MAX_PIECES } from '../../engines/transcription/plan-pieces.ts';
import { MOST_LANES } from '../../lambdas/clips/rules/job-parts.ts';
import { MOST_SPANS } from '../../lambdas/ingest/rules/picture-spans.ts';
import { MOST_GROUPS } from '../../lambdas/voice-over/rules/progress-parts.ts';
import { readDefinitions } from '../../lib/jobs/definitions.ts';

interface State {
  readonly Type: string;
  readonly ItemProcessor?: Scope;
  readonly Branches?: readonly Scope[];
}
interface Scope {
  readonly States: Readonly<Record<string, State>>;
}

/** Step Functions quotas, "Maximum execution history size": an execution with more events fails. */
const MOST_EVENTS = 25_000;
/** The most languages of a template, and clips of a job: contract/resources. */
const [LANGUAGES, CLIPS] = [20, 50];

/**
 * The most items of each Map, for the largest asset that Kinora accepts. The test fails for a Map without an entry
 * here.
 */
const mostItems: Readonly<Record<string, number>> = {
  'Clips.RenderClips': CLIPS,
  'Clips.RenderParts': MOST_LANES + 1,
  'DeleteAsset.ClearExports': 100,
  'Export.RenderParts': MOST_LANES + 1,
  'Ingest.TranscribePieces': MAX_PIECES,
  'Ingest.TranslateLanguages': LANGUAGES,
  'Ingest.SpeakLanguages': LANGUAGES,
  'Ingest.SpeakGroups': MOST_GROUPS,
  'Ingest.LookAtSpans': MOST_SPANS,
  'Translation.TranslateLanguages': 100,
  'VoiceOver.SpeakLanguages': LANGUAGES,
  'VoiceOver.SpeakGroups': MOST_GROUPS,
};

/**
 * The number of events for one visit of each state. Each state has an entered and an exited event. A Task adds three:
 * scheduled, started, succeeded. A Map or Parallel adds two: started and succeeded; each iteration of a Map adds two as
 * well. Step Functions Developer Guide, "HistoryEvent".
 */
function eventsOf(machine: string, { States }: Scope): number {
  const of = ([name, { Type, ItemProcessor, Branches }]: [string, State]): number => {
    if (ItemProcessor) {
      const items = mostItems[`${machine}.${name}`];
      if (items === undefined) throw new Error(`How many items has ${machine}.${name} at most?`);
      return 4 + items * (2 + eventsOf(machine, ItemProcessor));
    }
    if (Branches) return 4 + Branches.reduce((sum, branch) => sum + eventsOf(machine, branch), 0);
    return Type === 'Task' ? 5 : 2;
  };
  return Object.entries(States).reduce((sum, state) => sum + of(state), 0);
}

describe.each(readDefinitions())('the history of $name', ({ name, body }) => {
  it('has room for all its states, with the largest asset', () => {
    // Polling and retries add events. The tests of the machine runs count them.
    expect(eventsOf(name, JSON.parse(body) as Scope)).toBeLessThan(MOST_EVENTS * 0.8);
  });
});
