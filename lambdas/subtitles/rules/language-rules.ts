/**
 * The language data for subtitle layout. Netflix Timed Text Style Guide, General Requirements §5: break before a
 * conjunction or preposition, and never after an article, preposition or auxiliary. The lists of abbreviations say
 * which full stops do not end a sentence.
 */
import { itemAt } from '../../../shared/checked-access.ts';

export type LanguageRules = {
  conjunctions: ReadonlySet<string>;
  prepositions: ReadonlySet<string>;
  /** Articles, possessives, subject pronouns, auxiliaries, negations: never separated from the next word. */
  clinging: ReadonlySet<string>;
  /** Words of `clinging` that end a phrase after a preposition ("of them"). */
  pronouns: ReadonlySet<string>;
  /** Words before a partitive ("some" in "some of them"). */
  quantifiers: ReadonlySet<string>;
  /** Prepositions that are not separated from a quantifier before them. */
  partitives: ReadonlySet<string>;
  /** Abbreviations that never end a sentence ("Dr.", "e.g."), without the last full stop. */
  neverLast: ReadonlySet<string>;
  /** Abbreviations that can end a sentence ("etc."), without the last full stop. */
  maybeLast: ReadonlySet<string>;
  /** Whether a number with a full stop is an ordinal ("3. Oktober"). */
  ordinalStop: boolean;
};

type RuleWords = Partial<Record<Exclude<keyof LanguageRules, 'ordinalStop'>, string>> & {
  ordinalStop?: true;
};

const everywhere = {
  neverLast: 'mr mrs ms dr prof st vs e.g i.e cf fig vol nr',
  maybeLast: 'etc inc ltd co corp jr sr a.m p.m',
};

