/** Makes TypeScript types from JSON schemas. A schema with a name is declared once, under that name. */

interface Schema {
  readonly $id?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
}

export class Types {
  readonly #declared = new Map<string, string>();

  /** Returns the declarations of all named schemas used so far, by name. */
  declarations(): string[] {
    return [...this.#declared]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, type]) => `export type ${name} = ${type};`);
  }

  of(schema: unknown): string {
    const { $id: name } = schema as Schema;
    if (name === undefined) return this.#plain(schema as Schema);
    if (!this.#declared.has(name)) {
      // Declared before its members, because they may refer to it.
      this.#declared.set(name, '');
      this.#declared.set(name, this.#plain(schema as Schema));
    }
    return name;
  }

  /** Returns the members of an object type, one on each line, all readonly. */
  members({ properties = {}, required = [] }: Schema): string[] {
    return Object.entries(properties).flatMap(([name, schema]) => {
      const mark = required.includes(name) ? '' : '?';
      const about =
        schema.description === undefined ? [] : [`  /** ${schema.description.replaceAll('*/', '* /')} */`];
      return [...about, `  readonly ${property(name)}${mark}: ${this.of(schema).replaceAll('\n', '\n  ')};`];
    });
  }

  #plain(schema: Schema): string {
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
    if (schema.anyOf !== undefined) return schema.anyOf.map((branch) => this.of(branch)).join(' | ');
    const types = [schema.type ?? 'unknown'].flat();
    return [...new Set(types.map((type) => this.#byType(type, schema)))].join(' | ');
  }

  #byType(type: string, schema: Schema): string {
    if (type === 'object') return this.#object(schema);
    if (type === 'array')
      return `readonly (${schema.items === undefined ? 'unknown' : this.of(schema.items)})[]`;
    return (
      { string: 'string', integer: 'number', number: 'number', boolean: 'boolean', null: 'null' }[type] ??
      'unknown'
    );
  }

  #object(schema: Schema): string {
    const lines = this.members(schema);
    const [pattern] = Object.values(schema.patternProperties ?? {});
    const more = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : pattern;
    const rest = more === undefined ? null : `Readonly<Record<string, ${this.of(more)}>>`;
    if (lines.length === 0) return rest ?? 'Readonly<Record<string, unknown>>';
    const own = `{\n${lines.join('\n')}\n}`;
    return rest === null ? own : `${own} & ${rest}`;
  }
}

const property = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));
