/** Longer texts are prose. */
const LONGEST = 80;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Five digits and more: an id, a zip code. Fewer are a count or a size. */
const DIGITS = /^\d{5,}$/;
/** #W2611340 */
const MARKED = /^#[\w-]*\d[\w-]*$/;
/** credit_card_4421486, mia_li_3668, INV-001, req_8f3a2b1c */
const NUMBERED = /^[A-Za-z][\w-]*[_-](?:\d{3,}|(?=[a-z]*\d)[a-z0-9]{6,})$/;
/** HAT069, P1001, AA-123 */
const LABELLED = /^[A-Z]{1,4}-?\d{3,}[A-Z]?$/;
/** JG7FMM, 2FBBAH; not the measures 128GB and 20MP */
const CAPITALS = /^(?=.*\d)(?=.*[A-Z])(?!\d+[A-Z]{1,3}$)[A-Z0-9]{5,}$/;
const HASH = /^(?=.*\d)(?=.*[a-f])[0-9a-f]{12,}$/i;
/** Base64-like tokens: capitals, small letters and digits without a break. */
const TOKEN = /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[\w-]{16,}$/;
/** Phone and card numbers; dates and decimals are not. */
const PHONE = /^(?!\d{4}-\d\d-\d\d)(?!-?\d+\.\d+$)(?=(?:\D*\d){7})\+?[\d ().-]+$/;

const FORMS = [DIGITS, MARKED, NUMBERED, LABELLED, CAPITALS, UUID, HASH, TOKEN];

/**
 * Whether a text looks like an identifier or a code, whatever its field is called. Words, sentences, measures (1000ml, 128GB),
 * dates, times, decimals and addresses of mail and of the web do not.
 */
export function looksLikeId(text: string): boolean {
  if (text.length < 4 || text.length > LONGEST || !/\d/.test(text)) return false;
  if (PHONE.test(text)) return true;
  if (/\s/.test(text)) return false;
  return FORMS.some((form) => form.test(text));
}

/** Whether a text is a code of two or three capitals: JFK, USD, TX. Only where the field's name speaks of such. */
export function looksLikeCode(text: string): boolean {
  return /^[A-Z]{2,3}$/.test(text);
}

/** Whether an element of an array looks like an identifier: `["VAAOXJ", "NO6JO3"]`. As a field's value, OPEN or CLOSED are words. */
export function looksLikeListedId(text: string): boolean {
  return /^[A-Z\d]{5,}$/.test(text);
}