const wordsOf: Record<string, RuleWords> = {
  en: {
    conjunctions:
      'and but or nor so yet because although though while when where if unless until since whereas that which who whom whose whether than how what why',
    prepositions:
      'about above across after against along among around as at before behind below between beyond by despite down during except for from in inside into like near of off on onto over per through to toward towards under up upon via with within without',
    clinging:
      "a an the my your his its our their this these those some any no every each another i he she we they is are was were am be been being has have had do does did will would shall should can could may might must not cannot don't doesn't didn't won't can't isn't aren't very too i'm you're he's she's it's we're they're i've we've i'll we'll",
    pronouns: 'it',
    quantifiers:
      'some most many all none each both either neither any few half one two three several part plenty lots lot',
    partitives: 'of',
    neverLast:
      'messrs gen col lt sgt capt gov sen rep rev hon pres mt ft approx dept est jan feb apr aug sept oct nov dec',
    maybeLast: 'u.s u.k u.n d.c esq bros p.s ph.d',
  },
  es: {
    conjunctions: 'y e o u ni pero sino aunque porque pues que si cuando donde como mientras quien cuyo',
    prepositions:
      'a ante bajo con contra de del al desde durante en entre hacia hasta mediante para por según sin sobre tras',
    clinging:
      'el la los las lo un una unos unas mi mis tu tus su sus nuestro nuestra este esta estos estas ese esa aquel no se me te le les nos os yo él ella ellos he ha han había ser es son era está están muy más',
    pronouns: 'él ella ellos ellas usted ustedes nosotros nosotras vosotros vosotras',
    quantifiers:
      'algunos algunas muchos muchas todos varios varias pocos pocas ninguno ninguna uno una cada parte mayoría mitad',
    partitives: 'de del',
    neverLast: 'sr sra srta d dña dra ud uds av pág núm tel',
    maybeLast: 'ee.uu s.a',
  },
  fr: {
    conjunctions: 'et ou mais donc or ni car que quand lorsque puisque comme si qui dont où quoique parce',
    prepositions:
      'à au aux après avant avec chez contre dans de des du depuis derrière dès devant durant en entre envers hors jusque jusqu’à malgré par parmi pendant pour sans sauf selon sous sur vers',
    clinging:
      'le la les un une mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs ce cet cette ces je tu il elle on nous vous ils elles ne se me te y est sont était a ont avait ai as être avoir très plus pas',
    pronouns: 'elle nous vous elles',
    quantifiers:
      'beaucoup plupart certains certaines plusieurs quelques-uns quelques-unes aucun aucune chacun chacune un une peu assez trop partie moitié',
    partitives: "de des du d'entre d’entre",
    neverLast: 'm mm mme mlle mgr me p av bd',
    maybeLast: 's.a',
  },
  de: {
    conjunctions:
      'und oder aber denn sondern dass weil obwohl wenn als ob während nachdem bevor damit welche welcher welches sowie doch',
    prepositions:
      'ab an am ans auf aus außer bei beim bis durch für gegen gegenüber hinter im in ins mit nach neben ohne seit trotz über um unter von vom vor wegen zu zum zur zwischen',
    clinging:
      'der die das den dem des ein eine einen einem einer eines mein meine dein deine sein seine ihr ihre unser unsere euer dieser diese dieses kein keine ich du er sie es wir nicht sehr zu ist sind war waren hat haben hatte wird werden wurde',
    pronouns: 'sie es ihr',
    quantifiers:
      'einige viele manche wenige alle keiner keine jeder jede beide einer eine ein teil hälfte mehrheit',
    partitives: 'von der',
    neverLast: 'hr fr z.b d.h u.a z.t bzw ca evtl ggf inkl str abs art bd s',
    maybeLast: 'usw usf u.ä u.s.w',
    ordinalStop: true,
  },
  it: {
    conjunctions:
      'e ed o od ma però perché poiché che se quando mentre dove come anche né quindi benché chi cui',
    prepositions:
      'a ad al allo alla ai agli alle con contro da dal dallo dalla dai dalle di del dello della dei degli delle durante fra in nel nello nella nei nelle per presso senza sopra sotto su sul sulla sui sulle tra verso',
    clinging:
      'il lo la i gli le un uno una mio mia tuo tua suo sua nostro nostra questo questa questi queste quel quella non si mi ti ci vi io tu lui lei noi voi loro è sono era ha hanno ho aveva essere molto più',
    pronouns: 'lui lei noi voi loro',
    quantifiers:
      'alcuni alcune molti molte tutti pochi poche nessuno nessuna uno una ognuno ciascuno parte metà maggior',
    partitives: 'di del dei degli delle della',
    neverLast: 'sig sigg dott ing avv arch on pag',
    maybeLast: 'ecc s.p.a',
  },
  pt: {
    conjunctions: 'e ou mas nem porém porque pois que se quando onde como enquanto embora quem cujo',
    prepositions:
      'a ao aos à às ante após até com contra de do da dos das desde durante em no na nos nas entre para perante pelo pela pelos pelas por sem sob sobre',
    clinging:
      'o os as um uma uns umas meu minha teu tua seu sua nosso nossa este esta esse essa aquele aquela não se me te lhe eu ele ela nós eles é são era está estão foi tem têm muito mais',
    pronouns: 'ele ela nós eles elas você vocês',
    quantifiers:
      'alguns algumas muitos muitas todos vários várias poucos poucas nenhum nenhuma um uma cada parte maioria metade',
    partitives: 'de do da dos das',
    neverLast: 'sr sra dra exmo av pág núm d',
    maybeLast: 's.a e.u.a',
  },
};

const neutral = rulesFrom({});
const known = new Map(Object.entries(wordsOf).map(([tag, words]) => [tag, rulesFrom(words)]));

/** The rules of a language by its BCP 47 tag ("en", "pt-BR"). Neutral rules if the language is not in the table. */
export function findLanguageRules(language: string | undefined): LanguageRules {
  const primary = itemAt((language ?? '').toLowerCase().split(/[-_]/), 0);
  return known.get(primary) ?? neutral;
}

function rulesFrom(words: RuleWords): LanguageRules {
  return {
    conjunctions: wordSet(words.conjunctions),
    prepositions: wordSet(words.prepositions),
    clinging: wordSet(words.clinging),
    pronouns: wordSet(words.pronouns),
    quantifiers: wordSet(words.quantifiers),
    partitives: wordSet(words.partitives),
    neverLast: wordSet(everywhere.neverLast, words.neverLast),
    maybeLast: wordSet(everywhere.maybeLast, words.maybeLast),
    ordinalStop: words.ordinalStop ?? false,
  };
}

function wordSet(...lists: (string | undefined)[]): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => list?.split(' ') ?? []));
}
