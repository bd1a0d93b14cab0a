/** What the words of a field's name say; bits of one number. */
export const IDENTIFIER = 1;
/** An identifier together with everything below it: `id`, `ids`. */
export const IDENTIFIER_TREE = 2;
export const CRITICAL = 4;
export const STATE = 8;
/** A number there is no amount: a date, a place, a version. */
export const NOT_QUANTITY = 16;
/** Where values of two or three capitals are codes: an airport, a currency. */
export const CODED = 32;
/** What was: it is not moved back further. */
export const PAST = 64;

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** A name with one of these words is an identifier, and so is all that it holds. */
const ID_WORDS = words("id ids uuid uuids guid guids uid uids oid gid pid idx");
/** A name with one of these words is a code. */
const CODE_WORDS = words(
  `zip zips zipcode zipcodes postal postcode postcodes sku skus upc ean gtin asin isbn issn doi vin iata icao iso ssn iban bic
   imei imsi iccid pnr barcode barcodes username password passwd cvv cvc otp checksum etag fingerprint sha md`,
);
/** A name that ends in one of these words is a code or a key. */
const CODE_ENDS = words(
  `code codes key keys token secret pin hash digest signature slug ref refs reference references locator handle login commit
   phone phones telephone telephones mobile cell fax ip cursor errno nr passport passports serial swift license licence`,
);
/** A number with one of these words before it is an amount; with any other, `order_number`, it is a name. */
const AMOUNT_OF = words("total max min maximum minimum average avg mean median");
const GLUED =
  /^(?:user|customer|client|account|order|item|product|variant|payment|transaction|tracking|booking|reservation|flight|ticket|invoice|session|message|request|event|file|group|team|project|task|job|run|device|plan|bill|member|parent|record|reference)(?:id|ids|code|codes|number|numbers|key|keys)$|^(?:phone|card|serial|passport|model|part)numbers?$|^(?:country|currency|airport|postal|promo|area|language)codes?$/;

const CRITICAL_WORDS = words(
  `status statuses state stage phase condition availability available eligible eligibility
   price prices amount amounts total totals subtotal balance balances cost costs fee fees fare fares tax taxes discount discounts
   refund refunds charge charges due credit credits debit rate rates budget salary payment payments
   quantity quantities qty count counts stock inventory seats remaining capacity limit limits usage used
   items orders products results options variants records entries rows matches hits transactions flights reservations bookings
   tickets appointments events messages issues tasks passengers baggage baggages fulfillments shipments
   address addresses street city shipping delivery destination insurance cabin membership plan plans
   reason restrictions allergies permissions roles warnings temperature distance duration weight`,
);
const STATE_ENDS = words("status statuses state stage phase availability");
const PAST_WORDS = words("previous prev prior old former initial original last");
/** A number with one of these words is a place or a moment. */
const PLACE_WORDS = words(
  "latitude longitude lat lng lon coordinate coordinates bbox geo timestamp timestamps epoch",
);
/** A number is no amount where a name ends in a date, a label, or what a number can only point to; `price_per_month` is one. */
const NOT_QUANTITY_ENDS = words(
  `year month day date dates dob birthday birth hour minute second timezone tz at since until created updated modified expires expiry
   exp iat location version port index rank page offset position row column level floor room gate seat terminal platform type kind
   priority seed user customer owner author account order parent product item assignee sender recipient driver employee
   organization org tenant session channel thread`,
);
const CODED_WORDS = words(
  `origin destination from to via airport airports stop stops station stations hub airline airlines carrier carriers currency
   currencies country countries state states province provinces region regions language languages locale market nationality`,
);

/**
 * What a field's name says, from its words in lower case. A number at the end of a name (`address2`) says nothing.
 *
 * @param traitsOf - {@link wordTraits}, or one that remembers its answers.
 */
export function nameTraits(nameWords: readonly string[], traitsOf: (word: string) => number): number {
  const named = nameWords.filter((word) => word.charCodeAt(0) > 57 || word.charCodeAt(0) < 48);
  const last = named[named.length - 1];
  if (last === undefined) return 0;
  let traits = 0;
  for (const word of named) traits |= traitsOf(word);
  if (CODE_ENDS.has(last) || isNumberName(named) || isLastDigits(nameWords)) traits |= IDENTIFIER;
  if (STATE_ENDS.has(last)) traits |= STATE | NOT_QUANTITY;
  if (NOT_QUANTITY_ENDS.has(last) && named[named.length - 2] !== "per") traits |= NOT_QUANTITY;
  if (last === "history" && named.some((word) => STATE_ENDS.has(word))) traits |= PAST;
  return traits;
}

/** What one word of a name says, wherever it stands. */
export function wordTraits(word: string): number {
  let traits = 0;
  if (ID_WORDS.has(word)) traits |= IDENTIFIER | IDENTIFIER_TREE;
  if (CODE_WORDS.has(word) || GLUED.test(word)) traits |= IDENTIFIER;
  if (CRITICAL_WORDS.has(word)) traits |= CRITICAL;
  if (PLACE_WORDS.has(word)) traits |= NOT_QUANTITY;
  if (CODED_WORDS.has(word)) traits |= CODED;
  if (PAST_WORDS.has(word)) traits |= PAST;
  return traits;
}

/** `number` and `tracking_number` name something; `numbers` alone and `total_number` count. */
function isNumberName(named: readonly string[]): boolean {
  const last = named[named.length - 1];
  if (named.length === 1) return last === "number";
  if (!["number", "numbers", "no", "nr", "num"].includes(last as string)) return false;
  return !AMOUNT_OF.has(named[named.length - 2] as string);
}

/** `last_four`, `last4` of a card. */
function isLastDigits(nameWords: readonly string[]): boolean {
  const at = nameWords.indexOf("last");
  return at >= 0 && ["four", "4", "digits"].includes(nameWords[at + 1] ?? "");
}
