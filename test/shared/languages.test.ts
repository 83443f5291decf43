import { describe, expect, it } from 'vitest';
import { languageByCode, languageById, languages } from '../../shared/languages.ts';

describe('languages', () => {
  it('have ids that never change: the UUIDv5 of their tag', () => {
    expect(languageByCode('en')?.language_id).toBe('8993a0fb-016d-5a01-81d7-1cebafdf70d7');
    for (const { language_id } of languages) {
      expect(language_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }
    expect(new Set(languages.map(({ language_id }) => language_id)).size).toBe(languages.length);
  });

  it('are found by id, and by tag with or without its region', () => {
    const { language_id } = languageByCode('pt-BR')!;
    expect(languageById(language_id)?.code).toBe('pt-BR');
    expect(languageByCode('en-US')?.code).toBe('en');
    expect(languageByCode('PT-br')?.code).toBe('pt-BR');
    expect(languageByCode('tlh')).toBeUndefined();
  });

  it('have a text direction', () => {
    const rightToLeft = languages.filter(({ direction }) => direction === 'rtl').map(({ code }) => code);
    expect(rightToLeft.sort()).toEqual(['ar', 'fa', 'he', 'ur']);
  });
});
