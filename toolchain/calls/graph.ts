/**
 * Which actions of AWS the code of a function can reach: a graph of calls by types, method by method, since every bundle
 * that reads a table holds the code that writes one. It takes everything that is named for called, so it errs by too much
 * rather than too little. Engines end it: which of their methods are called is what counts.
 */
import { join, relative } from 'node:path';
import { type Node, type SourceFile, SyntaxKind } from 'typescript/unstable/ast';
import { API, type Symbol as Named, type Project, SymbolFlags } from 'typescript/unstable/sync';
import { root } from '../bundle/paths.ts';

/** What is called as one: a function, a constant, a method; or what a class or a module does when it is made. */
interface Unit {
  readonly file: string;
  readonly nodes: Node[];
  readonly calls: Set<Unit>;
  readonly commands: Set<string>;
  /** The constructor of a class: it only keeps what it is given. */
  isMaking?: boolean;
}

export interface Calls {
  /** What is done with anything but tables: `s3:GetObject`, … */
  readonly actions: readonly string[];
  /** What is done with each table, and with which partitions. */
  readonly tables: Readonly<Record<string, TableCalls>>;
  /** Methods of engines: `transcription.plan`, … */
  readonly methods: readonly string[];
}

export interface TableCalls {
  /** `dynamodb:GetItem`, … */
  readonly actions: readonly string[];
  /** What keys of partitions begin with, as `dynamodb:LeadingKeys` has it. */
  readonly keys: readonly string[];
}

/** `@aws-sdk/client-…` by the prefix of its actions, where they differ. */
const prefixes: Readonly<Record<string, string>> = { sfn: 'states', 'bedrock-runtime': 'bedrock' };

/**
 * Actions that have another name than the operation.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/using-with-s3-policy-actions.html
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
 */
const actionOf: Readonly<Record<string, string>> = {
  's3:CompleteMultipartUpload': 's3:PutObject',
  's3:CreateMultipartUpload': 's3:PutObject',
  's3:DeleteObjects': 's3:DeleteObject',
  // And s3:GetObject of what is copied, which whoever copies reads elsewhere too.
  's3:CopyObject': 's3:PutObject',
  's3:HeadObject': 's3:GetObject',
  's3:ListMultipartUploads': 's3:ListBucketMultipartUploads',
  's3:ListObjectsV2': 's3:ListBucket',
  's3:ListParts': 's3:ListMultipartUploadParts',
  's3:UploadPart': 's3:PutObject',
  'bedrock:Converse': 'bedrock:InvokeModel',
};

/**
 * What a write of a transaction needs, by the member that names it (`Write` in platform/table/tenant-table.ts).
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis-iam.html
 */
const writes: Readonly<Record<string, string>> = {
  put: 'dynamodb:PutItem',
  announce: 'dynamodb:PutItem',
  update: 'dynamodb:UpdateItem',
  delete: 'dynamodb:DeleteItem',
  withdraw: 'dynamodb:DeleteItem',
  check: 'dynamodb:ConditionCheckItem',
};
const transaction = 'dynamodb:TransactWriteItems';
const lookUp = 'dynamodb:GetItem';

const ours = /^(lambdas|platform|engines)\//;
const port = /^engines\/([\w-]+)\/port\.ts$/;
/** Leads to every engine there is, whose calls are held against what they declare instead. */
const registry = 'engines/registry.ts';

export class CallGraph {
  readonly #units = new Map<Node, Unit>();
  readonly #modules = new Map<string, Unit>();
  /** Methods of classes, by class. */
  readonly #classes: Map<string, Unit>[] = [];
  /** Names worth asking about where something is taken apart: `{ translate }`. */
  readonly #methods = new Set<string>();

