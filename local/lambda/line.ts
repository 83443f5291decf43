/**
 * A waiting line in which groups take turns. Groups may contain groups, which also take turns. So even if a hundred entries of one
 * tenant wait, the only entry of another tenant is among the next entries. Entries of the same innermost group are in the order of
 * their arrival.
 */
export type Line<Entry> = {
  readonly size: number;
  /** @param turn the groups of the entry, the outermost first: a tenant, then its job. Entries without a group form a group, too */
  add(turn: readonly string[], entry: Entry): void;
  /**
   * Removes and returns the next entry. Returns undefined if none is left.
   * @param passes returns whether to skip an outermost group
   */
  next(passes?: (group: string | undefined) => boolean): Entry | undefined;
};

/** The group of the entries that are directly in this line, not in one of its groups. */
const own = Symbol('own');
type Group = string | typeof own;

export function fairLine<Entry>(): Line<Entry> {
  /** The groups in the order of their turns. After its turn, a group moves to the end. */
  const lines = new Map<Group, Line<Entry>>();
  let size = 0;
  let last: Group | undefined;

  /** Returns the next group. It is the group of the last turn only if no other group waits, so that a new group does not have to wait. */
  function nextGroup(passes: (group: string | undefined) => boolean): Group | undefined {
    const [first, second] = [...lines.keys()].filter((group) => !passes(group === own ? undefined : group));
    return first === last && second !== undefined ? second : first;
  }

  return {
    get size() {
      return size;
    },
    add([group = own, ...narrower], entry) {
      const line = lines.get(group) ?? (group === own ? byAge<Entry>() : fairLine<Entry>());
      line.add(narrower, entry);
      lines.set(group, line);
      size += 1;
    },
    next(passes = () => false) {
      const group = nextGroup(passes);
      if (group === undefined) return undefined;
      const line = lines.get(group)!;
      const entry = line.next();
      lines.delete(group);
      if (line.size > 0) lines.set(group, line);
      last = group;
      size -= 1;
      return entry;
    },
  };
}

function byAge<Entry>(): Line<Entry> {
  const entries: Entry[] = [];
  return {
    get size() {
      return entries.length;
    },
    add: (_, entry) => void entries.push(entry),
    next: () => entries.shift(),
  };
}
