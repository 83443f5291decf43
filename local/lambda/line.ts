/**
 * A waiting line in which groups take turns, and so do the groups within a group. If a hundred entries of one tenant
 * wait, the only entry of another tenant is still among the next. Entries of the same narrowest group go by age.
 */
export type Line<Entry> = {
  readonly size: number;
  /** @param turn the groups of the entry, the widest first: a tenant, then its job. Entries without a group are a group too */
  add(turn: readonly string[], entry: Entry): void;
  /** Takes the next one out of the line; undefined if the line is empty. */
  next(): Entry | undefined;
};

/** The group of entries that belong to no narrower group. */
const own = Symbol('own');
type Group = string | typeof own;

export function fairLine<Entry>(): Line<Entry> {
  /** In the order of their turns. A group that had its turn moves to the end. */
  const lines = new Map<Group, Line<Entry>>();
  let size = 0;
  let last: Group | undefined;

  /** The group that had the last turn gets the next one only if no other group waits. So a new group does not wait for it. */
  function nextGroup(): Group | undefined {
    const [first, second] = lines.keys();
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
    next() {
      const group = nextGroup();
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
