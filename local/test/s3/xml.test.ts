import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { childText, parseXml, xmlDocument } from '../../s3/xml.ts';

describe('XML documents', () => {
  it('have the same text after writing and reading', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const document = parseXml(xmlDocument('Root', { Key: text }));
        expect(childText(document!, 'Key')).toBe(text);
      }),
    );
  });

  it('have one element for each item of an array, and none for undefined', () => {
    const document = xmlDocument('R', { A: [{ B: 1 }, { B: 2 }], C: undefined, D: false }, 'urn:x');
    expect(document).toContain('<R xmlns="urn:x"><A><B>1</B></A><A><B>2</B></A><D>false</D></R>');
  });

  it('are read with declarations, attributes, prefixes, comments and references', () => {
    const text = `<?xml version="1.0"?><!-- a --><s:R xmlns:s="urn:x">\n<Key a='1'>&lt;&#65;&#x1F3AC;&amp;amp;</Key><E/></s:R>`;
    const document = parseXml(text)!;
    expect(document.name).toBe('R');
    expect(childText(document, 'Key')).toBe('<A🎬&amp;');
    expect(childText(document, 'E')).toBe('');
  });

  it.each([
    '',
    'text',
    '<a>',
    '<a></b>',
    '<a/><b/>',
    '<a><b></a></b>',
    '<a',
    '</a>',
    '<!DOCTYPE a [<!ENTITY e "x">]><a>&e;</a>',
  ])('are refused if they are malformed: %j', (text) => {
    expect(parseXml(text)).toBeUndefined();
  });
});
