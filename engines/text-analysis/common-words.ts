/** Splits texts into words, lists the most common words of languages, and detects the language by them. */
import { primarySubtag } from '../engine.ts';

const WORD = /[\p{L}\p{M}\p{N}]+(?:['’·-][\p{L}\p{M}\p{N}]+)*/gu;

export const wordsOf = (text: string): string[] => text.normalize('NFC').toLowerCase().match(WORD) ?? [];

/** The most common words, by primary subtag. They identify the language of a text. Only the other words show its subject. */
const lists: Readonly<Record<string, string>> = {
  en: `a about above after again all also always am an and another any are around as at away back be because been before
    being below between both but by came can cannot come could day did do does doing done down each either else ever every
    few first for from get gets getting give go goes going gone good got great had has have having he her here hers him his
    how however i if in into is it its itself just keep kind know known last least less let like little long look lot lots
    made make makes making many may maybe me mean might mine more most much must my myself never new next no nor not nothing
    now of off often oh ok okay on once one only onto or other others our ours out over own people perhaps please put quite
    rather really right said same say says see seem seems seen shall she should since so some someone something sometimes
    still such take than that the their them then there these they thing things think this those though three through time
    to today together too two under until up upon us use used using very want wants was way we well went were what when
    where whether which while who whom whose why will with within without would yeah year years yes yet you your yours
    it's that's there's don't didn't doesn't isn't aren't wasn't weren't can't couldn't won't wouldn't shouldn't haven't
    hasn't i'm i've i'll i'd you're you've you'll we're we've we'll they're they've he's she's let's what's`,
  es: `a acá además ahí ahora al algo alguien algún alguna algunas alguno algunos allá allí ante antes aquel aquella aquellas
    aquellos aquí así aun aún aunque bajo bien bueno buena buenas buenos cada casi cierto claro como cómo con contra cosa
    cosas creo cual cuál cuales cualquier cuando cuándo cuanto cuánto da dan dar de deben debe decir del demás dentro desde
    después día días dice dicen dicho dijo donde dónde dos e el él ella ellas ello ellos en entonces entre era eran eres es
    esa esas ese eso esos esta está están estaba estaban estado estamos estar estas este esto estos estoy fue fueron gente
    ha haber había habían hace hacen hacer hacia haciendo han hasta hay he hecho hemos hizo hoy igual ir la las le les lo
    los luego más mas me mejor menos mi mis mientras mío mismo misma mismos misma mucha muchas mucho muchos muy nada ni
    ningún ninguna no nos nosotros nuestra nuestras nuestro nuestros nueva nuevo nunca o otra otras otro otros para parece
    parte pero poco podemos poder podría por porque pues pueda puede pueden puedo primer primera primero que qué quien quién
    quienes quiere quiero sea sean según ser será si sí sido siempre siendo sin sino sobre sois solo sólo somos son soy su
    sus suyo también tan tanto te tenemos tener tenga tengo ti tiempo tiene tienen toda todas todavía todo todos tres tu tú
    tus u un una unas uno unos usted ustedes va vamos van varias varios veces ver vez vosotros voy y ya yo año años`,
  fr: `à ai aller alors après as au aussi autre aux avait avec avez avoir avons bien ça ce cela ces cet cette chez comme dans
    de depuis des donc du elle elles en encore est et était être eu eux fait faire il ils je jusqu la le les leur leurs lui
    mais même mes moi mon ne nos notre nous on ont ou où par parce pas peu peut plus pour pourquoi qu quand que quel quelle
    qui sa sans se ses si son sont sur ta te tes toi ton tous tout toute très trop tu un une vos votre vous y c'est n'est
    j'ai d'un d'une qu'il qu'on s'est`,
  de: `aber alle alles als also am an auch auf aus bei bin bis bist da dann das dass dem den der des die diese dieser dieses
    doch dort du durch ein eine einem einen einer eines er es etwas für ganz gegen gibt haben hat hatte hier ich ihm ihn
    ihr ihre im immer in ist ja jetzt kann kein keine können man mehr mein mich mir mit muss nach nicht noch nun nur ob oder
    ohne schon sehr sein seine sich sie sind so über um und uns unter viel vom von vor war waren was weil wenn wer wie wieder
    wir wird wo wurde zu zum zur`,
  it: `a abbiamo ad ai al alla alle allora anche ancora avere aveva c'è che chi ci come con cosa così cui da dal dalla degli
    dei del della delle di dopo dove e ed è era essere fare fatto gli ha hanno ho i il in io la le lei lo loro lui ma mi
    molto nei nel nella noi non o ogni per perché però più poi prima quando quello questa questo qui se sei sempre senza si
    sia siamo solo sono sta su sua sul suo te ti tra tutti tutto un una uno vi voi`,
  pt: `à ao aos aqui as até bem com como da das de dela dele depois do dos e é ela elas ele eles em então era essa esse esta
    está este eu foi fazer há isso isto já lá lhe mais mas me mesmo meu minha muito na não nas nem no nos nossa nosso num
    numa o onde os ou para pela pelo por porque pode que quem quando se sem ser seu seus só sua suas também te tem temos ter
    tudo um uma você vocês vai vamos`,
  ca: `a això així al als amb aquest aquesta aquests els el en encara és era eren està estan fa fer ha han hi i jo la les li
    més molt molta no nosaltres o on pel per però perquè podem pot què que quan qui s'ha se sense ser seva seu si són també
    té tenim tot tots un una vostè d'una d'un l'any ens hem va van aquí dels des`,
  nl: `aan al alles als ben bij daar dan dat de deze die dit doen door een en er ge geen gewoon had heb hebben heeft hem het
    hier hij hoe hun iets ik in is ja je kan kunnen maar me meer met mij mijn moet na naar niet niets nog nu of om omdat onder
    ons ook op over te toch toen tot u uit uw van veel voor want waren was wat we wel werd wie wij worden zal ze zich zij
    zijn zo zonder zou`,
};

const sets = new Map(Object.entries(lists).map(([language, list]) => [language, new Set(list.split(/\s+/))]));
const none: ReadonlySet<string> = new Set();

/** Returns an empty set if there is no list for the language. @param language BCP 47 tag */
export const commonWords = (language: string): ReadonlySet<string> =>
  sets.get(primarySubtag(language)) ?? none;

const MIN_WORDS = 6;
/** The minimum share of common words of a language in a text of this language. */
const MIN_SHARE = 0.25;
/** The share of common words of the best language must be at least this many times the share of the second-best language. */
const MIN_LEAD = 1.25;

export function detectLanguage(text: string): string | null {
  const words = wordsOf(text);
  if (words.length < MIN_WORDS) return null;
  const scores = [...sets].map(([language, set]) => ({
    language,
    share: words.filter((word) => set.has(word)).length / words.length,
  }));
  const [first, second] = scores.sort((one, other) => other.share - one.share);
  const isClear = first && second && first.share >= MIN_SHARE && first.share >= MIN_LEAD * second.share;
  return isClear ? first.language : null;
}

/** Returns the words that show the subject of a text: longer than two letters, neither common words nor numbers. */
export function contentWords(text: string, language: string): string[] {
  const common = commonWords(language);
  return wordsOf(text).filter((word) => word.length > 2 && !common.has(word) && !/^\d/.test(word));
}
