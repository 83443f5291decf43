/** Reads and writes the simple XML of S3: nested elements without attributes or mixed content. */
export type XmlContent =
  | string
  | number
  | boolean
  | undefined
  | XmlContent[]
  | { [element: string]: XmlContent };

/** Renders elements in the order of the properties. An array repeats its element. An undefined value omits it. */
export function xmlDocument(root: string, content: XmlContent, namespace = ''): string {
  const attribute = namespace ? ` xmlns="${namespace}"` : '';
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}${attribute}>${inner(content)}</${root}>`;
}

export const S3_NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/';

function inner(content: XmlContent): string {
  if (content === undefined) return '';
  if (typeof content !== 'object') return escapeText(String(content));
  return Object.entries(content)
    .flatMap(([name, value]) =>
      Array.isArray(value) ? value.map((each) => [name, each] as const) : [[name, value] as const],
    )
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `<${name}>${inner(value)}</${name}>`)
    .join('');
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text. Control characters become character references, as in S3, because a key may contain any of them. */
function escapeText(text: string): string {
  return (
    text
      .replace(/[&<>"]/g, (character) => entities[character]!)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these characters must be escaped
      .replace(/[\u0000-\u001f]/g, (character) => `&#x${character.charCodeAt(0).toString(16)};`)
  );
}

export type XmlElement = { name: string; text: string; children: XmlElement[] };

/** Parses a document. Returns undefined if it is not well-formed or declares its own entities. */
export function parseXml(source: string): XmlElement | undefined {
  const document: XmlElement = { name: '', text: '', children: [] };
  const open = [document];
  let end = 0;
  for (const match of source.matchAll(TOKEN)) {
    if (match.index !== end) return undefined;
    end = match.index + match[0].length;
    const { opening, closing, selfClosing, text } = match.groups ?? {};
    const current = open.at(-1)!;
    if (text !== undefined) current.text += unescapeText(text);
    if (opening !== undefined) {
      const element: XmlElement = { name: localName(opening), text: '', children: [] };
      current.children.push(element);
      if (selfClosing === '') open.push(element);
    }
    if (closing !== undefined) {
      if (open.length === 1 || current.name !== localName(closing)) return undefined;
      open.pop();
    }
  }
  const complete = end === source.length && open.length === 1 && document.children.length === 1;
  return complete ? document.children[0] : undefined;
}

export function childrenOf(element: XmlElement | undefined, name: string): XmlElement[] {
  return element?.children.filter((child) => child.name === name) ?? [];
}

export function childText(element: XmlElement, name: string): string | undefined {
  return element.children.find((child) => child.name === name)?.text;
}

const TOKEN =
  /\uFEFF?<\?[^>]*\?>|<!--[\s\S]*?-->|<\/(?<closing>[\w.:-]+)\s*>|<(?<opening>[\w.:-]+)(?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*(?<selfClosing>\/?)>|(?<text>[^<]+)/g;

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescapeText(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return named[name] ?? whole;
    const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return point > 0x10ffff ? whole : String.fromCodePoint(point);
  });
}