  constructor() {
    using api = closing(new API({ cwd: root }));
    const config = join(import.meta.dirname, 'tsconfig.json');
    const project = api.value.updateSnapshot({ openProjects: [config] }).getProject(config)!;
    const files = project.program
      .getSourceFileNames()
      .filter((name) => ours.test(relative(root, name)) && !name.endsWith('.d.ts'))
      .map((name) => project.program.getSourceFile(name)!);
    for (const file of files) {
      this.#collect(file);
      if (port.test(relative(root, file.fileName))) visitMembers(file, (name) => this.#methods.add(name));
    }
    this.#connect(project);
  }

  /** @param source absolute path of a function's entry, or any module @param name the constant to start from */
  from(source: string, name = 'handler'): Calls {
    const file = relative(root, source);
    const begin = [...this.#units].find(([node, unit]) => unit.file === file && nameOf(node) === name);
    if (begin === undefined) throw new Error(`${file} has no ${name}`);
    return callsOf(this.#reachable(begin[1]));
  }

  #reachable(begin: Unit): Set<Unit> {
    const reached = new Set<Unit>();
    const waiting = [begin];
    for (let unit = waiting.pop(); unit !== undefined; unit = waiting.pop()) {
      if (reached.has(unit) || unit.file === registry) continue;
      reached.add(unit);
      waiting.push(...unit.calls, this.#modules.get(unit.file)!);
    }
    return reached;
  }

  #collect(source: SourceFile): void {
    const file = relative(root, source.fileName);
    const unit = (...nodes: Node[]): Unit => {
      const made: Unit = { file, nodes, calls: new Set(), commands: new Set() };
      for (const node of nodes) this.#units.set(node, made);
      return made;
    };
    const rest: Node[] = [];
    for (const statement of source.statements as Iterable<Node>) {
      if (statement.kind === SyntaxKind.ClassDeclaration) this.#collectClass(statement, unit);
      else if (statement.kind === SyntaxKind.FunctionDeclaration) unit(statement);
      else if (statement.kind === SyntaxKind.VariableStatement)
        for (const one of declarationsIn(statement)) unit(one);
      else if (!typesOnly.has(statement.kind)) rest.push(statement);
    }
    this.#modules.set(file, unit(...rest));
  }

  /** What is written to a member when an object is made is reached by whoever uses the member, and not by all others. */
  #collectClass(declaration: Node, unit: (...nodes: Node[]) => Unit): void {
    const members = childrenOf(declaration);
    const own = members.filter(
      ({ kind }) => methodKinds.has(kind) || kind === SyntaxKind.PropertyDeclaration,
    );
    const units = new Map(own.map((member) => [nameOf(member)!, unit(member)]));
    const rest = members.filter((member) => !own.includes(member));
    const making = unit(...rest);
    making.isMaking = true;
    this.#units.set(declaration, making);
    for (const { member, value } of rest.flatMap(assignmentsIn)) {
      const written = units.get(member);
      if (written === undefined) continue;
      written.nodes.push(value);
      this.#units.set(value, written);
    }
    const methods = own.filter(({ kind }) => methodKinds.has(kind)).map((method) => nameOf(method)!);
    this.#classes.push(new Map(methods.map((name) => [name, units.get(name)!])));
    for (const name of methods) this.#methods.add(name);
  }

  /** Asks for the symbols of all names at once: each question is a message to another process. */
  #connect({ checker }: Project): void {
    const names: { readonly node: Node; readonly unit: Unit }[] = [];
    for (const unit of new Set(this.#units.values())) {
      for (const node of unit.nodes) {
        visit(node, (name) => {
          if (this.#unitOf(name) !== unit) return;
          names.push({ node: name, unit });
          if (writesOf(name)) unit.commands.add(writesOf(name)!);
        });
      }
    }
    const symbols = checker.getSymbolAtLocation(names.map(({ node }) => node));
    const origins = new Map<number, Named>();
    const symbolOf = (node: Node, at: number): Named | undefined => {
      const { kind } = node.parent;
      if (kind === SyntaxKind.ShorthandPropertyAssignment)
        return checker.getShorthandAssignmentValueSymbol(node.parent);
      if (kind !== SyntaxKind.BindingElement || !this.#methods.has(node.getText())) return symbols[at];
      const type = checker.getTypeAtLocation(node.parent.parent);
      return (type && checker.getPropertyOfType(type, node.getText())) ?? symbols[at];
    };
    names.forEach(({ node, unit }, at) => {
      const symbol = symbolOf(node, at);
      if (symbol === undefined) return;
      const isAlias = (symbol.flags & SymbolFlags.Alias) !== 0;
      const origin = origins.get(symbol.id) ?? (isAlias ? checker.getAliasedSymbol(symbol) : symbol);
      origins.set(symbol.id, origin);
      this.#refer(unit, origin);
    });
  }

  #refer(unit: Unit, symbol: Named): void {
    for (const declaration of symbol.declarations) {
      const [, client] = /\/@aws-sdk\/client-([\w-]+)\//.exec(declaration.path) ?? [];
      if (client !== undefined) {
        if (symbol.name.endsWith('Command')) unit.commands.add(actionNamed(client, symbol.name));
        continue;
      }
      const file = relative(root, declaration.path);
      if (!ours.test(file)) continue;
      const node = declaration.resolve();
      if (node === undefined) continue;
      const [, capability] = port.exec(file) ?? [];
      if (memberKinds.has(node.kind)) {
        if (capability !== undefined) unit.commands.add(`${capability.replaceAll('-', '_')}.${symbol.name}`);
        else for (const called of this.#having(node)) unit.calls.add(called);
      } else {
        const called = this.#unitOf(node);
        if (called !== undefined && called !== unit) unit.calls.add(called);
      }
    }
  }

  /** The method of that name in each class that has all methods of an interface, which TypeScript takes for one. */
  #having(member: Node): Unit[] {
    const names = childrenOf(member.parent)
      .filter((one) => one.kind === SyntaxKind.MethodSignature || isFunctionMember(one))
      .map((method) => nameOf(method)!);
    const name = nameOf(member)!;
    if (!names.includes(name)) return [];
    return this.#classes.filter((one) => names.every((each) => one.has(each))).map((one) => one.get(name)!);
  }

  #unitOf(node: Node): Unit | undefined {
    for (let at: Node | undefined = node; at !== undefined; at = at.parent) {
      const unit = this.#units.get(at);
      if (unit !== undefined) return unit;
    }
    return undefined;
  }
}

const typesOnly = new Set([
  ...[SyntaxKind.ImportDeclaration, SyntaxKind.ExportDeclaration],
  ...[SyntaxKind.InterfaceDeclaration, SyntaxKind.TypeAliasDeclaration],
]);
const methodKinds = new Set([SyntaxKind.MethodDeclaration, SyntaxKind.GetAccessor, SyntaxKind.SetAccessor]);
const memberKinds = new Set([SyntaxKind.MethodSignature, SyntaxKind.PropertySignature]);
const nameKinds = new Set([SyntaxKind.Identifier, SyntaxKind.PrivateIdentifier]);

/** Where the keys of the tables are read and written; who calls them says which table it is. */
const stores = /^platform\/(table\/(tenant-table|admin-table|id-ranges)|records\/api-keys)\.ts$/;
/** The classes and functions that are given Ephemeral (test/infra/least-privilege.test.ts); every other one has Core. */
const ephemeral = /^platform\/(kernel\/(idempotency|rate-limit)|jobs\/slots|usage\/holds)\.ts$/;
/** Engines are made here, and what they are wrapped in passes everything through: whoever calls their methods is elsewhere. */
const passing = /^platform\/runtime\//;

const tableOf = (store: string, caller: string): string =>
  store.endsWith('/api-keys.ts') ? 'Auth' : ephemeral.test(caller) ? 'Ephemeral' : 'Core';

/** What partitions of a table begin with; those of operators only where something is announced to them, or read there. */
const keysOf = (table: string, isTenants: boolean, isAdmin: boolean): string[] => [
  ...(table === 'Auth' ? ['KEY#*', ...(isTenants ? ['TENANT#*'] : [])] : []),
  ...(isAdmin ? ['ADMIN#*'] : []),
  ...(table !== 'Auth' && isTenants ? ['T#*'] : []),
];

function callsOf(units: ReadonlySet<Unit>): Calls {
  const inTables = new Map<string, { actions: Set<string>; isTenants: boolean; isAdmin: boolean }>();
  const inTable = (name: string) => {
    const known = inTables.get(name) ?? { actions: new Set(), isTenants: false, isAdmin: false };
    inTables.set(name, known);
    return known;
  };
  const others = [...units].filter(({ file }) => !stores.test(file));
  for (const unit of others) {
    for (const called of [...unit.calls].filter(({ file }) => stores.test(file))) {
      const done = actionsIn(called);
      if (done.size === 0) continue;
      const table = inTable(tableOf(called.file, unit.file));
      for (const action of done) table.actions.add(action);
      if (called.file === 'platform/table/admin-table.ts') table.isAdmin = true;
      if (called.file === 'platform/table/tenant-table.ts') table.isTenants = true;
      // Whoever does more with keys than to find one by its id also lists them under their tenant.
      if (called.file === 'platform/records/api-keys.ts' && [...done].some((action) => action !== lookUp))
        table.isTenants = true;
    }
  }
  for (const unit of others) {
    const table = inTables.get(tableOf('', unit.file));
    if (!table?.actions.has(transaction)) continue;
    for (const kind of [...unit.commands].filter((command) => command.startsWith('write:'))) {
      table.actions.add(writes[kind.slice('write:'.length)]!);
      if (/announce|withdraw/.test(kind)) table.isAdmin = true;
    }
  }
  const named = [...new Set(others.flatMap(({ commands }) => [...commands]))];
  const methods = others.filter(({ file }) => !passing.test(file)).flatMap(({ commands }) => [...commands]);
  return {
    actions: named.filter((one) => /^(?!write:|dynamodb:)\w+:/.test(one)).sort(),
    tables: Object.fromEntries(
      [...inTables].sort().map(([name, { actions, isTenants, isAdmin }]) => [
        name,
        {
          actions: [...actions].filter((action) => action !== transaction).sort(),
          keys: keysOf(name, isTenants, isAdmin),
        },
      ]),
    ),
    methods: [...new Set(methods)].filter((one) => one.includes('.')).sort(),
  };
}

/** What a method of a store does, and the methods of stores that it calls. */
function actionsIn(method: Unit, seen = new Set<Unit>()): Set<string> {
  if (seen.has(method) || method.isMaking) return new Set();
  seen.add(method);
  const called = [...method.calls].filter(({ file }) => stores.test(file));
  return new Set([
    ...[...method.commands].filter((command) => command.startsWith('dynamodb:')),
    ...called.flatMap((one) => [...actionsIn(one, seen)]),
  ]);
}

function actionNamed(client: string, command: string): string {
  const operation = `${prefixes[client] ?? client}:${command.replace(/Command$/, '')}`;
  return actionOf[operation] ?? operation;
}

/** `{ put: … }` anywhere may be part of a transaction. */
function writesOf(name: Node): string | undefined {
  const { kind } = name.parent;
  const isMember = kind === SyntaxKind.PropertyAssignment || kind === SyntaxKind.ShorthandPropertyAssignment;
  const text = isMember && nameNode(name.parent) === name ? name.getText() : '';
  return Object.hasOwn(writes, text) ? `write:${text}` : undefined;
}

/** `find: (id: string) => …` of an interface. */
const isFunctionMember = (node: Node): boolean =>
  node.kind === SyntaxKind.PropertySignature &&
  childrenOf(node).some(({ kind }) => kind === SyntaxKind.FunctionType);

/** `this.member = value`, anywhere in a constructor. */
function assignmentsIn(node: Node): { readonly member: string; readonly value: Node }[] {
  if (node.kind !== SyntaxKind.BinaryExpression) return childrenOf(node).flatMap(assignmentsIn);
  const [left, operator, value] = childrenOf(node);
  const [owner, member] = left?.kind === SyntaxKind.PropertyAccessExpression ? childrenOf(left) : [];
  const isWritten = operator?.kind === SyntaxKind.EqualsToken && owner?.kind === SyntaxKind.ThisKeyword;
  return isWritten ? [{ member: member!.getText(), value: value! }] : [];
}

const nameNode = (node: Node): Node | undefined => (node as Node & { readonly name?: Node }).name;
const nameOf = (node: Node): string | undefined => nameNode(node)?.getText();

function childrenOf(node: Node): Node[] {
  const children: Node[] = [];
  node.forEachChild((child) => {
    children.push(child);
  });
  return children;
}

const declarationsIn = (statement: Node): Node[] =>
  childrenOf(statement)
    .flatMap(childrenOf)
    .filter(({ kind }) => kind === SyntaxKind.VariableDeclaration);

function visit(node: Node, each: (name: Node) => void): void {
  if (nameKinds.has(node.kind)) each(node);
  node.forEachChild((child) => visit(child, each));
}

/** Names of the methods of interfaces. */
function visitMembers(node: Node, each: (name: string) => void): void {
  if (node.kind === SyntaxKind.MethodSignature) each(nameOf(node)!);
  node.forEachChild((child) => visitMembers(child, each));
}

const closing = (api: API) => ({ value: api, [Symbol.dispose]: () => api.close() });
