/** Reads the tags in a request: in the header x-amz-tagging, or in a Tagging document. */
import { S3Error } from './errors.ts';
import { parseQuery, type S3Request } from './request.ts';
import type { Tag } from './store/records.ts';
import { childrenOf, parseXml, type XmlElement } from './xml.ts';

/** Returns the tags in the header. Empty if the header is missing. Throws InvalidArgument, InvalidTag or BadRequest for invalid tags. */
export function tagsInHeader(request: S3Request): Tag[] {
  const header = request.header('x-amz-tagging') ?? '';
  const tags = tagsInQuery(header);
  const isWellFormed =
    tags?.every(({ key, value }) => key !== '' && isText(key) && isText(value)) && !repeatedKey(tags);
  if (!tags || !isWellFormed) {
    throw new S3Error(
      'InvalidArgument',
      "The header 'x-amz-tagging' shall be encoded as UTF-8 then URLEncoded URL query parameters without tag name duplicates.",
      { ArgumentName: 'x-amz-tagging', ArgumentValue: header },
    );
  }
  return withinLimits(tags);
}

/** Returns the tags in a Tagging document. Throws MalformedXML for an invalid document, InvalidTag or BadRequest for invalid tags. */
export function tagsInDocument(text: string): Tag[] {
  const document = parseXml(text);
  if (document?.name !== 'Tagging') throw new S3Error('MalformedXML');
  return withinLimits(childrenOf(document, 'TagSet').flatMap(({ children }) => children.map(readTag)));
}

function tagsInQuery(text: string): Tag[] | undefined {
  try {
    return parseQuery(text).map(([key, value]) => ({ key, value }));
  } catch {
    return undefined;
  }
}

function readTag(element: XmlElement): Tag {
  const [key, ...furtherKeys] = childrenOf(element, 'Key');
  const [value, ...furtherValues] = childrenOf(element, 'Value');
  const isOne = element.name === 'Tag' && furtherKeys.length === 0 && furtherValues.length === 0;
  if (!key || !value || !isOne) throw new S3Error('MalformedXML');
  return { key: key.text, value: value.text };
}

/**
 * The maximum number of tags of an object, and the maximum length of keys and values, in UTF-16 units. Source: "Categorizing your
 * objects using tags" in the Amazon S3 user guide.
 */
const most = { tags: 10, key: 128, value: 256 };

function withinLimits(tags: Tag[]): Tag[] {
  if (tags.length > most.tags) {
    throw new S3Error('BadRequest', `Object tags cannot be greater than ${most.tags}`);
  }
  for (const { key, value } of tags) {
    if (key === '' || key.length > most.key || !isText(key)) {
      throw new S3Error('InvalidTag', 'The TagKey you have provided is invalid', { TagKey: key });
    }
    if (key.startsWith('aws:')) {
      throw new S3Error('InvalidTag', 'Your TagKey cannot be prefixed with aws:', { TagKey: key });
    }
    if (value.length > most.value || !isText(value)) {
      throw new S3Error('InvalidTag', 'The TagValue you have provided is invalid', {
        TagKey: key,
        TagValue: value,
      });
    }
  }
  const repeated = repeatedKey(tags);
  if (repeated !== undefined) {
    throw new S3Error('InvalidTag', 'Cannot provide multiple Tags with the same key', { TagKey: repeated });
  }
  return tags;
}

/** Whether a key or a value contains only allowed characters. Source: "Tag" in the Amazon S3 API reference. */
function isText(text: string): boolean {
  return /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u.test(text);
}

function repeatedKey(tags: Tag[]): string | undefined {
  return tags.find(({ key }, index) => tags.findIndex((other) => other.key === key) < index)?.key;
}
