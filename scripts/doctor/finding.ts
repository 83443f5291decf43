/** The result of a check: no problem, a possible problem, or a certain problem. The last two include advice. */

export type Judgement =
  | { readonly level: 'well'; readonly says: string }
  | { readonly level: 'doubtful' | 'failing'; readonly says: string; readonly cure: string };

export type Finding = Judgement & { readonly title: string };

export const well = (says: string): Judgement => ({ level: 'well', says });
export const doubtful = (says: string, cure: string): Judgement => ({ level: 'doubtful', says, cure });
export const failing = (says: string, cure: string): Judgement => ({ level: 'failing', says, cure });

export const isFailing = ({ level }: Judgement): boolean => level === 'failing';
